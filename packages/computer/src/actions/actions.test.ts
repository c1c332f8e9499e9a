import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import type { Entry } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import { computerStage, type Desk, done } from "../testing/computer-stage.ts";
import { expectRefused } from "../testing/expect-refused.ts";
import { dirText, fileText } from "../testing/trees.ts";

const stage = computerStage();
const bytes = (text: string) => Buffer.from(text);
const hashOf = async (desk: Desk, name: string, at?: number): Promise<string> => {
  const entry: Entry | undefined = (await desk.computer.read(`workspace/${name}`, at))?.entry;
  if (entry === undefined || entry.kind === "dir") throw new Error(`${name} is no file`);
  return entry.hash;
};

describe("write", () => {
  test("ACT-1: the directories above it are made in the same event", async () => {
    const desk = await stage();
    const written = await desk.write("a/b/c.txt", "1");
    expect(written).toMatchObject({ seq: 2, changed: 3, blocked: [], notes: [] });
    expect(desk.disk()).toEqual({
      "workspace/a": dirText(),
      "workspace/a/b": dirText(),
      "workspace/a/b/c.txt": fileText("1"),
    });
  });

  test("ACT-1: the mode stays where none is given, and setuid is never kept", async () => {
    const desk = await stage();
    await desk.write("run", "1", { mode: 0o4755 });
    expect(desk.disk()["workspace/run"]).toBe(fileText("1", 0o755));
    await desk.write("run", "2");
    expect(desk.disk()["workspace/run"]).toBe(fileText("2", 0o755));
  });

  test("ACT-1: a stream is written as it comes, and one that breaks off leaves nothing", async () => {
    const desk = await stage();
    async function* parts() {
      for (let i = 0; i < 5; i++) yield Buffer.alloc(50_000, i);
    }
    await desk.computer.write("workspace/large", parts());
    expect((await desk.computer.read("workspace/large"))?.entry).toMatchObject({ size: 250_000 });
    async function* broken() {
      yield bytes("half");
      throw new Error("the line broke");
    }
    await expect(desk.computer.write("workspace/large", broken())).rejects.toThrow("the line broke");
    expect((await desk.computer.read("workspace/large"))?.entry).toMatchObject({ size: 250_000 });
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("ACT-25: whoever writes is asked for leave with what is about to change, and refused it changes nothing", async () => {
    const desk = await stage();
    await desk.write("d/x", "1");
    const mayLand = async (changes: readonly unknown[]) =>
      changes.length > 1 ? `${changes.length} are too many` : undefined;
    await expectRefused(desk, () => desk.computer.write("workspace/new/x", bytes("2"), { mayLand }), {
      reason: "limit",
      message: "2 are too many",
    });
    await expectRefused(desk, () => desk.computer.remove("workspace/d", { mayLand }), { reason: "limit" });
    done(await desk.computer.write("workspace/d/x", bytes("2"), { mayLand }));
    expect(desk.disk()["workspace/d/x"]).toBe(fileText("2"));
  });

  test("ACT-10: onto a directory, or into a file, nothing can be written", async () => {
    const desk = await stage();
    await desk.write("d/x", "1");
    await expectRefused(desk, () => desk.computer.write("workspace/d", bytes("2")), {
      reason: "invalid",
      message: "d is a directory: write to a file in it",
    });
    await expectRefused(desk, () => desk.computer.write("workspace/d/x/y", bytes("2")), {
      message: "d/x is a file, and nothing can be in it",
    });
  });

  test("COMP-1: what others did at the path becomes an event of its own, before the write", async () => {
    const desk = await stage();
    await desk.write("d/x", "1");
    desk.outside("d/x", "theirs");
    const { seq } = await desk.write("d/x", "ours");
    expect(await desk.text("d/x", seq - 1)).toBe("theirs");
    expect((await desk.events()).map(({ type }) => type).slice(-2)).toEqual(["files.changed", "file.write"]);
    done(await desk.computer.undo({ seq }));
    expect(await desk.text("d/x")).toBe("theirs");
  });

  test("COMP-1: where others took the directory away, it is made again", async () => {
    const desk = await stage();
    await desk.write("d/e/x", "1");
    rmSync(desk.at("d"), { recursive: true });
    expect(await desk.write("d/e/y", "2")).toMatchObject({ blocked: [] });
    expect(desk.disk()).toMatchObject({ "workspace/d/e/y": fileText("2") });
    expect(await desk.tree()).toEqual(desk.disk());
  });
});

describe("write with what the writer had read", () => {
  const base = "1\n2\n3\n4\n5\n6\n";

  test("ACT-2: where it still stands, the write is like any other", async () => {
    const desk = await stage();
    await desk.write("x.md", base);
    const base0 = await hashOf(desk, "x.md");
    expect(await desk.write("x.md", "new", { base: base0 })).toMatchObject({ notes: [] });
    expect(await desk.text("x.md")).toBe("new");
  });

  test("ACT-2: changes of different lines are put together", async () => {
    const desk = await stage();
    await desk.write("x.md", base);
    const read = await hashOf(desk, "x.md");
    await desk.write("x.md", "first\n2\n3\n4\n5\n6\n");
    const second = await desk.write("x.md", "1\n2\n3\n4\n5\nsecond\n", { base: read });
    expect(second.notes.join()).toContain("both changes were put together");
    expect(await desk.text("x.md")).toBe("first\n2\n3\n4\n5\nsecond\n");
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("ACT-2: changes of the same lines are both kept", async () => {
    const desk = await stage();
    await desk.write("x.md", base);
    const read = await hashOf(desk, "x.md");
    await desk.write("x.md", "first");
    for (const text of ["second", "third"]) await desk.write("x.md", text, { base: read });
    expect(desk.disk()).toEqual({
      "workspace/x.md": fileText("first"),
      "workspace/x (other version).md": fileText("second"),
      "workspace/x (other version 2).md": fileText("third"),
    });
  });

  test("ACT-2: a writer who wants nothing beside is refused where it can't be one, or what was read is gone", async () => {
    const desk = await stage();
    await desk.write("x.md", base);
    const read = await hashOf(desk, "x.md");
    const write = (text: string) =>
      desk.computer.write("workspace/x.md", Buffer.from(text), { base: read, beside: false });
    await desk.write("x.md", "first\n2\n3\n4\n5\n6\n");
    expect(await write("1\n2\n3\n4\n5\nsecond\n")).toMatchObject({ ok: true });
    expect(await write("third\n2\n3\n4\n5\n6\n")).toMatchObject({ ok: false, reason: "conflict" });
    expect(desk.disk()).toEqual({ "workspace/x.md": fileText("first\n2\n3\n4\n5\nsecond\n") });
    rmSync(desk.at("x.md"));
    expect(await write("third")).toMatchObject({ ok: false, reason: "conflict" });
    expect(desk.disk()).toEqual({});
  });

  test("ACT-2: a writer who saw nothing there doesn't write over what somebody else made meanwhile", async () => {
    const desk = await stage();
    desk.outside("x.md", "theirs");
    const written = await desk.write("x.md", "ours", { base: null });
    expect(written.notes.join()).toContain("what was written is in x (other version).md");
    expect(await desk.text("x.md")).toBe("theirs");
    expect(await desk.text("x (other version).md")).toBe("ours");
  });

  test("ACT-2: a base that nobody knows, or whose bytes are gone, is a conflict like any other", async () => {
    const desk = await stage();
    await desk.write("x.md", "stands");
    await desk.write("x.md", "ours", { base: "ab".repeat(32) });
    expect(await desk.text("x.md")).toBe("stands");
    expect(await desk.text("x (other version).md")).toBe("ours");
  });

  test("ACT-2: what was deleted meanwhile is written again", async () => {
    const desk = await stage();
    await desk.write("x.md", base);
    const read = await hashOf(desk, "x.md");
    rmSync(desk.at("x.md"));
    await desk.write("x.md", "ours", { base: read });
    expect(await desk.text("x.md")).toBe("ours");
  });
});

describe("remove and move", () => {
  test("ACT-3: a directory goes with everything in it, as one event, and comes back whole", async () => {
    const desk = await stage();
    await desk.write("d/run", "1", { mode: 0o755 });
    mkdirSync(desk.at("d/empty"));
    chmodSync(desk.at("d/empty"), 0o700);
    symlinkSync("run", desk.at("d/link"));
    desk.outside("d/late", "not captured yet");
    const before = desk.disk();
    const removed = done(await desk.computer.remove("workspace/d"));
    expect(removed.changed).toBe(5);
    expect(desk.disk()).toEqual({});
    done(await desk.computer.undo({ call: removed.call }));
    expect(desk.disk()).toEqual(before);
    expect(await desk.tree()).toEqual(before);
  });

  test("ACT-3: whoever says what they had read removes that and nothing else, be it that somebody outside was quicker", async () => {
    const desk = await stage();
    await desk.write("d/a", "one");
    const base = await hashOf(desk, "d/a");
    desk.outside("d/a", "two");
    const { computer } = desk;
    expect(await computer.remove("workspace/d/a", { base })).toMatchObject({ ok: false, reason: "conflict" });
    expect(await computer.remove("workspace/d", { base })).toMatchObject({ ok: false, reason: "conflict" });
    expect(desk.disk()).toMatchObject({ "workspace/d/a": fileText("two") });
    desk.outside("d/a", "one");
    done(await computer.remove("workspace/d/a", { base }));
    expect(await desk.tree()).toEqual({ "workspace/d": dirText() });
  });

  test("CAP-7: what is ignored stays when its directory is removed, and moves along when it is moved", async () => {
    const desk = await stage();
    await desk.write("app/main.js", "1");
    desk.outside("app/node_modules/dep/index.js", "fetched");
    done(await desk.computer.move("workspace/app", "workspace/moved"));
    expect(desk.disk()).toMatchObject({ "workspace/moved/node_modules/dep/index.js": fileText("fetched") });
    expect(existsSync(desk.at("app"))).toBe(false);
    done(await desk.computer.remove("workspace/moved"));
    expect(existsSync(desk.at("moved/main.js"))).toBe(false);
    expect(desk.disk()).toMatchObject({ "workspace/moved/node_modules/dep/index.js": fileText("fetched") });
    expect(await desk.tree()).toEqual({});
    expect(await desk.computer.capture()).toMatchObject({ seq: null });
  });

  test("ACT-4: a move is exact in both places, and taken back in both", async () => {
    const desk = await stage();
    await desk.write("a/x", "1", { mode: 0o600 });
    await desk.write("a/deep/y", "2");
    const before = desk.disk();
    const moved = done(await desk.computer.move("workspace/a", "artifacts/new/place"));
    expect(desk.disk()).toEqual({
      "artifacts/new": dirText(),
      "artifacts/new/place": dirText(),
      "artifacts/new/place/deep": dirText(),
      "artifacts/new/place/deep/y": fileText("2"),
      "artifacts/new/place/x": fileText("1", 0o600),
    });
    expect((await desk.events()).at(-1)).toMatchObject({
      type: "dir.move",
      payload: { from: "workspace/a", to: "artifacts/new/place" },
    });
    done(await desk.computer.undo({ seq: moved.seq }));
    expect(desk.disk()).toEqual(before);
  });

  test("ACT-10: what isn't there can't be removed or moved, and nothing is moved onto something or into itself", async () => {
    const desk = await stage();
    await desk.write("a/x", "1");
    await desk.write("b", "2");
    const { computer } = desk;
    await expectRefused(desk, () => computer.remove("workspace/no"), {
      reason: "missing",
      message: "there is nothing at no",
    });
    await expectRefused(desk, () => computer.move("workspace/no", "workspace/c"), { reason: "missing" });
    await expectRefused(desk, () => computer.move("workspace/a", "workspace/b"), { reason: "invalid" });
    await expectRefused(desk, () => computer.move("workspace/a", "workspace/a/in"), {
      message: "a can't be moved into itself",
    });
    await expectRefused(desk, () => computer.move("workspace/b", "workspace/b"), { reason: "invalid" });
    await expectRefused(desk, () => computer.move("workspace/a", "workspace/b/c"), {
      message: "b is a file, and nothing can be in it",
    });
  });
});
