import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ActOptions } from "../computer-port.ts";
import type { Progress } from "../outcome.ts";
import { computerStage, done, folderOfOurOwn } from "../testing/computer-stage.ts";
import { dirText, fileText } from "../testing/trees.ts";

const stage = computerStage();
const elsewhere = folderOfOurOwn();

describe("undo", () => {
  test("ACT-6: a task, an ask and a call are each taken back whole, and nothing else with them", async () => {
    const desk = await stage();
    const by = (task: string, ask = "ask1") => ({ source: "agent" as const, cause: { ask, task } });
    await desk.write("kept", "mine");
    await desk.write("a", "1", by("t1"));
    await desk.write("b", "1", by("t2"));
    await desk.write("a", "2", by("t1"));
    const call = await desk.write("c", "1", by("t3", "ask2"));
    const disk = desk.disk();
    const undone = done(await desk.computer.undo({ task: "t1" }));
    expect(undone.changed).toBe(1);
    expect(desk.disk()).toEqual({
      "workspace/b": fileText("1"),
      "workspace/c": fileText("1"),
      "workspace/kept": fileText("mine"),
    });
    done(await desk.computer.undo({ seq: undone.seq }));
    expect(desk.disk()).toEqual(disk);
    done(await desk.computer.undo({ call: call.call }));
    expect(Object.keys(desk.disk())).toEqual(["workspace/a", "workspace/b", "workspace/kept"]);
    done(await desk.computer.undo({ ask: "ask1" }));
    expect(Object.keys(desk.disk())).toEqual(["workspace/kept"]);
  });

  test("ACT-6: windows and settings are taken back with the files of the same cause", async () => {
    const desk = await stage();
    const cause = { task: "t1" };
    await desk.write("a", "1", { cause });
    const change = (before: string | null, after: string) => ({ changes: [{ key: "theme", before, after }] });
    const { log } = desk.computer;
    await log.append({ source: "user", type: "settings.change", payload: change(null, "dark"), cause });
    await desk.write("b", "1");
    expect(await desk.computer.undo({ task: "t1" })).toMatchObject({ ok: true, changed: 2 });
    expect((await desk.events()).at(-1)?.payload).toMatchObject({
      changes: [{ path: "workspace/a" }, { key: "theme", before: "dark", after: null }],
    });
  });

  test("ACT-6: a conflict names all three versions and changes nothing, until one is picked", async () => {
    const desk = await stage();
    await desk.write("a", "first\n");
    const { seq } = await desk.write("a", "second\n");
    desk.outside("a", "third\n");
    desk.outside("b", "beside");
    await desk.computer.capture();
    const [head, disk] = [await desk.head(), desk.disk()];
    const refused = await desk.computer.undo({ seq });
    expect(refused).toMatchObject({
      ok: false,
      reason: "conflict",
      conflicts: [
        { key: "workspace/a", left: { size: 7 }, now: { size: 6 }, back: { size: 6 }, choices: ["mine", "theirs"] },
      ],
    });
    expect(await desk.head()).toBe(head);
    expect(desk.disk()).toEqual(disk);
    expect(await desk.computer.undo({ seq }, { choices: { all: "mine" } })).toMatchObject({
      ok: false,
      reason: "nothing",
    });
    done(await desk.computer.undo({ seq }, { choices: { each: new Map([["workspace/a", "theirs"]]) } }));
    expect(desk.disk()).toEqual({ "workspace/a": fileText("first\n"), "workspace/b": fileText("beside") });
  });

  test("ACT-6: what others changed and nobody captured yet is part of the question", async () => {
    const desk = await stage();
    const { seq } = await desk.write("a", "1\n");
    desk.outside("a", "theirs\n");
    expect(await desk.computer.undo({ seq })).toMatchObject({ ok: false, reason: "conflict" });
    expect(desk.disk()).toEqual({ "workspace/a": fileText("theirs\n") });
    expect(await desk.text("a")).toBe("theirs\n");
  });

  test("ACT-10: what isn't in the log, changed nothing, or is undone already, is refused with a word", async () => {
    const desk = await stage();
    const { seq } = await desk.write("a", "1");
    done(await desk.computer.undo({ seq }));
    const { computer } = desk;
    expect(await computer.undo({ seq: 99 })).toMatchObject({
      reason: "missing",
      message: expect.stringContaining("event 99 is not in the log"),
    });
    expect(await computer.undo({ task: "no" })).toMatchObject({
      reason: "missing",
      message: expect.stringContaining("task no is not in the log"),
    });
    expect(await computer.undo({ seq: 1 })).toMatchObject({
      reason: "nothing",
      message: "nothing to undo: it changed no file, window or setting",
    });
    expect(await computer.undo({ seq })).toMatchObject({ reason: "nothing" });
    expect(await computer.undo({ since: await desk.head() })).toMatchObject({ reason: "nothing" });
    expect(await desk.head()).toBe(3);
  });

  test("ACT-10: what is taken back already is said to be so, also where something else stands there by now; until that is undone", async () => {
    const desk = await stage();
    const by = (task: string) => ({ source: "agent" as const, cause: { ask: "ask1", task } });
    const { call } = await desk.write("a", "1", by("t1"));
    await desk.write("b", "1", by("t2"));
    const undone = done(await desk.computer.undo({ ask: "ask1" }));
    const mine = await desk.write("a", "mine");
    const word = `nothing to undo: it is taken back already, by event ${undone.seq}`;
    for (const target of [{ ask: "ask1" }, { task: "t1" }, { call }]) {
      expect(await desk.computer.undo(target)).toMatchObject({ reason: "nothing", message: word });
      expect(await desk.computer.preview(target)).toMatchObject({
        conflicts: [],
        notes: expect.arrayContaining([word]),
      });
    }
    done(await desk.computer.undo({ seq: mine.seq }));
    done(await desk.computer.undo({ seq: undone.seq }));
    await desk.write("a", "mine");
    expect(await desk.computer.undo({ ask: "ask1" })).toMatchObject({ reason: "conflict" });
  });

  test("ACT-11: a preview is exactly what the undo does, and does nothing itself", async () => {
    const desk = await stage();
    await desk.write("d/a", "1");
    const removed = done(await desk.computer.remove("workspace/d"));
    const preview = await desk.computer.preview({ seq: removed.seq });
    if ("ok" in preview) throw new Error(preview.message);
    expect(desk.disk()).toEqual({});
    expect(await desk.head()).toBe(3);
    expect(preview.conflicts).toEqual([]);
    expect(preview.notes.join()).toContain("What is ignored");
    const undone = done(await desk.computer.undo({ seq: removed.seq }));
    const done2 = (await Array.fromAsync(desk.computer.diff(undone.seq - 1, undone.seq))).flat();
    expect(done2).toEqual(preview.changes);
  });

  test("ACT-11: a preview says what can't be taken back, and what it would ask", async () => {
    const desk = await stage();
    const cause = { task: "t1" };
    await desk.write("a", "1\n", { cause });
    const net = { allowed: true, bytes_in: 1, bytes_out: 2, host: "example.org", port: 443 };
    await desk.computer.log.append({ source: "system", type: "receipt.net", payload: net, cause });
    await desk.write("a", "2\n");
    const preview = await desk.computer.preview({ task: "t1" });
    expect(preview).toMatchObject({
      conflicts: [{ key: "workspace/a" }],
      lasting: ["a connection to example.org:443 (2 bytes sent)"],
    });
    expect(await desk.computer.preview({ task: "no" })).toMatchObject({ ok: false, reason: "missing" });
  });
});

