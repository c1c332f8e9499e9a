import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "@choiros/contract";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { folderStage } from "../testing/folder-stage.ts";
import { temporaryName } from "./names.ts";
import { type FoundHere, OpenFolder } from "./open-folder.ts";
import { type Noted, Seen } from "./seen.ts";
import type { Stat } from "./stat.ts";
import { Watcher } from "./watcher.ts";

// Run once more by an ordinary user, who is the one it is about: ../command/ordinary-user.int.test.ts.
const place = folderStage();
const LANDED = { is: "landed" };
const SHUT: Entry = { kind: "dir", mode: 0o555 };
const isRoot = process.getuid?.() === 0;
/** So that an ordinary user can remove what is in them. */
const toOpen: string[] = [];
const watchers = new Set<Watcher>();
afterEach(async () => {
  await Promise.all([...watchers].map((watcher) => watcher.close()));
  watchers.clear();
  for (const path of toOpen.splice(0)) chmodSync(path, 0o700);
});

async function shut(mode = 0o555) {
  const computer = await place();
  const { land, file, at } = computer;
  const to: Entry = { kind: "dir", mode };
  const items = [
    { key: "workspace/shut", from: null, to },
    { key: "workspace/shut/in", from: null, to },
    { key: "workspace/shut/in/a", from: null, to: file("a") },
  ];
  expect(await land(...items)).toEqual(items.map(() => LANDED));
  const modes = () => [statSync(at("shut")).mode & 0o777, inMode(at("shut"), at("shut/in"))];
  toOpen.push(at("shut"), at("shut/in"));
  return { ...computer, modes };
}

/** Seen through a directory above that is opened for it. */
function inMode(above: string, path: string): number {
  const { mode } = statSync(above);
  chmodSync(above, 0o700);
  const found = statSync(path).mode & 0o777;
  chmodSync(above, mode & 0o7777);
  return found;
}

describe("directories that their owner may not write to", () => {
  test.each([
    ["555", 0o555],
    ["000", 0],
  ] as const)("FOLD-32: with mode %s, files come, change and go, and it stays as it is", async (_, mode) => {
    const { land, file, modes, folder } = await shut(mode);
    const outcomes = await land(
      { key: "workspace/shut/in/a", from: file("a"), to: null },
      { key: "workspace/shut/in/b", from: null, to: file("b".repeat(100_000)) },
      { key: "workspace/shut/c", from: null, to: file("c") },
    );
    expect(outcomes).toEqual([LANDED, LANDED, LANDED]);
    expect(await land({ key: "workspace/shut/c", from: file("c"), to: file("d", 0o600) })).toEqual([LANDED]);
    expect(modes()).toEqual([mode, mode]);
    expect(await folder.seen(["workspace/shut"])).toEqual([{ kind: "dir", mode }]);
  });

  test("FOLD-32: one that gets another mode as well has that in the end", async () => {
    const { land, file, modes } = await shut();
    const outcomes = await land(
      { key: "workspace/shut/in", from: SHUT, to: { kind: "dir", mode: 0o500 } },
      { key: "workspace/shut/in/a", from: file("a"), to: null },
      { key: "workspace/shut/in/b", from: null, to: file("b") },
    );
    expect(outcomes).toEqual([LANDED, LANDED, LANDED]);
    expect(modes()).toEqual([0o555, 0o500]);
  });

  test("FOLD-32: its mode is back where a landing in it fails, and nothing is left there", async () => {
    const { land, modes, at } = await shut();
    const lost: Entry = { kind: "file", hash: "ab".repeat(32), size: 100_000, mode: 0o644 };
    expect(await land({ key: "workspace/shut/in/lost", from: null, to: lost })).toMatchObject([{ is: "blocked" }]);
    expect(await land({ key: "workspace/shut/in", from: SHUT, to: null })).toMatchObject([{ is: "blocked" }]);
    expect([modes(), readdirSync(at("shut/in"))]).toEqual([[0o555, 0o555], ["a"]]);
  });

  test("FOLD-32: cut off in between, its mode is back when the folder is opened, and nobody changed it", async () => {
    const { reopen, root, at, modes } = await shut();
    const again = await reopen(() => {
      const seen = new Seen(join(root, ".choir", "seen.sqlite"));
      for (const name of ["shut", "shut/in"]) {
        seen.opening(`workspace/${name}`, 0o555);
        chmodSync(at(name), 0o755);
      }
      writeFileSync(at(`shut/in/${temporaryName(seen.secret)}`), "");
      seen.close();
    });
    expect(modes()).toEqual([0o555, 0o555]);
    expect((await again.capture()).filter((one) => one.is !== "entry" || !one.same)).toEqual([]);
    expect([modes(), readdirSync(at("shut/in"))]).toEqual([[0o555, 0o555], ["a"]]);
    await again.reopen(() => chmodSync(at("shut"), 0o755));
    expect(modes()).toEqual([0o755, 0o555]); // which is somebody's wish
  });

  test("FOLD-32: it is moved with all that is in it", async () => {
    const { folder, at, modes } = await shut();
    expect(await folder.moveDirectory("workspace/shut/in", "workspace/in")).toEqual(LANDED);
    expect([statSync(at("in")).mode & 0o777, readdirSync(at("in"))]).toEqual([0o555, ["a"]]);
    expect(await folder.moveDirectory("workspace/in", "workspace/shut/in")).toEqual(LANDED);
    expect(modes()).toEqual([0o555, 0o555]);
  });

  test("FOLD-32: what a link leads to is not opened", async () => {
    const { land, file, at } = await place();
    const outside = mkdtempSync(join(tmpdir(), "choir-outside-"));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    mkdirSync(join(outside, "shut"), 0o500);
    const before = statSync(join(outside, "shut")).ctimeMs;
    symlinkSync(join(outside, "shut"), at("link"));
    const outcomes = await land({ key: "workspace/link/a", from: null, to: file("a") });
    expect(outcomes).toMatchObject([{ is: "blocked", why: expect.stringContaining("no directory") }]);
    expect(statSync(join(outside, "shut")).ctimeMs).toBe(before);
  });
});

