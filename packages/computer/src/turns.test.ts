import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("COMP-2: turns are taken one after the other, in the order they were asked for", async () => {
  const turns = new Turns();
  const log: string[] = [];
  const turn = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise(setImmediate);
    log.push(`${name} ends`);
    return name;
  };
  expect(await Promise.all([turns.take(turn("a")), turns.take(turn("b"))])).toEqual(["a", "b"]);
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});

test("COMP-2: a turn that fails tells whoever took it, and the next one is taken all the same", async () => {
  const turns = new Turns();
  const failing = turns.take(() => Promise.reject(new Error("no room")));
  const next = turns.take(async () => "next");
  await expect(failing).rejects.toThrow("no room");
  expect(await next).toBe("next");
});

test("COMP-16: it is idle only when nothing is under way, nor was asked for meanwhile", async () => {
  const turns = new Turns();
  const log: string[] = [];
  void turns.take(async () => {
    await new Promise(setImmediate);
    void turns.take(async () => void log.push("asked for meanwhile"));
    log.push("first");
  });
  await turns.idle();
  expect(log).toEqual(["first", "asked for meanwhile"]);
});
