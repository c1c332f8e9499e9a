import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { folderStage, type Place } from "../testing/folder-stage.ts";
import { leftOver } from "../testing/left-over.ts";
import { RACY_MS } from "./stat.ts";

const place = folderStage();
const names = (keys: readonly string[]) => keys.map((key) => key.replace(/^workspace\//, "")).sort();
const scanned = async ({ scan }: Place, under?: string[]) => names((await scan(under)).keys);

/** Until a stat is old enough to be trusted: what is waited for is the clock itself. */
async function settle(computer: Place): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, RACY_MS * 2));
  await computer.capture();
}

describe("scanning", () => {
  test("FOLD-12: a scan tells what is new, what changed and what is gone, and nothing else", async () => {
    const computer = await place();
    for (const name of ["a", "b", "dir/c", "dir/deep/d", "stays/e"]) computer.write(name, name);
    expect(await scanned(computer)).toEqual(["a", "b", "dir", "dir/c", "dir/deep", "dir/deep/d", "stays", "stays/e"]);
    await computer.capture();
    await settle(computer);
    expect(await scanned(computer)).toEqual([]);
    writeFileSync(computer.at("a"), "other");
    rmSync(computer.at("dir"), { recursive: true });
    mkdirSync(computer.at("empty"));
    chmodSync(computer.at("stays"), 0o700);
    expect(await scanned(computer)).toEqual(["a", "dir", "dir/c", "dir/deep", "dir/deep/d", "empty", "stays"]);
    await computer.capture();
    await settle(computer);
    expect(await scanned(computer)).toEqual([]);
  });

  test("FOLD-12: a directory comes before what is in it", async () => {
    const computer = await place();
    computer.write("x/y/z", "1");
    expect((await computer.scan()).keys).toEqual(["workspace/x", "workspace/x/y", "workspace/x/y/z"]);
    expect((await computer.scan(["workspace/x/y/z"])).keys).toEqual([
      "workspace/x",
      "workspace/x/y",
      "workspace/x/y/z",
    ]);
  });

  test("FOLD-12: a directory that became a file or a link is gone with all that was in it", async () => {
    const computer = await place();
    for (const name of ["one/a", "one/b/c", "two/d", "one-more/e"]) computer.write(name, name);
    await computer.capture();
    await settle(computer);
    renameSync(computer.at("one"), computer.at("moved"));
    symlinkSync("moved", computer.at("one"));
    rmSync(computer.at("two"), { recursive: true });
    computer.write("two", "now a file");
    const told = await scanned(computer);
    expect(told).toEqual([
      "moved",
      "moved/a",
      "moved/b",
      "moved/b/c",
      "one",
      "one/a",
      "one/b",
      "one/b/c",
      "two",
      "two/d",
    ]);
    const captured = await computer.capture();
    expect(captured.find(({ key }) => key === "workspace/one")).toMatchObject({ entry: { kind: "link" } });
    expect(captured.find(({ key }) => key === "workspace/one/b/c")).toMatchObject({ is: "nothing" });
  });

  test("FOLD-12: an area that is gone takes its files along, and the scan goes on", async () => {
    const computer = await place();
    computer.write("a/b", "1");
    await computer.capture();
    rmSync(computer.at(""), { recursive: true });
    expect(await scanned(computer)).toEqual(["a", "a/b"]);
  });

  test("FOLD-12: a scan under some paths tells of these alone", async () => {
    const computer = await place();
    for (const name of ["a/b", "c/d", "e"]) computer.write(name, name);
    expect(await scanned(computer, ["workspace/c", "workspace/e", "workspace/none"])).toEqual(["c", "c/d", "e"]);
  });

  test.runIf(process.getuid?.() === 0).each([
    ["read", 0o700],
    ["entered", 0o744],
  ])(
    "FOLD-13: somebody else's directory that may not be %s is named once, and nothing in it passes for gone",
    async (_, mode) => {
      const computer = await place();
      for (const name of ["a", "shut/b", "shut/c", "shut/sub/d"]) computer.write(name, "1");
      await computer.capture();
      await settle(computer);
      computer.write("z", "1");
      spawnSync("chown", ["-R", "65534:65534", computer.root]);
      spawnSync("chown", ["0:0", computer.at("shut")]);
      chmodSync(computer.at("shut"), mode);
      const script = `
      import { OpenFolder } from ${JSON.stringify(new URL("./open-folder.ts", import.meta.url).href)};
      process.setgroups([]);
      process.setgid(65_534);
      process.setuid(65_534);
      const folder = new OpenFolder(process.argv[1]);
      console.log(JSON.stringify(folder.scan(folder.beginScan(undefined))));`;
      const args = ["--input-type=module-typescript", "-e", script, computer.root];
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      expect(stderr.replaceAll(/.*ExperimentalWarning.*|.*--trace-warnings.*/g, "").trim()).toBe("");
      const { keys, unreadable } = JSON.parse(stdout) as { keys: string[]; unreadable: unknown };
      expect(names(keys)).toEqual(["a", "shut", "z"]); // the first for its owner, which shows in its times
      expect(unreadable).toEqual([{ key: "workspace/shut", why: "it may not be read" }]);
    },
  );

  test("FOLD-14: what a landing left that was cut off is removed, and never told", async () => {
    const computer = await place();
    const ours = leftOver(computer.root);
    const alike = `.choir-landing-${"0123456789abcdef".repeat(2)}`;
    computer.write(`dir/${ours}`, "half");
    computer.write(`dir/${alike}`, "somebody's");
    computer.write("dir/.choir-landing-mine", "not ours");
    expect(await scanned(computer)).toEqual(["dir", `dir/${alike}`, "dir/.choir-landing-mine"]);
    expect(existsSync(computer.at(`dir/${ours}`))).toBe(false);
  });

  test("FOLD-15: thousands of files come in slices, each once", async () => {
    const computer = await place();
    for (let i = 0; i < 2_500; i++) {
      if (i % 500 === 0) mkdirSync(computer.at(`d${i / 500}`));
      writeFileSync(computer.at(`d${Math.floor(i / 500)}/${i}`), "");
    }
    let slices = 0;
    const keys: string[] = [];
    for await (const slice of computer.folder.scan()) {
      slices++;
      keys.push(...slice.keys);
    }
    expect(slices).toBeGreaterThan(1);
    expect(keys).toHaveLength(2_505);
    expect(new Set(keys).size).toBe(2_505);
  });
});