describe("directories that their owner may not look into", () => {
  /** With a directory of the same mode in it, and a file in each. */
  async function locked(mode: number) {
    const computer = await place();
    const paths = [computer.at("d/sub"), computer.at("d")];
    const setMode = (to: number) => {
      chmodSync(computer.at("d"), 0o700);
      for (const path of paths) chmodSync(path, to);
    };
    toOpen.unshift(...paths.toReversed());
    computer.write("d/a", "a");
    computer.write("d/sub/b", "b");
    setMode(mode);
    const modes = () => [statSync(computer.at("d")).mode & 0o777, inMode(computer.at("d"), computer.at("d/sub"))];
    return { ...computer, setMode, modes };
  }

  const MODES = [0, 0o100, 0o200, 0o300, 0o400, 0o500, 0o600, 0o700, 0o077].map(
    (mode) => [mode.toString(8), mode] as const,
  );

  test.each(MODES)("FOLD-34: with mode %s, what is in them is taken up, and they stay as they are", async (_, mode) => {
    const { capture, scan, modes, setMode, write, folder, file, at } = await locked(mode);
    const dir: Entry = { kind: "dir", mode };
    const keys = ["d", "d/a", "d/sub", "d/sub/b"].map((name) => `workspace/${name}`);
    const entries = [dir, file("a"), dir, file("b")];
    const looked = await capture();
    expect(looked.map((one) => [one.key, one.is === "entry" && one.entry])).toEqual(
      keys.map((key, i) => [key, entries[i]]),
    );
    expect(modes()).toEqual([mode, mode]);
    setMode(0o700);
    write("d/sub/b", "new");
    rmSync(at("d/a"));
    setMode(mode);
    expect(await scan()).toMatchObject({ keys: expect.arrayContaining([keys[3], keys[1]]), unreadable: [] });
    expect(await folder.look([keys[1] ?? "", keys[3] ?? ""], { fresh: true })).toMatchObject([
      { is: "nothing" },
      { is: "entry", entry: file("new") },
    ]);
    expect((await capture(["workspace/d/sub/b"])).map(({ key }) => key)).toEqual([keys[3]]);
    expect(modes()).toEqual([mode, mode]);
  });

  test("FOLD-34: cut off in a look, its mode is back when the folder is opened", async () => {
    const { reopen, capture, root, at, modes } = await locked(0);
    await capture();
    await reopen(() => {
      const seen = new Seen(join(root, ".choir", "seen.sqlite"));
      for (const name of ["d", "d/sub"]) {
        seen.opening(`workspace/${name}`, 0);
        chmodSync(at(name), 0o700);
      }
      seen.close();
    });
    expect(modes()).toEqual([0, 0]);
  });

  test("FOLD-34: the areas themselves may be shut", async () => {
    const { reopen, root, write, at } = await place();
    write("a", "1");
    toOpen.push(join(root, "workspace"));
    const again = await reopen(() => chmodSync(join(root, "workspace"), 0));
    expect(await again.capture()).toMatchObject([{ key: "workspace/a", is: "entry" }]);
    expect(statSync(at("")).mode & 0o777).toBe(0);
  });

  test.each(MODES)("FOLD-34: with mode %s, a watcher hears of it once, and of no look of ours", async (_, mode) => {
    const { folder, scan, setMode, at } = await locked(0o755);
    const told: string[] = [];
    const heard = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const watcher = await Watcher.start(folder, (watched) => {
      if (watched.is !== "dirty") throw new Error(JSON.stringify(watched));
      told.push(...watched.keys);
      if (watched.keys.includes("workspace/d")) heard.resolve();
      if (watched.keys.includes("workspace/end")) ended.resolve();
    });
    watchers.add(watcher);
    setMode(mode);
    await heard.promise;
    const before = told.length;
    await scan(["workspace/d", "workspace/d/sub/b"]);
    await folder.look(["workspace/d", "workspace/d/a", "workspace/d/sub/b"]);
    writeFileSync(at("end"), "");
    await ended.promise;
    expect(told.slice(before)).toEqual(["workspace/end"]);
  });
});

