import { exec, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { folderStage, type Place } from "../testing/folder-stage.ts";
import { type Watched, Watcher, type WatchOptions } from "./watcher.ts";

const place = folderStage();
const watchers = new Set<Watcher>();
afterEach(async () => {
  await Promise.all([...watchers].map((watcher) => watcher.close()));
  watchers.clear();
});

/** Everything that is told, and a way to wait until enough of it is. */
async function watching(computer: Place, options: WatchOptions = {}) {
  const told: Watched[] = [];
  let check = () => {};
  const tell = (watched: Watched) => {
    told.push(watched);
    check();
  };
  const watcher = await Watcher.start(computer.folder, tell, options);
  watchers.add(watcher);
  const until = (enough: () => boolean) =>
    new Promise<void>((resolve) => {
      check = () => {
        if (enough()) resolve();
      };
      check();
    });
  const dirty = () => new Set(told.flatMap((watched) => (watched.is === "dirty" ? watched.keys : [])));
  const has = (is: Watched["is"]) => told.some((watched) => watched.is === is);
  return { watcher, told, dirty, until, has };
}

describe("watching", () => {
  test("FOLD-25: writing, renaming, removing and a new mode are told, each by its path", async () => {
    const computer = await place();
    for (const name of ["a", "b", "c", "sub/d"]) computer.write(name, name);
    const { dirty, until } = await watching(computer);
    writeFileSync(computer.at("a"), "new");
    renameSync(computer.at("b"), computer.at("b2"));
    unlinkSync(computer.at("c"));
    chmodSync(computer.at("sub/d"), 0o600);
    const expected = ["a", "b", "b2", "c", "sub/d"].map((name) => `workspace/${name}`);
    await until(() => expected.every((key) => dirty().has(key)));
    expect([...dirty()].sort()).toEqual(expected);
  });

  test("FOLD-25: names that aren't UTF-8 are told too", async () => {
    const computer = await place();
    const { dirty, until } = await watching(computer);
    writeFileSync(Buffer.concat([Buffer.from(computer.at("x")), Buffer.from([0xff])]), "1");
    await until(() => dirty().has("workspace/x//ff"));
  });

  test("FOLD-26: nothing is missed in directories that have just come", async () => {
    const computer = await place();
    const { dirty, until } = await watching(computer);
    const script =
      'for i in $(seq 40); do mkdir -p "d$i/in/deep"; echo 1 > "d$i/in/deep/a"; done; sleep 0.05; for i in $(seq 40); do echo 2 > "d$i/in/deep/b"; done';
    const captured = new Set<string>();
    await new Promise((resolve) => exec(script, { cwd: computer.at("") }, resolve));
    const files = Array.from({ length: 40 }, (_, i) => [`d${i + 1}/in/deep/a`, `d${i + 1}/in/deep/b`]).flat();
    await until(() => files.every((name) => [...dirty()].some((key) => `workspace/${name}`.startsWith(key))));
    for (const one of await computer.capture([...dirty()])) captured.add(one.key);
    expect(files.filter((name) => !captured.has(`workspace/${name}`))).toEqual([]);
  });

  test("FOLD-26: a directory that is moved is watched where it is now", async () => {
    const computer = await place();
    computer.write("old/in/a", "1");
    const { dirty, until } = await watching(computer);
    renameSync(computer.at("old"), computer.at("new"));
    await until(() => dirty().has("workspace/new"));
    writeFileSync(computer.at("new/in/b"), "2");
    await until(() => dirty().has("workspace/new/in/b"));
    expect(dirty()).not.toContain("workspace/old/in/b");
  });

  test("FOLD-27: neither ignored directories nor what links lead to are watched", async () => {
    const computer = await place();
    const outside = mkdtempSync(join(tmpdir(), "choir-outside-"));
    computer.write("node_modules/x/y", "1");
    symlinkSync(outside, computer.at("link"));
    const { watcher, dirty, until } = await watching(computer);
    expect(watcher.directories).toBe(3);
    writeFileSync(computer.at("node_modules/x/z"), "1");
    writeFileSync(join(outside, "z"), "1");
    writeFileSync(computer.at("last"), "1");
    await until(() => dirty().has("workspace/last"));
    expect([...dirty()]).toEqual(["workspace/last"]);
    rmSync(outside, { recursive: true });
  });

  test("FOLD-27: a directory that comes and is ignored isn't watched, and what is no more ignored is", async () => {
    const computer = await place();
    computer.write("dist/a", "1");
    const { watcher, has, dirty, until } = await watching(computer);
    mkdirSync(computer.at("node_modules/deep"), { recursive: true });
    await until(() => dirty().has("workspace/node_modules"));
    expect(watcher.directories).toBe(3);
    computer.write(".choirignore", "!dist/");
    await until(() => has("lost"));
    expect(watcher.directories).toBe(4);
  });

  test("FOLD-28: our own landings are told by their path only, and are as they were seen", async () => {
    const computer = await place();
    const { dirty, until } = await watching(computer);
    await computer.land({ key: "workspace/a", from: null, to: computer.file("1") });
    await until(() => dirty().has("workspace/a"));
    expect([...dirty()]).toEqual(["workspace/a"]);
    expect((await computer.capture(["workspace/a"])).map((one) => one.is === "entry" && one.same)).toEqual([true]);
  });

  test("FOLD-29: a burst that the system may have lost parts of is told as lost", async () => {
    const computer = await place();
    mkdirSync(computer.at("many"));
    const { has, until } = await watching(computer);
    // The loop stands still meanwhile, as it would under load: nobody takes what has queued up.
    spawnSync("sh", ["-c", "seq 5000 | xargs touch"], { cwd: computer.at("many") });
    await until(() => has("lost"));
  });

  test("FOLD-29: where not all can be watched that is said, and lost is told at an interval", async () => {
    const computer = await place();
    for (let i = 0; i < 5; i++) mkdirSync(computer.at(`d${i}`));
    const { has, told, until } = await watching(computer, { maxWatches: 4, intervalMs: 10 });
    await until(() => has("lost"));
    expect(told[0]).toMatchObject({ is: "limited" });
  });

  test("FOLD-30: after close nothing is told", async () => {
    const computer = await place();
    const { watcher, told } = await watching(computer);
    writeFileSync(computer.at("a"), "1");
    await watcher.close();
    expect(told).toEqual([]);
    expect(watcher.directories).toBe(0);
  });
});
