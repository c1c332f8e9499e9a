import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Home } from "../home.ts";
import { serve } from "../testing/served-home.ts";
import { choir, choirBytes, tempHome } from "../testing/temp-home.ts";

keepThreads();

const lines = (text: string) => text.trimEnd().split("\n").filter(Boolean);
const rows = (text: string) => lines(text).map((line) => JSON.parse(line));

/** A home where `ada` is at work: on the folder alone, or through a running server. */
const WAYS: [way: string, open: () => Promise<Home>][] = [
  ["on the folder", async () => tempHome()],
  [
    "through a server",
    async () => {
      const home = tempHome();
      await serve(home);
      return home;
    },
  ],
];

async function run(home: Home, words: readonly string[], input?: string | Uint8Array) {
  const user = words.includes("--user") ? [] : ["--user", "ada"];
  const end = words.indexOf("--") === -1 ? words.length : words.indexOf("--");
  const line = [...words.slice(0, end), ...user, ...words.slice(end)];
  return choir(home, line, input === undefined ? {} : { input });
}

/** A command that must work, with its one object. */
async function done(home: Home, words: readonly string[], input?: string | Uint8Array) {
  const { exit, out, aside } = await run(home, [...words.slice(0, 1), "--json", ...words.slice(1)], input);
  expect({ exit, aside }).toEqual({ exit: 0, aside: "" });
  return JSON.parse(out);
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "choir-add-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe.each(WAYS)("%s", (_, open) => {
  test("what was written is on disk, in 'files', and comes back from 'cat' byte for byte", async () => {
    const home = await open();
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256);
    const wrote = await done(home, ["write", "deep/photo.bin", "--mode", "600"], bytes);
    expect(wrote).toMatchObject({ seq: 2, call: expect.stringMatching(/^[A-Za-z0-9_-]+$/), blocked: [], notes: [] });
    expect(readFileSync(join(home.rootOf("ada"), "workspace/deep/photo.bin")).equals(bytes)).toBe(true);

    const files = rows((await run(home, ["files", "--json"])).out);
    expect(files.map(({ path }) => path)).toEqual(["deep", "deep/photo.bin"]);
    expect(files[1]).toMatchObject({ seq: 2, secret: false, entry: { kind: "file", mode: 0o600, size: 300_000 } });

    const raw = await choirBytes(home, ["cat", "deep/photo.bin"]);
    expect({ exit: raw.exit, same: raw.out.equals(bytes) }).toEqual({ exit: 0, same: true });
    const json = await done(home, ["cat", "deep/photo.bin"]);
    expect(json).toMatchObject({ path: "deep/photo.bin", kind: "file", mode: 0o600, size: 300_000 });
    expect(Buffer.from(json.b64, "base64").equals(bytes)).toBe(true);
  });

  test("each action says which event and call it was, and the call takes it back", async () => {
    const home = await open();
    const wrote = await run(home, ["write", "a.txt"], "one\n");
    expect(wrote).toMatchObject({ exit: 0, aside: "" });
    const [, seq, call] = /^Wrote a\.txt: event (\d+), (call:\S+)\n$/.exec(wrote.out) ?? [];
    expect(seq).toBe("2");
    const undone = await run(home, ["undo", call ?? ""]);
    expect(undone).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^Took back call:\S+ \(1 path\): event 3, call:/),
    });
    expect((await run(home, ["files"])).out).toBe("");
    const { seq: redone } = await done(home, ["undo", "3"]);
    expect(redone).toBe(4);
    expect((await run(home, ["cat", "a.txt"])).out).toBe("one\n");
  });

  test("every earlier moment can be read: files, cat, history, diff", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "one\ntwo\n");
    await done(home, ["write", "a.txt"], "one\nTWO\n");
    await done(home, ["rm", "a.txt"]);
    expect((await run(home, ["cat", "a.txt", "--at", "2"])).out).toBe("one\ntwo\n");
    expect((await run(home, ["cat", "a.txt", "--at", "3"])).out).toBe("one\nTWO\n");
    expect(lines((await run(home, ["files", "--at", "3"])).out)).toEqual([
      expect.stringMatching(/^0\d{3} +8 B +3 {2}a\.txt$/),
    ]);
    expect((await run(home, ["files", "--at", "1"])).out).toBe("");

    const versions = rows((await run(home, ["history", "a.txt", "--json"])).out);
    expect(versions.map(({ seq, entry }) => [seq, entry?.size ?? null])).toEqual([
      [4, null],
      [3, 8],
      [2, 8],
    ]);
    expect(versions[1]).toMatchObject({ path: "a.txt", source: "user", cause: { call: expect.any(String) } });
    expect(lines((await run(home, ["history", "a.txt"])).out)[0]).toMatch(/^ {5}4 .* user .* gone {2}call:/);

    const diff = await run(home, ["diff", "2", "3"]);
    expect(diff).toMatchObject({ exit: 0, aside: "" });
    expect(diff.out).toContain("@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n");
    const changes = rows((await run(home, ["diff", "2", "--json"])).out);
    expect(changes).toEqual([{ path: "a.txt", before: expect.objectContaining({ size: 8 }), after: null }]);
    expect(await run(home, ["diff", "1", "4"])).toEqual({
      exit: 0,
      out: "",
      aside: "Nothing changed between event 1 and event 4.\n",
    });
  });

  test("a write on top of what somebody else wrote keeps both, or merges them, and says so", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "1\n2\n3\n4\n5\n6\n7\n");
    const [{ entry }] = rows((await run(home, ["files", "a.txt", "--json"])).out);
    await done(home, ["write", "a.txt"], "ONE\n2\n3\n4\n5\n6\n7\n");
    const merged = await run(home, ["write", "a.txt", "--base", entry.hash], "1\n2\n3\n4\n5\n6\nSEVEN\n");
    expect(merged.exit).toBe(0);
    expect((await run(home, ["cat", "a.txt"])).out).toBe("ONE\n2\n3\n4\n5\n6\nSEVEN\n");

    const beside = await done(home, ["write", "a.txt", "--base", "none"], "mine alone\n");
    expect(beside).toMatchObject({ beside: "a (other version).txt", notes: [expect.stringContaining("a.txt")] });
    const again = await run(home, ["write", "a.txt", "--base", "none"], "mine too\n");
    expect(again.out).toMatch(/^Wrote a \(other version 2\)\.txt: /);
    const texts: string[] = [];
    for (const { path } of rows((await run(home, ["files", "--json"])).out))
      texts.push((await run(home, ["cat", path])).out);
    expect(texts).toContain("mine alone\n");
    expect(texts).toContain("ONE\n2\n3\n4\n5\n6\nSEVEN\n");
  });

  test("a folder comes in as one action, and goes as one", async () => {
    const home = await open();
    const folder = folderWith({ "a.txt": "a", "b.txt": "b" });
    const { seq } = await done(home, ["add", folder, "--to", "site"]);
    expect(seq).toBe(2);
    expect(rows((await run(home, ["files", "site", "--json"])).out).map(({ path }) => path)).toEqual(
      expect.arrayContaining(["site/a.txt", "site/b.txt"]),
    );
    await done(home, ["rm", "site/"]);
    expect((await run(home, ["files"])).out).toBe("");
    await done(home, ["undo", "3"]);
    expect((await run(home, ["cat", "site/b.txt"])).out).toBe("b");
  });

  test("a rewind brings back what was after an event, and restore just one path of it", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "old a");
    await done(home, ["write", "b.txt"], "old b");
    await done(home, ["write", "a.txt"], "new a");
    await done(home, ["write", "b.txt"], "new b");
    const preview = await run(home, ["rewind", "3", "--preview"]);
    expect(preview.exit).toBe(0);
    expect(preview.out).toContain("-new a");
    expect(preview.out).toContain("+old b");
    expect(preview.aside).toContain("2 paths would change, 0 conflicts.");
    expect((await run(home, ["cat", "a.txt"])).out).toBe("new a");

    await done(home, ["restore", "a.txt", "--at", "3"]);
    expect([(await run(home, ["cat", "a.txt"])).out, (await run(home, ["cat", "b.txt"])).out]).toEqual([
      "old a",
      "new b",
    ]);
    const { changed } = await done(home, ["rewind", "3"]);
    expect(changed).toBe(1);
    expect((await run(home, ["cat", "b.txt"])).out).toBe("old b");
  });

  test("an undo that would destroy later work lists all three versions, touches nothing and ends with 3", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "one");
    await done(home, ["write", "a.txt"], "two and more");
    const before = await run(home, ["events", "--json"]);
    const { exit, out, aside } = await run(home, ["undo", "2"]);
    expect(exit).toBe(3);
    expect(out).toMatch(/^a\.txt: .+\n {2}left there then: +3 B, [0-9a-f]{8}.*, by user in event 2, /);
    expect(out).toMatch(
      /stands now \(mine\): +12 B, [0-9a-f]{8}.*, by user in event 3, .*\n {2}would be back \(theirs\): nothing/,
    );
    expect(aside).toContain("nothing was touched");
    expect(aside).toContain("--keep-mine=PATH");

    const json = await run(home, ["undo", "2", "--json"]);
    expect(json.exit).toBe(3);
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      reason: "conflict",
      message: expect.any(String),
      conflicts: [{ path: "a.txt", left: { size: 3 }, now: { size: 12 }, back: null, choices: ["mine", "theirs"] }],
    });
    const preview = await run(home, ["undo", "2", "--preview", "--json"]);
    expect({ exit: preview.exit, conflicts: JSON.parse(preview.out).conflicts.length }).toEqual({
      exit: 3,
      conflicts: 1,
    });
    const nothing = await run(home, ["undo", "1", "--json"]);
    expect(nothing).toEqual({ exit: 1, out: "", aside: expect.stringMatching(/^choir: .+/) });
    expect(await run(home, ["events", "--json"])).toEqual(before);
    expect((await run(home, ["cat", "a.txt"])).out).toBe("two and more");
  });

  test("a conflict is settled for all paths, or for each", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "one");
    await done(home, ["write", "a.txt"], "two");
    const kept = await run(home, ["undo", "2", "--keep-mine"]);
    expect({ exit: kept.exit, text: (await run(home, ["cat", "a.txt"])).out }).toMatchObject({ text: "two" });
    await done(home, ["undo", "2", "--take-theirs=a.txt", "--keep-mine"]);
    expect((await run(home, ["cat", "a.txt"])).exit).toBe(1);
  });

  test("what isn't there is said so, with exit 1", async () => {
    const home = await open();
    await done(home, ["write", "dir/a.txt"], "a");
    for (const [words, sentence] of [
      [["cat", "nope"], "there is nothing at nope"],
      [["cat", "dir/a.txt", "--at", "1"], "there is nothing at dir/a.txt after event 1"],
      [["cat", "dir/a.txt", "--at", "99"], "there is no event 99 yet: the last one is 2"],
      [["cat", "dir"], "dir is a folder: 'choir files dir' lists what is in it"],
      [["files", "nope"], "there is nothing at nope"],
      [["files", "--at", "99"], "there is no event 99 yet"],
      [["history", "nope"], "there never was anything at nope"],
      [["diff", "99"], "there is no event 99 yet"],
      [["rm", "nope"], "nope"],
      [["undo", "1"], "choir: "],
      [["undo", "call:nope"], "choir: "],
      [["add", "/nowhere/at/all"], "there is no /nowhere/at/all"],
      [["import", "/nowhere/at/all", "--user", "bob"], "choir: "],
    ] as const) {
      const { exit, out, aside } = await run(home, words);
      expect({ words, exit, out, aside }).toEqual({
        words,
        exit: 1,
        out: "",
        aside: expect.stringContaining(sentence),
      });
    }
    expect((await run(home, ["events"])).out.trimEnd().split("\n")).toHaveLength(2);
    expect(home.computers()).toEqual(["ada"]);
  });

  test("an empty workspace says what to do, beside the output", async () => {
    const home = await open();
    await done(home, ["write", "/artifacts/a"], "a");
    const { exit, out, aside } = await run(home, ["files"]);
    expect({ exit, out }).toEqual({ exit: 0, out: "" });
    expect(aside).toContain("The workspace is empty. 'choir write PATH < FILE' puts a file there");
    expect((await run(home, ["files", "/", "--json"])).out).toContain('"/artifacts/a"');
    expect((await run(home, ["files", "/artifacts"])).out).toContain("/artifacts/a");
  });

  test("names that aren't UTF-8 are written as 'choir files' prints them", async () => {
    const home = await open();
    await done(home, ["write", "caf//e9"], "coffee");
    expect(readdirSync(join(home.rootOf("ada"), "workspace"), { encoding: "buffer" })).toEqual([
      Buffer.from("caf\xe9", "latin1"),
    ]);
    const [file] = rows((await run(home, ["files", "--json"])).out);
    expect(file.path).toBe("caf//e9");
    expect((await run(home, ["cat", file.path])).out).toBe("coffee");
  });

  test("a name can't command the terminal, and comes through JSON unharmed", async () => {
    const home = await open();
    const name = "\u001b]0;owned\u0007\n\u202e";
    await done(home, ["write", name], "x");
    for (const words of [["files"], ["files", "--json"], ["diff", "1"], ["history", name], ["events"]]) {
      expect((await run(home, words)).out).toMatch(/^(?:[^\p{Cc}\p{Cf}]|\n)+$/u);
    }
    expect(rows((await run(home, ["files", "--json"])).out)[0].path).toBe(name);
  });

  test("a write whose input fails leaves nothing behind", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "whole");
    async function* broken() {
      yield Buffer.from("half");
      throw new Error("the pipe burst");
    }
    const { exit, aside } = await choir(home, ["write", "a.txt", "--user", "ada"], { input: broken() });
    expect({ exit, aside }).toEqual({ exit: 1, aside: "choir: the pipe burst\n" });
    expect((await run(home, ["cat", "a.txt"])).out).toBe("whole");
  });

  test("Ctrl-C in the middle of a write ends with 130, and nothing has happened", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "whole");
    const stop = new AbortController();
    async function* endless() {
      yield Buffer.from("half");
      stop.abort();
      await new Promise(() => {}); // a person who types no more
    }
    const { exit } = await choir(home, ["write", "a.txt", "--user", "ada"], { input: endless(), signal: stop.signal });
    expect(exit).toBe(130);
    expect((await run(home, ["cat", "a.txt"])).out).toBe("whole");
    expect((await done(home, ["write", "b.txt"], "b")).seq).toBe(3);
  });

  test("Ctrl-C in the middle of an add ends with 130, and nothing of it came in", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "a");
    const folder = folderWith(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}.txt`, `file ${i}`])));
    const shown: string[] = [];
    const { exit } = await choir(home, ["add", folder, "--to", "many", "--user", "ada"], {
      onProgress(line, stop) {
        shown.push(line);
        stop();
      },
    });
    expect(shown).not.toEqual([]);
    expect(exit).toBe(130);
    expect(rows((await run(home, ["files", "--json"])).out).map(({ path }) => path)).toEqual(["a.txt"]);
    expect(readdirSync(join(home.rootOf("ada"), "workspace"))).toEqual(["a.txt"]);
    expect((await done(home, ["write", "b.txt"], "b")).seq).toBe(3);
  });

  test("Ctrl-C in the middle of a verification ends with 130, and nothing is reported as whole", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "a");
    const { exit, out } = await choir(home, ["verify", "--user", "ada"], { onProgress: (_, stop) => stop() });
    expect({ exit, out }).toEqual({ exit: 130, out: "" });
  });

  test("a file that can't land is in the log, and 'status' says that it waits", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "a");
    const socket = createServer().listen(join(home.rootOf("ada"), "workspace/pipe")); // what can't be kept isn't replaced
    await once(socket, "listening");
    onTestFinished(() => void socket.close());
    const { exit, out, aside } = await run(home, ["write", "pipe"], "b");
    expect({ exit, out }).toEqual({ exit: 0, out: expect.stringContaining("event 3") });
    expect(aside).toContain("pipe is not in the folder yet: ");
    expect((await run(home, ["cat", "pipe"])).out).toBe("b");
    expect((await run(home, ["status"])).out).toMatch(/ada: 3 events, .*\n {4}pipe is not in the folder yet: /);
    const status = JSON.parse((await run(home, ["status", "--json"])).out);
    expect(status.computers[0].blocked).toEqual([{ path: "pipe", why: expect.any(String) }]);
    expect(status.computers[0].unkept).toEqual([{ path: "pipe", why: "is a socket, which can't be kept" }]);
  });

  test("verify looks at log, contents, state and folder; rebuild makes the same state again", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "a");
    const { exit, out } = await run(home, ["verify"]);
    expect({ exit, out }).toEqual({
      exit: 0,
      out: expect.stringMatching(
        /^Log: 2 events, whole .*\nContents: 1 .*\nState: whole, [0-9a-f]{64}\nFolder: 1 path, /,
      ),
    });
    const { state } = await done(home, ["verify"]);
    const built = await done(home, ["rebuild"]);
    expect(built).toEqual({ events: 2, hash: state.hash });
    const status = await run(home, ["status"]);
    expect(status.out).toMatch(/ada: 2 events, history: [\d.]+ [kM]?B/);
  });

  test("an export can be imported beside the first, and never writes over a file", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "a");
    const file = join(folderWith({}), "ada.choir");
    const exported = await done(home, ["export", file]);
    expect(exported).toMatchObject({ file, seq: 2, events: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await run(home, ["export", file])).exit).toBe(1);

    const again = await run(home, ["import", file]);
    expect(again.exit).toBe(1);
    const imported = await done(home, ["import", file, "--user", "bob"]);
    expect(imported).toMatchObject({ notes: [], user: "bob" });
    expect(imported).toMatchObject({ user: "bob", seq: 2, hash: exported.hash });
    expect((await run(home, ["cat", "a.txt", "--user", "bob"])).out).toBe("a");
    await done(home, ["undo", "2", "--user", "bob"]);
    expect((await run(home, ["cat", "a.txt"])).out).toBe("a");
  });

  test("a computer with another name isn't made by a slip of the pen", async () => {
    const home = await open();
    await done(home, ["write", "a.txt"], "a");
    const { exit, aside } = await run(home, ["write", "a.txt", "--user", "bob"], "b");
    expect({ exit, aside }).toEqual({ exit: 1, aside: expect.stringContaining("there is no computer 'bob'") });
    expect(home.computers()).toEqual(["ada"]);
  });

  test("a file can be made so that it can be run, and keeps that", async () => {
    const home = await open();
    await done(home, ["write", "run.sh", "--mode", "0755"], "#!/bin/sh\n");
    const [file] = rows((await run(home, ["files", "run.sh", "--json"])).out);
    expect(file).toMatchObject({ path: "run.sh", entry: { mode: 0o755 } });
  });
});