describe("long work", () => {
  test("ACT-16: it tells how far it is, in the folder too", async () => {
    const desk = await stage();
    const folder = elsewhere();
    for (let i = 0; i < 250; i++) writeFileSync(join(folder, `${i}`), `${i}`);
    const told = new Map<string, Progress>();
    const onProgress = (progress: Progress) => void told.set(progress.what, progress);
    const { seq } = done(await desk.computer.add(folder, "workspace/in", { onProgress }));
    expect([...told.keys()]).toEqual(["reading", "writing to the folder"]);
    expect(told.get("writing to the folder")).toMatchObject({ total: 251 });
    told.clear();
    done(await desk.computer.undo({ seq }, { onProgress }));
    expect([...told.keys()]).toEqual(["looking at the folder", "writing to the folder"]);
    expect(told.get("looking at the folder")).toEqual({ what: "looking at the folder", done: 251, total: 251 });
  });

  test("ACT-16: stopped before its event is in the log, nothing has happened", async () => {
    const desk = await stage();
    const { seq } = await desk.write("d/x", "1");
    const before = desk.disk();
    const { computer } = desk;
    for (const act of [
      (options: ActOptions) => computer.undo({ seq }, options),
      (options: ActOptions) => computer.undo({ since: 1 }, options),
      (options: ActOptions) => computer.remove("workspace/d", options),
      (options: ActOptions) => computer.move("workspace/d", "workspace/e", options),
      (options: ActOptions) => computer.write("workspace/d/x", Buffer.from("2"), options),
    ]) {
      const signal = AbortSignal.abort(new Error("enough"));
      await expect(act({ signal })).rejects.toThrow("enough");
    }
    expect(await desk.head()).toBe(seq);
    expect(desk.disk()).toEqual(before);
  });
});

