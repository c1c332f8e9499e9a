import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { computerStage, type Desk, done } from "./testing/computer-stage.ts";
import { dirText, fileText } from "./testing/trees.ts";

const stage = computerStage();
const WAIT = { timeout: 10_000, interval: 20 };

/** The log has what the folder has, without anybody asking for it. */
async function caughtUp(desk: Desk): Promise<void> {
  await vi.waitFor(async () => expect(await desk.tree()).toEqual(desk.disk()), WAIT);
  expect(desk.trouble).toEqual([]);
}

function sizeBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=ada", "-c", "user.email=ada@example.org", ...args], { cwd, stdio: "pipe" });

describe("while it watches", () => {
  test("CAP-6: an edit, an append and a new file are taken up by themselves", async () => {
    const desk = await stage({ watch: true });
    await desk.write("a", "1");
    desk.outside("a", "one");
    await caughtUp(desk);
    appendFileSync(desk.at("a"), " and more");
    desk.outside("new", "2");
    await caughtUp(desk);
    expect(await desk.text("a")).toBe("one and more");
    const types = new Set((await desk.events()).slice(2).map(({ type, source }) => `${source} ${type}`));
    expect([...types]).toEqual(["system files.changed"]);
  });

  test("CAP-6: mkdir -p with a file at its end, and rm -rf of it, are taken up whole", async () => {
    const desk = await stage({ watch: true });
    desk.outside("a/b/c/d/e.txt", "deep");
    await caughtUp(desk);
    expect(await desk.text("a/b/c/d/e.txt")).toBe("deep");
    rmSync(desk.at("a"), { recursive: true });
    await caughtUp(desk);
    expect(await desk.tree()).toEqual({});
  });

  test("CAP-6: an editor that writes beside and renames makes one version, not a deletion", async () => {
    const desk = await stage({ watch: true });
    await desk.write("notes.md", "1", { mode: 0o600 });
    writeFileSync(desk.at(".notes.md.tmp"), "2");
    renameSync(desk.at(".notes.md.tmp"), desk.at("notes.md"));
    await caughtUp(desk);
    const versions = await Array.fromAsync(desk.computer.history("workspace/notes.md"));
    expect(versions.map(({ entry }) => entry?.kind)).toEqual(["file", "file"]);
  });

  test("CAP-6: a renamed directory is in its new place with all that is in it, and can be had back", async () => {
    const desk = await stage({ watch: true });
    await desk.write("old/a", "1");
    await desk.write("old/deep/b", "2");
    const before = desk.disk();
    renameSync(desk.at("old"), desk.at("new"));
    await caughtUp(desk);
    expect(desk.disk()).toHaveProperty("workspace/new/deep/b");
    done(await desk.computer.undo({ since: 3 }));
    expect(desk.disk()).toEqual(before);
  });

  test("CAP-6: a checkout in a nested repository is taken up, its .git too, and really undone", async () => {
    const desk = await stage({ watch: true });
    mkdirSync(desk.at("repo"));
    git(desk.at("repo"), "init", "-q", "-b", "main");
    desk.outside("repo/file", "one");
    git(desk.at("repo"), "add", ".");
    git(desk.at("repo"), "commit", "-qm", "one");
    git(desk.at("repo"), "checkout", "-qb", "side");
    desk.outside("repo/file", "two");
    git(desk.at("repo"), "commit", "-qam", "two");
    await caughtUp(desk);
    await desk.computer.capture();
    const head = await desk.head();
    const side = desk.disk();
    git(desk.at("repo"), "checkout", "-q", "main");
    await caughtUp(desk);
    expect(await desk.text("repo/file")).toBe("one");
    expect(await desk.text("repo/.git/HEAD")).toBe("ref: refs/heads/main\n");
    done(await desk.computer.undo({ since: head }));
    expect(desk.disk()).toEqual(side);
    expect(String(git(desk.at("repo"), "status", "--porcelain", "--branch"))).toBe("## side\n");
  });

  test("CAP-3: our own writes, moves and undos make no echo, however much is going on", async () => {
    const desk = await stage({ watch: true });
    for (let i = 0; i < 10; i++) await desk.write(`d/${i}`, `${i}`);
    done(await desk.computer.move("workspace/d", "workspace/e"));
    done(await desk.computer.undo({ since: 5 }));
    const head = await desk.head();
    expect(head).toBe(13);
    desk.outside("last", "the watcher has told all that came before");
    await caughtUp(desk);
    expect((await desk.events()).slice(head).map(({ payload }) => payload)).toMatchObject([
      { changes: [{ path: "workspace/last" }] },
    ]);
  });

  test("CAP-6: others and we write side by side, and every file is there in the end", async () => {
    const desk = await stage({ watch: true });
    const ours = Array.from({ length: 20 }, (_, i) => desk.write(`ours/${i}`, `${i}`));
    for (let i = 0; i < 20; i++) {
      desk.outside(`theirs/${i}`, `${i}`);
      await new Promise(setImmediate);
    }
    await Promise.all(ours);
    await caughtUp(desk);
    expect(Object.keys(desk.disk())).toHaveLength(42);
    expect(await desk.computer.verify()).toMatchObject({ ok: true });
  });
});

