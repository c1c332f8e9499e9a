import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { Worker } from "node:worker_threads";
import type { Entry } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import { DIR, folderStage, type Place } from "../testing/folder-stage.ts";

const place = folderStage();
const LANDED = { is: "landed" };
const text = ({ at }: Place, name: string) => readFileSync(at(name), "utf8");
const temps = ({ at }: Place, dir = "") => readdirSync(at(dir)).filter((name) => name.startsWith(".choir-landing"));

describe("landing", () => {
  test("FOLD-18: files, links and directories land with their modes, and are what was seen from then on", async () => {
    const computer = await place();
    const { land, file, link, at, folder } = computer;
    const tree: [string, Entry][] = [
      ["dir", { kind: "dir", mode: 0o750 }],
      ["dir/run", file("#!", 0o755)],
      ["dir/empty", file("", 0o600)],
      ["dir/link", link("../else\nwhere")],
      ["dir/void", DIR],
    ];
    const items = tree.map(([name, to]) => ({ key: `workspace/${name}`, from: null, to }));
    expect(await land(...items.toReversed())).toEqual(items.map(() => LANDED));
    expect(statSync(at("dir")).mode & 0o7777).toBe(0o750);
    expect(statSync(at("dir/run")).mode & 0o7777).toBe(0o755);
    expect(readlinkSync(at("dir/link"))).toBe("../else\nwhere");
    const looked = await folder.look(items.map(({ key }) => key));
    expect(looked.map((one) => one.is === "entry" && one.same && one.entry)).toEqual(tree.map(([, entry]) => entry));
    expect(await land(...items)).toEqual(items.map(() => LANDED));
    expect(await land(...items.map(({ key, to }) => ({ key, from: to, to: null })))).toEqual(items.map(() => LANDED));
    expect(readdirSync(at(""))).toEqual([]);
    expect(await folder.seen(items.map(({ key }) => key))).toEqual(items.map(() => undefined));
  });

  test("FOLD-18: a file becomes a directory, a directory a file, and a link either, in one landing", async () => {
    const computer = await place();
    const { land, file, link, at } = computer;
    const one = file("one");
    await land(
      { key: "workspace/a", from: null, to: one },
      { key: "workspace/b", from: null, to: DIR },
      { key: "workspace/b/c", from: null, to: one },
      { key: "workspace/l", from: null, to: link("a") },
    );
    const outcomes = await land(
      { key: "workspace/a", from: one, to: DIR },
      { key: "workspace/a/new", from: null, to: file("two") },
      { key: "workspace/b", from: DIR, to: file("three") },
      { key: "workspace/b/c", from: one, to: null },
      { key: "workspace/l", from: link("a"), to: file("four") },
    );
    expect(outcomes).toEqual(outcomes.map(() => LANDED));
    expect([text(computer, "a/new"), text(computer, "b"), text(computer, "l")]).toEqual(["two", "three", "four"]);
    expect(lstatSync(at("l")).isFile()).toBe(true);
    expect(temps(computer)).toEqual([]);
  });

  test("FOLD-19: what somebody else changed is told and not touched", async () => {
    const computer = await place();
    const { land, file, at, write, folder } = computer;
    const one = file("one");
    await land(
      ...["changed", "gone", "mode", "removed"].map((name) => ({ key: `workspace/${name}`, from: null, to: one })),
    );
    write("changed", "theirs");
    rmSync(at("gone"));
    chmodSync(at("mode"), 0o600);
    write("removed", "theirs");
    write("new", "theirs");
    const theirs = file("theirs");
    expect(
      await land(
        { key: "workspace/changed", from: one, to: file("two") },
        { key: "workspace/gone", from: one, to: file("two") },
        { key: "workspace/mode", from: one, to: file("two") },
        { key: "workspace/removed", from: one, to: null },
        { key: "workspace/new", from: null, to: file("two") },
        { key: "workspace/new/below", from: null, to: file("two") },
      ),
    ).toMatchObject([
      { is: "differs", found: theirs },
      { is: "differs", found: null },
      { is: "differs", found: { ...one, mode: 0o600 } },
      { is: "differs", found: theirs },
      { is: "differs", found: theirs },
      { is: "blocked", why: expect.stringContaining("no directory") },
    ]);
    expect([text(computer, "changed"), text(computer, "removed"), text(computer, "new")]).toEqual([
      "theirs",
      "theirs",
      "theirs",
    ]);
    expect(existsSync(at("gone"))).toBe(false);
    expect(temps(computer)).toEqual([]);
    expect(await folder.seen(["workspace/changed"])).toEqual([one]);
  });

  test("FOLD-19: what already is as it should be is landed", async () => {
    const { land, file, write } = await place();
    write("a", "two");
    expect(await land({ key: "workspace/a", from: file("one"), to: file("two") })).toEqual([LANDED]);
    expect(await land({ key: "workspace/none", from: file("one"), to: null })).toEqual([LANDED]);
  });

  test("FOLD-20: a path that can't be written blocks itself alone", async () => {
    const computer = await place();
    const { land, file, link, at } = computer;
    mkdirSync(at("full"));
    writeFileSync(at("full/other"), "");
    const lost: Entry = { kind: "file", hash: "ab".repeat(32), size: 3, mode: 0o644 };
    const outcomes = await land(
      { key: "workspace/no/dir/here", from: null, to: file("1") },
      { key: "workspace/lost", from: null, to: lost },
      { key: "workspace/lost-large", from: null, to: { ...lost, size: 100_000 } },
      { key: "workspace/long-link", from: null, to: link("x".repeat(5_000)) },
      { key: "workspace/fine", from: null, to: file("2") },
      { key: "workspace/full", from: { kind: "dir", mode: 0o755 }, to: file("3") },
    );
    expect(outcomes.map((outcome) => (outcome.is === "blocked" ? outcome.why : outcome.is))).toEqual([
      "its directory is missing",
      "its content is not there any more",
      "its content is not there any more",
      "its name is too long for this disk",
      "landed",
      "differs",
    ]);
    expect(text(computer, "fine")).toBe("2");
    expect(temps(computer)).toEqual([]);
  });

  test("FOLD-21: a directory with ignored things in it stays with them, and is not captured again", async () => {
    const computer = await place();
    const { land, file, write, scan, at } = computer;
    const main = { key: "workspace/app/main.js", from: null, to: file("1") };
    await land({ key: "workspace/app", from: null, to: DIR }, main);
    write("app/node_modules/x.js", "ignored");
    const outcomes = await land({ key: "workspace/app", from: DIR, to: null }, { ...main, from: main.to, to: null });
    expect(outcomes).toEqual([{ is: "landed", left: true }, LANDED]);
    expect(readdirSync(at("app"))).toEqual(["node_modules"]);
    expect((await scan()).keys).toEqual([]);
    expect(await land({ key: "workspace/app", from: null, to: { kind: "dir", mode: 0o700 } }, main)).toEqual([
      LANDED,
      LANDED,
    ]);
    expect(statSync(at("app")).mode & 0o777).toBe(0o700);
  });

  test("FOLD-21: a directory is moved with all that is in it, also what is ignored", async () => {
    const computer = await place();
    const { land, file, write, folder, at } = computer;
    await land(
      { key: "workspace/app", from: null, to: DIR },
      { key: "workspace/app/a", from: null, to: file("1") },
      { key: "workspace/app-2", from: null, to: DIR },
      { key: "workspace/app-2/b", from: null, to: file("2") },
    );
    write("app/node_modules/x.js", "ignored");
    expect(await folder.moveDirectory("workspace/app", "workspace/app-2")).toMatchObject({ is: "differs" });
    expect(await folder.moveDirectory("workspace/app", "workspace/app-2/in")).toEqual(LANDED);
    expect(readFileSync(at("app-2/in/node_modules/x.js"), "utf8")).toBe("ignored");
    expect(
      await folder.seen(["workspace/app-2/in/a", "workspace/app-2/in", "workspace/app/a", "workspace/app-2/b"]),
    ).toEqual([file("1"), DIR, undefined, file("2")]);
    expect(await folder.moveDirectory("workspace/none", "workspace/n")).toMatchObject({ is: "blocked" });
  });

  test("FOLD-22: a reader never sees half a file, however large", async () => {
    const computer = await place();
    const { land, file, at } = computer;
    const key = "workspace/read";
    const versions = Array.from({ length: 24 }, (_, i) =>
      file(String.fromCharCode(97 + i).repeat(i % 2 === 0 ? 50_000 : 300_000)),
    );
    let from: Entry | null = null;
    const reader = new Worker(READER, { eval: true, workerData: at("read") });
    const report = new Promise<{ reads: number; torn: number }>((resolve) => reader.on("message", resolve));
    for (const to of versions) {
      expect(await land({ key, from, to })).toEqual([LANDED]);
      from = to;
    }
    reader.postMessage("stop");
    const { reads, torn } = await report;
    await reader.terminate();
    expect(reads).toBeGreaterThan(10);
    expect(torn).toBe(0);
  });

  test("FOLD-23: a large file is streamed to its place, replaced and removed only where it is what we believe", async () => {
    const computer = await place();
    const { land, file, at, write } = computer;
    const [one, two] = [file("1".repeat(3_000_000)), file("2".repeat(2_000_000), 0o755)];
    const key = "workspace/large";
    expect(await land({ key, from: null, to: one })).toEqual([LANDED]);
    expect(await land({ key, from: one, to: two })).toEqual([LANDED]);
    expect([statSync(at("large")).size, statSync(at("large")).mode & 0o777]).toEqual([2_000_000, 0o755]);
    write("large", "3".repeat(2_000_000));
    expect(await land({ key, from: two, to: one })).toMatchObject([{ is: "differs", found: { size: 2_000_000 } }]);
    expect(await land({ key, from: two, to: null })).toMatchObject([{ is: "differs" }]);
    const three = file("3".repeat(2_000_000));
    expect(await land({ key, from: three, to: { ...three, mode: 0o600 } })).toEqual([LANDED]);
    expect(await land({ key, from: { ...three, mode: 0o600 }, to: null })).toEqual([LANDED]);
    expect(readdirSync(at(""))).toEqual([]);
  });

  test("FOLD-9: a landing never sets setuid or setgid", async () => {
    const { land, file, at } = await place();
    expect(await land({ key: "workspace/tool", from: null, to: file("x", 0o6755) })).toEqual([LANDED]);
    expect(statSync(at("tool")).mode & 0o7777).toBe(0o755);
  });

  test("FOLD-18: a directory that nobody may write to gets its files first and its mode last, and can be taken away", async () => {
    const { land, file, at } = await place();
    const shut: Entry = { kind: "dir", mode: 0o555 };
    const items = [
      { key: "workspace/shut", from: null, to: shut },
      { key: "workspace/shut/in", from: null, to: shut },
      { key: "workspace/shut/in/a", from: null, to: file("1", 0o444) },
    ];
    expect(await land(...items)).toEqual(items.map(() => LANDED));
    expect([statSync(at("shut")).mode & 0o777, statSync(at("shut/in")).mode & 0o777]).toEqual([0o555, 0o555]);
    expect(await land(...items.map(({ key, to }) => ({ key, from: to, to: null })))).toEqual(items.map(() => LANDED));
    expect(readdirSync(at(""))).toEqual([]);
  });

  test("FOLD-24: a thousand files land with one flush of the disk, and a link in the way stops only its own", async () => {
    const computer = await place();
    const { land, file, at } = computer;
    symlinkSync("/nowhere", at("f7"));
    const items = Array.from({ length: 1_000 }, (_, i) => ({
      key: `workspace/f${i}`,
      from: null,
      to: file(`text ${i}`),
    }));
    const outcomes = await land(...items);
    expect(outcomes.filter(({ is }) => is !== "landed")).toMatchObject([{ is: "differs", found: { kind: "link" } }]);
    expect(text(computer, "f999")).toBe("text 999");
    expect(temps(computer)).toEqual([]);
  });
});

const READER = `
const fs = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
let reads = 0, torn = 0, stop = false;
parentPort.on("message", () => { stop = true; });
(function read() {
  for (let i = 0; i < 20; i++) {
    let text;
    try { text = fs.readFileSync(workerData, "latin1"); } catch { continue; }
    reads++;
    const whole = text.length === 50000 || text.length === 300000;
    if (!whole || text !== text[0].repeat(text.length)) torn++;
  }
  if (stop) parentPort.postMessage({ reads, torn }); else setImmediate(read);
})();`;