describe("ignoring", () => {
  test("FOLD-16: packages, build output and caches are ignored, a directory with nothing else is left out, a nested .git is not", async () => {
    const computer = await place();
    const ignored = [
      "node_modules/a/index.js",
      "app/node_modules/b.js",
      "only/dist/x.js",
      "only/deep/__pycache__/y.pyc",
      "a.swp",
    ];
    for (const name of [...ignored, "app/main.js", "sub/.git/HEAD", ".env", "target.txt", "only.log"])
      computer.write(name, "1");
    expect(await scanned(computer)).toEqual([
      ".env",
      "app",
      "app/main.js",
      "only.log",
      "sub",
      "sub/.git",
      "sub/.git/HEAD",
      "target.txt",
    ]);
  });

  test("FOLD-16: also a long .choirignore counts", async () => {
    const computer = await place();
    computer.write(".choirignore", `${"# a remark\n".repeat(10_000)}*.tmp\n`);
    computer.write("a.tmp", "1");
    expect(await scanned(computer)).toEqual([".choirignore"]);
  });

  test("FOLD-16: .choirignore comes after the defaults: it adds, and a negation brings back", async () => {
    const computer = await place();
    computer.write(".choirignore", "*.tmp\n!dist/\n/secret/\n# a remark\n");
    for (const name of ["a.tmp", "dist/x", "secret/y", "sub/secret/z", "keep"]) computer.write(name, "1");
    expect(await scanned(computer)).toEqual([
      ".choirignore",
      "dist",
      "dist/x",
      "keep",
      "sub",
      "sub/secret",
      "sub/secret/z",
    ]);
  });

  test("FOLD-17: what is tracked stays tracked, whatever is ignored later", async () => {
    const computer = await place();
    computer.write("logs/a", "1");
    await computer.capture();
    await settle(computer);
    computer.write(".choirignore", "logs/\n");
    computer.write("logs/a", "2");
    computer.write("logs/b", "new, so ignored");
    expect(await scanned(computer)).toEqual([".choirignore", "logs/a"]);
  });
});