describe("what isn't taken up", () => {
  test("CAP-7: ignored things make no event, by the defaults and by .choirignore", async () => {
    const desk = await stage();
    desk.outside("node_modules/x/index.js", "1");
    desk.outside("dist/out.js", "2");
    expect(await desk.computer.capture()).toMatchObject({ seq: null });
    await desk.write(".choirignore", "*.tmp\n!dist/\n");
    desk.outside("a.tmp", "3");
    await desk.computer.capture();
    expect(Object.keys(await desk.tree())).toEqual([
      "workspace/.choirignore",
      "workspace/dist",
      "workspace/dist/out.js",
    ]);
    const rewound = done(await desk.computer.undo({ since: 1 }));
    expect(rewound.ok).toBe(true);
    expect(desk.disk()).toMatchObject({
      "workspace/a.tmp": fileText("3"),
      "workspace/node_modules/x/index.js": fileText("1"),
    });
  });

  test("CAP-7: what was kept before it was ignored goes on being kept", async () => {
    const desk = await stage();
    await desk.write("data.log", "1");
    await desk.write(".choirignore", "*.log\n");
    desk.outside("data.log", "2");
    await desk.computer.capture();
    expect(await desk.text("data.log")).toBe("2");
  });

  test("CAP-7: a write into an ignored directory is kept, and taken back without touching the rest of it", async () => {
    const desk = await stage();
    desk.outside("node_modules/dep/index.js", "fetched");
    const written = await desk.write("node_modules/dep/patch.js", "ours");
    expect(written).toMatchObject({ changed: 1, blocked: [] });
    desk.outside("node_modules/dep/index.js", "fetched anew");
    expect(await desk.computer.capture()).toMatchObject({ seq: null });
    done(await desk.computer.undo({ seq: written.seq }));
    expect(await desk.text("node_modules/dep/patch.js")).toBeUndefined();
    expect(desk.disk()).toMatchObject({ "workspace/node_modules/dep/index.js": fileText("fetched anew") });
    expect(desk.disk()).not.toHaveProperty("workspace/node_modules/dep/patch.js");
  });

  test("CAP-7: what is ignored and stands where something is written is captured before it is replaced", async () => {
    const desk = await stage();
    desk.outside("notes.swp", "an editor's");
    const { seq } = await desk.write("notes.swp", "ours");
    expect(await desk.text("notes.swp", seq - 1)).toBe("an editor's");
  });

  test("CAP-8: a FIFO that comes while it watches is named, though nobody asked", async () => {
    const told = Promise.withResolvers<string>();
    const desk = await stage({ watch: true, onNote: told.resolve });
    spawnSync("mkfifo", [desk.at("pipe")]);
    expect(await told.promise).toBe("pipe is a FIFO, which can't be kept");
  });

  test("CAP-12: a file that is written to while it is read is told as such, costs no room, and is kept once that ends", async () => {
    const desk = await stage();
    const { contents } = desk.computer;
    desk.outside("log", Buffer.alloc(3_000_000, "x"));
    const put = contents.put.bind(contents);
    const writing = vi.spyOn(contents, "put").mockImplementation(async (source) => {
      async function* disturbed() {
        for await (const piece of source as AsyncIterable<Uint8Array>) {
          yield piece;
          writeFileSync(desk.at("log"), Buffer.alloc(3_000_000, `${Math.random()}`)); // each time that somebody reads
        }
      }
      return put(disturbed());
    });
    const { notes, seq } = await desk.computer.capture();
    expect({ notes, seq }).toEqual({ notes: ["log is being written to, and is kept once that ends"], seq: null });
    expect(desk.computer.unkept()).toEqual([
      { key: "workspace/log", why: "is being written to, and is kept once that ends" },
    ]);
    expect(sizeBelow(join(desk.root, ".choir/contents"))).toBe(0);
    writing.mockRestore();
    expect(await desk.computer.capture()).toMatchObject({ changed: 1, notes: [] });
    expect(desk.computer.unkept()).toEqual([]);
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("CAP-12: a file that somebody only adds to is kept as it was when it was looked at, and then as it became", async () => {
    const desk = await stage();
    const { contents } = desk.computer;
    const line = "a line of a log that never rests\n";
    desk.outside("log", line.repeat(100_000));
    const put = contents.put.bind(contents);
    const writing = vi.spyOn(contents, "put").mockImplementation((source) => {
      async function* disturbed() {
        for await (const piece of source as AsyncIterable<Uint8Array>) {
          yield piece;
          appendFileSync(desk.at("log"), line);
        }
      }
      return put(disturbed());
    });
    const { seq } = await desk.computer.capture();
    writing.mockRestore();
    const kept = await desk.text("log", seq ?? 0);
    expect(kept).toBe(line.repeat(Math.round((kept?.length ?? 0) / line.length)));
    expect(kept?.length).toBeGreaterThanOrEqual(line.length * 100_000);
    expect(await desk.computer.capture()).toMatchObject({ changed: 1 });
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("CAP-8: what can't be kept is known as long as it stands, and told once while it watches", async () => {
    const notes: string[] = [];
    const desk = await stage({ watch: true, onNote: (note) => notes.push(note) });
    spawnSync("mkfifo", [desk.at("pipe")]);
    await desk.computer.capture();
    expect(desk.computer.unkept()).toEqual([{ key: "workspace/pipe", why: "is a FIFO, which can't be kept" }]);
    chmodSync(desk.at("pipe"), 0o600);
    desk.outside("beside", "1");
    await vi.waitFor(async () => expect(await desk.text("beside")).toBe("1"), WAIT);
    expect(new Set(notes).size).toBe(notes.length);
    rmSync(desk.at("pipe"));
    await desk.computer.capture();
    expect(desk.computer.unkept()).toEqual([]);
  });

  test("CAP-8: whoever acts on it, or on all, is told of it too", async () => {
    const desk = await stage();
    await desk.write("a", "1");
    const { seq } = await desk.write("a", "2");
    spawnSync("mkfifo", [desk.at("pipe")]);
    const told = "pipe is a FIFO, which can't be kept";
    expect((await desk.write("pipe", "ours")).notes).toContain(told);
    expect(await desk.computer.preview({ since: seq - 1 })).toMatchObject({ notes: expect.arrayContaining([told]) });
    expect(done(await desk.computer.undo({ since: seq - 1 })).notes).toContain(told);
  });

  test("CAP-2: what was looked at before others acted there doesn't count, though it came back to what it was", async () => {
    const desk = await stage();
    await desk.write("x", "A");
    desk.outside("x", "theirs");
    const { contents } = desk.computer;
    const put = contents.put.bind(contents);
    const keeping = vi.spyOn(contents, "put").mockImplementation(async (source) => {
      keeping.mockRestore();
      const kept = await put(source); // it was looked at; and now, before its turn:
      await desk.write("x", "B");
      await desk.write("x", "A");
      return kept;
    });
    const before = await desk.computer.capture();
    expect(before).toMatchObject({ seq: null, changed: 0 });
    expect((await Array.fromAsync(desk.computer.history("workspace/x"))).map(({ seq }) => seq)).toEqual([5, 4, 3, 2]);
    expect(await desk.text("x", 3)).toBe("theirs");
    expect(desk.disk()).toEqual({ "workspace/x": fileText("A") });
  });

  test("CAP-8: a FIFO is named, and what is beside it is kept", async () => {
    const desk = await stage();
    spawnSync("mkfifo", [desk.at("pipe")]);
    desk.outside("beside", "1");
    const { notes, changed } = await desk.computer.capture();
    expect(notes).toEqual(["pipe is a FIFO, which can't be kept"]);
    expect(changed).toBe(1);
    expect(await desk.tree()).toEqual({ "workspace/beside": fileText("1") });
  });

  test("CAP-8: a file that became a FIFO is gone from the tree, and comes back from history beside nothing", async () => {
    const desk = await stage();
    await desk.write("x", "1");
    rmSync(desk.at("x"));
    spawnSync("mkfifo", [desk.at("x")]);
    await desk.computer.capture();
    expect(await desk.tree()).toEqual({});
    expect(await desk.text("x", 2)).toBe("1");
    rmSync(desk.at("x"));
    done(await desk.computer.restore("workspace/x", 2));
    expect(desk.disk()).toEqual({ "workspace/x": fileText("1") });
  });

  test("CAP-2: only what was asked about is taken up", async () => {
    const desk = await stage();
    desk.outside("a/x", "1");
    desk.outside("b/y", "2");
    expect(await desk.computer.capture(["workspace/a"])).toMatchObject({ changed: 2 });
    expect(await desk.tree()).toEqual({ "workspace/a": dirText(), "workspace/a/x": fileText("1") });
  });

  test("CAP-9: five hundred new files are one event with a list, and undone as one", async () => {
    const desk = await stage();
    for (let i = 0; i < 500; i++) desk.outside(`many/${i}`, `${i}`);
    expect(await desk.computer.capture()).toMatchObject({ seq: 2, changed: 501 });
    expect((await desk.events()).at(-1)?.payload).toMatchObject({ by: "outside", count: 501 });
    done(await desk.computer.undo({ seq: 2 }));
    expect(desk.disk()).toEqual({});
  });
});