describe("files that their owner may not read", () => {
  test.each([10, 100_000])(
    "FOLD-33: one of %d bytes is looked at, replaced and removed, and keeps its mode",
    async (size) => {
      const { land, file, write, capture, at, folder } = await place();
      write("locked", "x".repeat(size), 0);
      const [looked] = await capture();
      expect(looked).toMatchObject({ is: "entry", entry: file("x".repeat(size), 0) });
      expect(statSync(at("locked")).mode & 0o777).toBe(0);
      const key = "workspace/locked";
      const [one, two] = [file("x".repeat(size), 0), file("y".repeat(size), 0)];
      expect(await land({ key, from: one, to: two })).toEqual([LANDED]);
      expect(await folder.look([key])).toMatchObject([{ is: "entry", entry: two, same: true }]);
      expect(await land({ key, from: two, to: null })).toEqual([LANDED]);
      expect(readdirSync(at(""))).toEqual([]);
    },
  );

  test.skipIf(isRoot)("FOLD-33: having been read, it isn't touched by further looks", async () => {
    const { write, capture, at, folder } = await place();
    write("locked", "x", 0);
    await capture();
    const { ctimeMs } = statSync(at("locked"));
    expect(await folder.look(["workspace/locked"])).toMatchObject([{ is: "entry", same: true }]);
    expect(statSync(at("locked")).ctimeMs).toBe(ctimeMs);
  });

  test.skipIf(isRoot)(
    "FOLD-33: many are waited for together, and those that were read in vain aren't told",
    async () => {
      const { write, at, root, reopen } = await place();
      const names = Array.from({ length: 100 }, (_, i) => `locked-${i}`);
      for (const name of names) write(name, name, 0);
      const keys = names.map((name) => `workspace/${name}`);
      await reopen(() => {
        const wait = vi.spyOn(Atomics, "wait");
        onTestFinished(() => wait.mockRestore());
        const folder = new OpenFolder(root);
        let slices = 0;
        const lookAtAll = (fresh: boolean) => {
          const found: FoundHere[] = [];
          for (; found.length < keys.length; slices++)
            found.push(...folder.look(keys.slice(found.length), false, fresh));
          return found;
        };
        const found = lookAtAll(false);
        folder.seen.note(found.flatMap((one, i) => (one.is === "entry" ? noted(keys[i] ?? "", one) : [])));
        expect([...found, ...lookAtAll(true)].filter((one) => one.is !== "entry")).toEqual([]);
        expect(wait).toHaveBeenCalledTimes(slices);
        const scan = folder.beginScan(undefined);
        for (let done = false; !done; ) {
          const slice = folder.scan(scan);
          expect(slice.keys).toEqual([]);
          done = slice.done;
        }
        folder.close();
      });
      expect(names.map((name) => statSync(at(name)).mode & 0o777)).toEqual(names.map(() => 0));
    },
  );

  test.skipIf(isRoot).each([10, 100_000])(
    "FOLD-33: rules of %d bytes that may not be read are read once, by whoever comes first",
    async (size) => {
      const { write, at, scan, capture, reopen } = await place();
      write(".choirignore", `x\n${"#".repeat(size)}`, 0);
      for (const name of ["x", "y"]) write(name, name);
      const touched = () => statSync(at(".choirignore")).ctimeMs;
      expect((await scan()).keys).toEqual(["workspace/.choirignore", "workspace/y"]);
      const first = touched();
      expect((await scan()).keys).toEqual(["workspace/.choirignore", "workspace/y"]);
      expect(touched()).toBe(first);
      await capture();
      const second = touched();
      expect([(await scan(["workspace/.choirignore"])).keys, touched()]).toEqual([[], second]);
      const again = await reopen(); // to which they are new
      await again.capture(["workspace/.choirignore"]);
      const third = touched();
      expect([(await again.scan(["workspace/.choirignore"])).keys, touched()]).toEqual([[], third]);
    },
  );
});

function noted(key: string, { entry, stat }: { entry: Entry; stat: Stat }): Noted[] {
  return [{ key, seen: { hash: entry.kind === "dir" ? null : entry.hash, stat } }];
}
