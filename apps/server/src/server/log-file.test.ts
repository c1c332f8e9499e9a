import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempHome } from "../testing/temp-home.ts";
import { LogFile } from "./log-file.ts";

const line = (i: number) => `${String(i).padStart(99, "0")}\n`;

test("DOOR-30: the log has at most two files of a size, the newest lines in order, for their owner alone", async () => {
  const { path } = tempHome();
  const log = new LogFile(join(path, "server.log"), () => {}, 1000);
  for (let i = 0; i < 95; i++) log.write(line(i));
  await log.close();
  log.write(line(95));
  expect(readdirSync(path).sort()).toEqual(["server.log", "server.log.1"]);
  const text = ["server.log.1", "server.log"].map((name) => readFileSync(join(path, name), "utf8")).join("");
  expect(text).toBe(Array.from({ length: 15 }, (_, i) => line(80 + i)).join(""));
  expect(statSync(join(path, "server.log")).mode & 0o777).toBe(0o600);
});

test("DOOR-30: a log that was there is gone on with", async () => {
  const { path } = tempHome();
  const file = join(path, "server.log");
  for (const i of [1, 2]) {
    const log = new LogFile(file, () => {});
    log.write(line(i));
    await log.close();
  }
  expect(readFileSync(file, "utf8")).toBe(line(1) + line(2));
});

test("DOOR-30: a log that can't be written is told once, and taken up again when it can", async () => {
  const { path } = tempHome();
  const file = join(path, "server.log");
  mkdirSync(file);
  const told: string[] = [];
  const log = new LogFile(file, (sentence) => told.push(sentence));
  log.write(line(1));
  log.write(line(2));
  expect(told).toEqual([expect.stringMatching(/^the log .*server\.log can't be written: EISDIR/)]);
  rmdirSync(file);
  log.write(line(3));
  await log.close();
  expect(readFileSync(file, "utf8")).toBe(line(3));
});
