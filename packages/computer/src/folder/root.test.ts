import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { folderStage } from "../testing/folder-stage.ts";
import { CANARY, hostilePaths, plantHardLink, plantOutside, plantTraps } from "../testing/hostile-paths.ts";
import { Folder } from "./folder.ts";

const place = folderStage();
let outside: string;
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), "choir-outside-"));
  plantOutside(outside);
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

/** Names, bytes, modes and times of all that stands outside. */
function outsideNow(): unknown {
  return readdirSync(outside, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const stats = statSync(join(outside, name));
      return [name, stats.mode, stats.mtimeMs, stats.isFile() && readFileSync(join(outside, name), "utf8")];
    });
}

describe("the way to a path", () => {
  test("FOLD-1: no hostile path is read or written outside the computer's root", async () => {
    const { folder, root, file, land } = await place();
    const keys = [...hostilePaths(outside), ...plantTraps(root, outside)];
    expect(keys.length).toBeGreaterThanOrEqual(500);
    const before = outsideNow();
    const inRoot = readdirSync(root).sort();

    const read: string[] = [];
    const keep = async (source: Uint8Array | AsyncIterable<Uint8Array>) => {
      if (source instanceof Uint8Array) read.push(Buffer.from(source).toString());
      return { hash: "0".repeat(64), size: 0 };
    };
    const looked = await folder.look(keys, { keep });
    const evil = file("evil");
    await land(...keys.map((key) => ({ key, from: null, to: evil })));
    await land(...keys.map((key) => ({ key, from: null, to: { kind: "dir" as const, mode: 0o777 } })));
    await land(...keys.map((key) => ({ key, from: file(CANARY), to: null })));
    await land(...keys.map((key) => ({ key, from: file(CANARY), to: file("evil") })));
    for (const key of keys.slice(0, 60)) await folder.moveDirectory("workspace/t", key);
    for await (const _ of folder.scan({ under: keys }))
      expect(_.keys.every((key) => key.startsWith("workspace/"))).toBe(true);

    expect(looked.filter(({ is }) => is === "entry")).toEqual([]);
    expect(read.filter((text) => text.includes("canary"))).toEqual([]);
    expect(outsideNow()).toEqual(before);
    expect(readdirSync(root).sort()).toEqual(inRoot);
  });

  test("FOLD-1: a path is refused when it isn't spelled as a key is, leads nowhere, or names an area itself", async () => {
    const { folder } = await place();
    const keys = [
      "workspace",
      "workspace/..",
      "workspace/a//2e//2e",
      "/workspace/a",
      ".git/config",
      "workspace/a/",
      "other/a",
      "",
    ];
    expect((await folder.look(keys)).map(({ is }) => is)).toEqual(keys.map(() => "refused"));
  });

  test("FOLD-2: a directory that is swapped for a link while we walk never leads outside", async () => {
    const { folder, at, file, land } = await place();
    mkdirSync(at("race/in"), { recursive: true });
    const before = outsideNow();
    const swapping = new Worker(SWAP, { eval: true, workerData: { race: at("race"), outside } });
    await new Promise((resolve) => swapping.once("message", resolve));
    const keys = ["canary", "x", "etc/passwd", "new"].map((name) => `workspace/race/${name}`);
    const read: string[] = [];
    for (let round = 0; round < 150; round++) {
      await folder.look(keys, {
        keep: async (source) => {
          if (source instanceof Uint8Array) read.push(Buffer.from(source).toString());
          return { hash: "0".repeat(64), size: 0 };
        },
      });
      await land({ key: "workspace/race/evil", from: null, to: file(`evil ${round}`) });
    }
    await swapping.terminate();
    expect(read.filter((text) => text.includes("canary"))).toEqual([]);
    expect(outsideNow()).toEqual(before);
  });

  test("FOLD-3: a hard link is a file of its own: what is landed there doesn't reach the other name", async () => {
    const { folder, root, file, land, at } = await place();
    const key = plantHardLink(root, outside);
    const before = outsideNow();
    const [looked] = await folder.look([key]);
    expect(looked).toMatchObject({ is: "entry", entry: { kind: "file", size: CANARY.length } });
    expect(await land({ key, from: file(CANARY), to: file(CANARY, 0o777) })).toEqual([{ is: "landed" }]);
    expect(statSync(at("hard")).mode & 0o777).toBe(0o777);
    unlinkSync(at("hard"));
    expect(outsideNow()).toEqual(before);
    linkSync(join(outside, "canary"), at("hard"));
    expect(await land({ key, from: file(CANARY), to: file("mine") })).toEqual([{ is: "landed" }]);
    expect(readFileSync(at("hard"), "utf8")).toBe("mine");
    expect(outsideNow()).toEqual(before);
  });

  test("FOLD-4: an area that is a link, or a file, is refused when the folder is opened", async () => {
    for (const make of [(path: string) => symlinkSync(outside, path), (path: string) => writeFileSync(path, "")]) {
      const root = mkdtempSync(join(outside, "root-"));
      make(join(root, "workspace"));
      await expect(Folder.open(root)).rejects.toThrow(/workspace .*not a directory/);
    }
  });

  test("FOLD-4: an area that is missing is made", async () => {
    const { root, at, reopen } = await place();
    renameSync(at(""), join(root, "elsewhere"));
    await reopen();
    expect(readdirSync(root).sort()).toEqual([".choir", "artifacts", "choiros", "elsewhere", "workspace"]);
  });
});

const SWAP = `
const fs = require("node:fs");
const { parentPort, workerData: { race, outside } } = require("node:worker_threads");
fs.symlinkSync(outside, race + ".link");
parentPort.postMessage("ready");
for (;;) {
  fs.renameSync(race, race + ".dir");
  fs.renameSync(race + ".link", race);
  fs.renameSync(race, race + ".link");
  fs.renameSync(race + ".dir", race);
}`;