describe("rewind", () => {
  test("ACT-7: everything is as it was at its moment, also what others changed since and nobody captured", async () => {
    const desk = await stage();
    await desk.write("d/run", "1", { mode: 0o755 });
    symlinkSync("run", desk.at("d/link"));
    desk.outside("d/empty/x", "");
    rmSync(desk.at("d/empty/x"));
    const { seq } = await desk.computer.capture();
    const then = desk.disk();
    await desk.write("d/run", "2");
    done(await desk.computer.move("workspace/d", "workspace/e"));
    desk.outside("e/new", "theirs");
    chmodSync(desk.at("e"), 0o700);
    const rewound = done(await desk.computer.undo({ since: seq ?? 0 }));
    expect(desk.disk()).toEqual(then);
    expect(await desk.tree()).toEqual(then);
    expect(await desk.text("e/new", rewound.seq - 1)).toBe("theirs");
    done(await desk.computer.undo({ seq: rewound.seq }));
    expect(desk.disk()).toMatchObject({ "workspace/e": dirText(0o700), "workspace/e/new": fileText("theirs") });
  });

  test("ACT-7: to the very beginning, and back", async () => {
    const desk = await stage();
    for (const name of ["a", "b/c", "b/d/e"]) await desk.write(name, name);
    const all = desk.disk();
    const rewound = done(await desk.computer.undo({ since: 0 }));
    expect(desk.disk()).toEqual({});
    done(await desk.computer.undo({ seq: rewound.seq }));
    expect(desk.disk()).toEqual(all);
  });
});

describe("restore", () => {
  test("ACT-8: one path comes back with all below it and its directories, and nothing else is touched", async () => {
    const desk = await stage();
    await desk.write("p/d/a", "1");
    await desk.write("p/d/e/b", "2");
    await desk.write("other", "old");
    const at = await desk.head();
    chmodSync(desk.at("p"), 0o700);
    await desk.computer.capture();
    const later = await desk.head();
    done(await desk.computer.remove("workspace/p"));
    await desk.write("other", "new");
    done(await desk.computer.restore("workspace/p/d", at));
    expect(desk.disk()).toMatchObject({
      "workspace/other": fileText("new"),
      "workspace/p/d/a": fileText("1"),
      "workspace/p/d/e/b": fileText("2"),
    });
    const restored = done(await desk.computer.restore("workspace/p", later));
    expect(desk.disk()["workspace/p"]).toBe(dirText(0o700));
    expect(await desk.tree()).toEqual(desk.disk());
    done(await desk.computer.undo({ seq: restored.seq }));
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("ACT-8: what came into the directory since is gone from it, and can be had back", async () => {
    const desk = await stage();
    await desk.write("d/a", "1");
    await desk.write("d/new", "2");
    const restored = done(await desk.computer.restore("workspace/d", 2));
    expect(Object.keys(desk.disk())).toEqual(["workspace/d", "workspace/d/a"]);
    done(await desk.computer.undo({ seq: restored.seq }));
    expect(Object.keys(desk.disk())).toEqual(["workspace/d", "workspace/d/a", "workspace/d/new"]);
  });

  test("ACT-10: what wasn't there, already is so, or has a file in its way, is refused", async () => {
    const desk = await stage();
    await desk.write("d/a", "1");
    const { computer } = desk;
    expect(await computer.restore("workspace/no", 2)).toMatchObject({ reason: "missing" });
    expect(await computer.restore("workspace/d/a", 1)).toMatchObject({ reason: "missing" });
    expect(await computer.restore("workspace/d/a", 2)).toMatchObject({ reason: "nothing" });
    done(await computer.remove("workspace/d"));
    await desk.write("d", "in the way");
    expect(await computer.restore("workspace/d/a", 2)).toMatchObject({ ok: false, reason: "invalid" });
    expect(desk.disk()).toEqual({ "workspace/d": fileText("in the way") });
  });
});
