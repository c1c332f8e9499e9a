import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test, vi } from "vitest";
import { computerStage, type Desk, done } from "./testing/computer-stage.ts";
import { leftOver } from "./testing/left-over.ts";
import { dirText, fileText } from "./testing/trees.ts";

const stage = computerStage();
const WAIT = { timeout: 10_000, interval: 20 };

describe("actions", () => {
  test("COMP-1: an action is one event, and when it is done log, state and folder are alike", async () => {
    const desk = await stage();
    const { seq } = await desk.write("a/b/notes.md", "hello\n");
    expect(seq).toBe(2);
    expect(await desk.head()).toBe(seq);
    expect(await desk.tree()).toEqual(desk.disk());
    expect(desk.disk()).toEqual({
      "workspace/a": dirText(),
      "workspace/a/b": dirText(),
      "workspace/a/b/notes.md": fileText("hello\n"),
    });
  });

  test("COMP-2: many at once are each decided on what the one before left", async () => {
    const desk = await stage();
    const { computer } = desk;
    const writes = Array.from({ length: 10 }, (_, i) => computer.write(`workspace/d/${i}`, Buffer.from(`${i}`)));
    expect((await Promise.all(writes)).map((outcome) => outcome.ok && outcome.changed).sort()).toEqual([
      ...Array(9).fill(1),
      2, // the first made the directory
    ]);
    const rest = await Promise.all([computer.move("workspace/d", "workspace/e"), computer.remove("workspace/d")]);
    expect(rest.map(({ ok }) => ok)).toEqual([true, false]);
    expect(Object.keys(desk.disk())).toHaveLength(11);
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("ACT-9: an id that is in the log is answered as it was, whatever the action, also after a restart", async () => {
    const desk = await stage();
    await desk.write("a", "1");
    const acts: ((on: Desk) => Promise<unknown>)[] = [
      (on) => on.computer.write("workspace/w", Buffer.from("w"), { id: "w" }),
      (on) => on.computer.move("workspace/a", "workspace/b", { id: "m" }),
      (on) => on.computer.undo({ seq: 4 }, { id: "u" }),
      (on) => on.computer.remove("workspace/a", { id: "r" }),
      (on) => on.computer.restore("workspace/a", 2, { id: "s" }),
    ];
    const first: unknown[] = [];
    for (const act of acts) first.push(await act(desk));
    const [head, disk] = [await desk.head(), desk.disk()];
    const expected = first.map((outcome) => ({
      ...(outcome as object),
      notes: ["this had been done before, and was not done again"],
    }));
    for (const [i, act] of acts.entries()) expect(await act(desk)).toEqual(expected[i]);
    const again = await desk.reopen();
    for (const [i, act] of acts.entries()) expect(await act(again)).toEqual(expected[i]);
    expect(await again.head()).toBe(head);
    expect(again.disk()).toEqual(disk);
  });
});

test("ACT-9: an id that another action has is refused, whichever it is, and nothing is done", async () => {
  const desk = await stage();
  for (const name of ["a", "b"]) await desk.write(name, "1");
  expect((await desk.computer.remove("workspace/a", { id: "x", cause: { call: "x" } })).ok).toBe(true);
  const [head, disk] = [await desk.head(), desk.disk()];
  const { log } = desk.computer;
  const [first] = await Array.fromAsync(log.read({ to: 1 }));
  const acts = [
    desk.computer.remove("workspace/b", { id: "x" }),
    desk.computer.restore("workspace/a", 2, { id: "x" }),
    desk.computer.undo({ seq: 3 }, { id: "x" }),
    desk.computer.changeSettings(new Map([["s", 1]]), { id: "x" }),
    desk.computer.remove("workspace/b", { id: first?.id ?? "" }),
  ];
  for (const outcome of await Promise.all(acts))
    expect(outcome).toMatchObject({ ok: false, reason: "invalid", message: /another action's, of event \d+/ });
  expect([await desk.head(), desk.disk()]).toEqual([head, disk]);
});

test("ACT-9: two tries at once are one action, and both hear of it", async () => {
  const desk = await stage();
  await desk.write("a", "1");
  const tries = [1, 2, 3].map(() => desk.computer.remove("workspace/a", { id: "once" }));
  expect((await Promise.all(tries)).map((outcome) => outcome.ok && outcome.seq)).toEqual([3, 3, 3]);
  expect(await desk.head()).toBe(3);
});

describe("cut off", () => {
  test("COMP-3: what is in the log and not in the folder lands with the next opening", async () => {
    const desk = await stage();
    await desk.write("changed", "1");
    await desk.write("d/deleted", "2");
    const seq = await desk.cutOff({ changed: "one", "d/deleted": null, new: "3" });
    expect(desk.disk()).toMatchObject({ "workspace/changed": fileText("1") });
    const again = await desk.reopen();
    expect(await again.head()).toBe(seq);
    expect(again.disk()).toEqual({
      "workspace/changed": fileText("one"),
      "workspace/d": dirText(),
      "workspace/new": fileText("3"),
    });
    const third = await again.reopen();
    expect(await third.head()).toBe(seq);
    expect(third.disk()).toEqual(again.disk());
  });

  test("COMP-3: a content without its event never happened", async () => {
    const desk = await stage();
    await desk.computer.contents.put(Buffer.from("stored, and then the lights went out"));
    const again = await desk.reopen();
    expect(await again.head()).toBe(1);
    expect(again.disk()).toEqual({});
  });

  test("COMP-3: what a landing left half done is removed, and no event", async () => {
    const desk = await stage();
    await desk.write("a", "1");
    const half = leftOver(desk.root);
    const again = await desk.reopen({ meanwhile: () => desk.outside(half, "hal") });
    expect(existsSync(again.at(half))).toBe(false);
    expect(await again.head()).toBe(2);
  });

  test("COMP-7: what the log had is ours, however many versions ago", async () => {
    const desk = await stage();
    for (let i = 0; i <= 101; i++) await desk.write("x", `${i}`);
    const again = await desk.reopen({
      meanwhile: () => {
        for (const end of ["", "-wal", "-shm"]) rmSync(join(desk.root, `.choir/seen.sqlite${end}`), { force: true });
        desk.outside("x", "0");
      },
    });
    expect(again.disk()).toEqual({ "workspace/x": fileText("101") });
    expect(await again.head()).toBe(103);
  });

  test("COMP-7: without the cache of what was seen, what the log had is ours, and anything else is somebody's work", async () => {
    const desk = await stage();
    await desk.write("old", "1");
    await desk.write("mine", "1");
    await desk.cutOff({ old: "2" });
    const again = await desk.reopen({
      meanwhile: () => {
        for (const end of ["", "-wal", "-shm"]) rmSync(join(desk.root, `.choir/seen.sqlite${end}`), { force: true });
        desk.outside("mine", "theirs");
        desk.outside("new", "theirs too");
      },
    });
    expect(again.disk()).toEqual({
      "workspace/mine": fileText("theirs"),
      "workspace/new": fileText("theirs too"),
      "workspace/old": fileText("2"),
    });
    expect(await again.tree()).toEqual(again.disk());
  });

  test("COMP-4: what others did while it was closed is one event before anybody acts", async () => {
    const desk = await stage();
    await desk.write("a", "1");
    await desk.write("b/c", "2");
    const again = await desk.reopen({
      meanwhile: () => {
        desk.outside("a", "one");
        rmSync(desk.at("b"), { recursive: true });
        desk.outside("d/e", "3");
      },
    });
    const [last] = (await again.events()).slice(-1);
    expect(last).toMatchObject({ seq: 4, type: "files.changed", source: "system", payload: { by: "outside" } });
    done(await again.computer.undo({ seq: 4 }));
    expect(again.disk()).toMatchObject({ "workspace/a": fileText("1"), "workspace/b/c": fileText("2") });
  });
});

describe("a path that can't be written", () => {
  test("COMP-5: is named, holds up nothing else, and lands by itself once it can", async () => {
    const desk = await stage();
    const { hash } = await desk.computer.contents.put(Buffer.from("lost for a while"));
    await desk.cutOff({ x: "lost for a while", y: "2" });
    await desk.computer.contents.drop(hash);
    const again = await desk.reopen();
    const blocked = [{ key: "workspace/x", why: "its content is not there any more" }];
    expect(again.computer.blocked()).toEqual(blocked);
    expect(again.disk()).toEqual({ "workspace/y": fileText("2") });
    expect(await again.write("z", "3")).toMatchObject({ blocked: [] });
    expect(await again.computer.verify()).toMatchObject({
      ok: false,
      folder: { problems: ["workspace/x is missing in the folder: its content is not there any more"] },
    });
    await again.computer.contents.put(Buffer.from("lost for a while"));
    await vi.waitFor(() => expect(again.computer.blocked()).toEqual([]), WAIT);
    expect(again.disk()["workspace/x"]).toBe(fileText("lost for a while"));
  });

  test("COMP-5: something that can't be kept is in its place: it is left alone, and the path is blocked until it is gone", async () => {
    const desk = await stage();
    spawnSync("mkfifo", [desk.at("x")]);
    const written = await desk.write("x", "1");
    expect(written.blocked.map(({ key }) => key)).toEqual(["workspace/x"]);
    expect(desk.disk()).toEqual({ "workspace/x": "odd" });
    expect(await desk.text("x")).toBe("1");
    rmSync(desk.at("x"));
    await vi.waitFor(() => expect(desk.computer.blocked()).toEqual([]), WAIT);
    expect(desk.disk()).toEqual({ "workspace/x": fileText("1") });
  });

  test("COMP-5: a blocked path that somebody else brings to what it should be is blocked no more", async () => {
    const desk = await stage();
    spawnSync("mkfifo", [desk.at("x")]);
    await desk.write("x", "1");
    rmSync(desk.at("x"));
    desk.outside("x", "1");
    await desk.computer.capture();
    expect(desk.computer.blocked()).toEqual([]);
  });
});

describe("reading", () => {
  test("COMP-8: the tree, an entry and its bytes as of any moment", async () => {
    const desk = await stage();
    await desk.write("a", "1");
    await desk.write("d/b", "2");
    await desk.write("a", "one");
    done(await desk.computer.remove("workspace/d"));
    expect(await desk.tree(1)).toEqual({});
    expect(await desk.tree(3)).toEqual({
      "workspace/a": fileText("1"),
      "workspace/d": dirText(),
      "workspace/d/b": fileText("2"),
    });
    expect(await desk.text("a", 3)).toBe("1");
    expect(await desk.text("a")).toBe("one");
    expect(await desk.text("d/b")).toBeUndefined();
    expect(await desk.text("d", 3)).toBe("");
    const under = await Array.fromAsync(desk.computer.files({ at: 3, under: "workspace/d" }));
    expect(under.flat().map(({ key, seq }) => [key, seq])).toEqual([["workspace/d/b", 3]]);
  });

  test("COMP-8: a moment that hasn't been is refused", async () => {
    const { computer } = await stage();
    await expect(computer.read("workspace/a", 2)).rejects.toThrow("there is no moment 2 yet");
    await expect(Array.fromAsync(computer.files({ at: 9 }))).rejects.toThrow("there is no moment 9 yet");
    await expect(Array.fromAsync(computer.diff(1, 7))).rejects.toThrow("there is no moment 7 yet");
    expect(await computer.restore("workspace/a", 5)).toMatchObject({ ok: false, reason: "missing" });
    expect(await computer.undo({ since: 5 })).toMatchObject({ ok: false, reason: "missing" });
    expect(await computer.undo({ seq: 5 })).toMatchObject({ ok: false, reason: "missing" });
  });

  test("COMP-8: a path's history says who made each version, how and why, the newest first", async () => {
    const desk = await stage();
    await desk.write("a", "1", { source: "agent", cause: { task: "t1", call: "c1" } });
    desk.outside("a", "2");
    await desk.computer.capture();
    done(await desk.computer.remove("workspace/a"));
    const versions = await Array.fromAsync(desk.computer.history("workspace/a"));
    expect(
      versions.map(({ seq, until, type, source, by, entry }) => [seq, until, type, source, by, entry?.kind]),
    ).toEqual([
      [4, null, "file.delete", "user", undefined, undefined],
      [3, 4, "files.changed", "system", "outside", "file"],
      [2, 3, "file.write", "agent", undefined, "file"],
    ]);
    expect(versions.at(-1)?.cause).toEqual({ task: "t1", call: "c1" });
  });

  test("COMP-8: history goes on past a page, and the difference of two moments is net", async () => {
    const desk = await stage();
    for (let i = 0; i < 105; i++) await desk.write("a", `${i}`);
    expect((await Array.fromAsync(desk.computer.history("workspace/a"))).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 105 }, (_, i) => 106 - i),
    );
    const changes = (await Array.fromAsync(desk.computer.diff(2, 50))).flat();
    expect(changes).toMatchObject([{ key: "workspace/a", before: { size: 1 }, after: { size: 2 } }]);
    expect((await Array.fromAsync(desk.computer.diff(50, 50))).flat()).toEqual([]);
  });

  test("COMP-15: what looks like a secret is kept, and marked in the tree", async () => {
    const desk = await stage();
    await desk.write(".env", "KEY=1");
    await desk.write("notes.md", "hello");
    const lines = (await Array.fromAsync(desk.computer.files())).flat();
    expect(lines.map(({ key, secret }) => [key, secret])).toEqual([
      ["workspace/.env", true],
      ["workspace/notes.md", false],
    ]);
  });
});

describe("verify and rebuild", () => {
  test("COMP-9: each difference is named, and nothing is changed by looking", async () => {
    const desk = await stage();
    for (const name of ["a", "b", "c"]) await desk.write(name, name);
    expect(await desk.computer.verify()).toMatchObject({ ok: true, folder: { paths: 3, problems: [] } });
    desk.outside("a", "other");
    rmSync(desk.at("b"));
    desk.outside("new", "x");
    const disk = desk.disk();
    const report = await desk.computer.verify();
    expect(report.folder.problems).toEqual([
      "workspace/a is something else in the folder than in the log",
      "workspace/b is missing in the folder",
      "workspace/new is in the folder, and not in the state",
    ]);
    expect(await desk.head()).toBe(4);
    expect(desk.disk()).toEqual(disk);
    await desk.computer.capture();
    expect(await desk.computer.verify()).toMatchObject({ ok: true });
  });

  test("COMP-9, CAP-10: a state that isn't what the log says takes nothing from the folder, is found, named and mended", async () => {
    const desk = await stage();
    await desk.write("a", "1");
    await desk.write("b", "2");
    const hash = await desk.computer.stateHash();
    const again = await desk.reopen({
      meanwhile: () => {
        const db = new DatabaseSync(join(desk.root, ".choir/state.sqlite"));
        db.exec("DELETE FROM now WHERE key = 'workspace/a'");
        db.close();
      },
    });
    expect(again.disk()["workspace/a"], "CAP-10: nothing is taken from the folder on the state's word").toBe(
      fileText("1"),
    );
    const report = await again.computer.verify();
    expect(report).toMatchObject({ ok: false, state: { ok: false } });
    expect(report.state.problems).toContain("workspace/a is in the log, and not in the state");
    expect(report.folder.problems).toContain("workspace/a is in the folder, and not in the state");
    expect(await again.computer.rebuild()).toEqual({ events: 3, hash });
    expect(await again.tree()).toEqual(again.disk());
    expect(again.disk()["workspace/a"]).toBe(fileText("1"));
  });

  test.each(["verify", "rebuild"] as const)("COMP-19: others write while a %s replays the log", async (work) => {
    const desk = await stage();
    for (const name of ["a", "b", "c"]) await desk.write(name, name);
    const { log } = desk.computer;
    const read = log.read.bind(log);
    // The log gives nothing out to whoever reads it first before somebody's write is done.
    const reading = vi.spyOn(log, "read").mockImplementationOnce(async function* (query) {
      await desk.write("b", "meanwhile");
      yield* read(query);
    });
    const done = await desk.computer[work]();
    expect(reading).toHaveBeenCalled();
    expect(work === "rebuild" ? done : { events: 5 }).toMatchObject({ events: 5 });
    expect(await desk.head()).toBe(5);
    expect(await desk.tree()).toEqual(desk.disk());
    expect(await desk.computer.verify()).toMatchObject({ ok: true });
  });

  test("COMP-10: rebuild comes to the same hash, and everything goes on afterwards", async () => {
    const desk = await stage();
    await desk.write("a/b", "1");
    done(await desk.computer.move("workspace/a", "workspace/c"));
    const hash = await desk.computer.stateHash();
    expect(await desk.computer.rebuild()).toEqual({ events: 3, hash });
    await desk.write("c/d", "2");
    expect(await desk.tree()).toEqual(desk.disk());
    expect(await desk.computer.verify()).toMatchObject({ ok: true });
  });
});

describe("opening and closing", () => {
  test("COMP-16: a closed computer refuses whatever is asked of it", async () => {
    const desk = await stage();
    const { computer } = desk;
    await desk.close();
    await expect(computer.capture()).rejects.toThrow("closed");
    await expect(computer.verify()).rejects.toThrow("closed");
    await expect(computer.write("workspace/a", Buffer.from("1"))).rejects.toThrow("closed");
    await expect(computer.read("workspace/a")).rejects.toThrow("closed");
    await expect(computer.close()).resolves.toBeUndefined();
  });

  test("COMP-16: closing waits for what is under way", async () => {
    const desk = await stage();
    const writing = desk.computer.write("workspace/a", Buffer.from("1"));
    await desk.close();
    expect(await writing).toMatchObject({ ok: true, blocked: [] });
    expect(readFileSync(desk.at("a"), "utf8")).toBe("1");
  });

  test("COMP-16: opened without a capture, the folder is left as it is", async () => {
    const desk = await stage();
    await desk.cutOff({ a: "1" });
    const again = await desk.reopen({ capture: false, meanwhile: () => writeFileSync(desk.at("b"), "2") });
    expect(await again.head()).toBe(2);
    expect(again.disk()).toEqual({ "workspace/b": fileText("2") });
    const third = await again.reopen({ capture: true });
    expect(third.disk()).toEqual({ "workspace/a": fileText("1"), "workspace/b": fileText("2") });
    expect(await third.tree()).toEqual(third.disk());
  });
});
