import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { computerStage, type Desk, done, folderOfOurOwn } from "../testing/computer-stage.ts";
import { expectRefused } from "../testing/expect-refused.ts";
import { dirText, fileText, linkText } from "../testing/trees.ts";

const stage = computerStage();
const elsewhere = folderOfOurOwn();

/** A folder with these files in it. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = elsewhere();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const names = (desk: Desk) => Object.keys(desk.disk());

describe("add", () => {
  test("ACT-5: a folder comes in as one event, with modes, links and empty directories", async () => {
    const desk = await stage();
    const folder = elsewhere();
    mkdirSync(join(folder, "src/empty"), { recursive: true });
    mkdirSync(join(folder, "node_modules/dep"), { recursive: true });
    writeFileSync(join(folder, "src/run"), "1");
    chmodSync(join(folder, "src/run"), 0o755);
    writeFileSync(join(folder, "node_modules/dep/x"), "2");
    symlinkSync("src/run", join(folder, "link"));
    for (const name of ["", "src", "src/empty"]) chmodSync(join(folder, name), 0o755);
    const added = done(await desk.computer.add(folder, "workspace/in/here"));
    expect(added.notes).toEqual([
      expect.stringMatching(
        /^Ignored, and left out: node_modules\/\. Such names are ignored by default, .*\.choirignore/,
      ),
    ]);
    expect(desk.disk()).toEqual({
      "workspace/in": dirText(),
      "workspace/in/here": dirText(),
      "workspace/in/here/link": linkText("src/run"),
      "workspace/in/here/src": dirText(),
      "workspace/in/here/src/empty": dirText(),
      "workspace/in/here/src/run": fileText("1", 0o755),
    });
    expect(await desk.head()).toBe(2);
    done(await desk.computer.undo({ seq: 2 }));
    expect(desk.disk()).toEqual({});
  });

  test("ACT-5: three hundred files are one event with a list, and stopped before that nothing has happened", async () => {
    const desk = await stage();
    const folder = elsewhere();
    for (let i = 0; i < 300; i++) writeFileSync(join(folder, `${i}`), `${i}`);
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error("enough"));
    await expect(desk.computer.add(folder, "workspace/in", { signal: stop.signal, onProgress })).rejects.toThrow(
      "enough",
    );
    expect(await desk.head()).toBe(1);
    expect(desk.disk()).toEqual({});
    const added = done(await desk.computer.add(folder, "workspace/in"));
    expect(added).toMatchObject({ seq: 2, changed: 301 });
    expect((await desk.events()).at(-1)?.payload).toMatchObject({ count: 301, by: "import" });
    expect(Object.keys(desk.disk())).toHaveLength(301);
  });

  test("ACT-10: a folder that isn't there, a file, and a place that is taken are refused", async () => {
    const desk = await stage();
    await desk.write("a", "1");
    const folder = elsewhere();
    writeFileSync(join(folder, "file"), "");
    await expectRefused(desk, () => desk.computer.add(join(folder, "no"), "workspace/b"), { reason: "missing" });
    await expectRefused(desk, () => desk.computer.add(join(folder, "file"), "workspace/b"), { reason: "invalid" });
    await expectRefused(desk, () => desk.computer.add(folder, "workspace/a"), { reason: "invalid" });
    await expectRefused(desk, () => desk.computer.add(folder, "workspace/a/b"), { reason: "invalid" });
    await expectRefused(desk, () => desk.computer.add(folder, "workspace"), { reason: "invalid" });
  });
});

describe("add, of what isn't brought in", () => {
  test("ACT-5: the first ignored names are told, how many more there are, and how to bring them in", async () => {
    const desk = await stage();
    const caches = Array.from({ length: 25 }, (_, i) => `p${String(i).padStart(2, "0")}/__pycache__/x`);
    const folder = folderWith(Object.fromEntries([...caches, "a.swp", "kept"].map((name) => [name, "1"])));
    const [note] = done(await desk.computer.add(folder, "workspace/in")).notes;
    expect(note).toContain("p03/__pycache__/");
    expect(note).toContain("and 6 more.");
    done(await desk.computer.remove("workspace/in"));
    await desk.write(".choirignore", "!__pycache__/\n!*.swp\n");
    expect(done(await desk.computer.add(folder, "workspace/in")).notes).toEqual([]);
    expect(names(desk)).toContain("workspace/in/p24/__pycache__/x");
  });

  test("ACT-13: what git tracks and is ignored all the same is told by name, and nothing of the repository is run", async () => {
    const desk = await stage();
    const folder = folderWith({
      "src/a": "1",
      "dist/a.js": "1",
      "dist/deep/b.js": "1",
      "dist-notes": "1",
      "build/x": "1",
    });
    const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, env: { PATH: process.env.PATH } });
    git("init", "-q");
    git("add", "src", "dist", "dist-notes");
    git("config", "core.fsmonitor", `touch ${join(folder, "ran")}`);
    const tracked = "Git tracks some of what was left out: dist/a.js, dist/deep/b.js.";
    for (const version of ["2", "4"]) {
      git("-c", "core.fsmonitor=", "update-index", "--index-version", version);
      const added = done(await desk.computer.add(folder, `workspace/in${version}`));
      expect(added.notes).toContain(tracked);
    }
    expect(names(desk)).not.toContain("workspace/in2/ran");
    const part = done(await desk.computer.add(join(folder, "dist"), "workspace/part"));
    expect(part.notes).toEqual([]); // a folder that somebody names is wanted, whatever it is called
  });

  test.each(["sha1", "sha256"])(
    "ACT-13: in a repository of %s, from a folder in it, and for what is only meant to be added",
    async (hash) => {
      const desk = await stage();
      const folder = folderWith({ "app/src/a": "1", "app/dist/a.js": "1", "app/dist/b.js": "1", "dist/c.js": "1" });
      const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, env: { PATH: process.env.PATH } });
      git("init", "-q", `--object-format=${hash}`);
      git("add", "--intent-to-add", "app/dist/a.js");
      git("add", ".");
      git("rm", "-q", "--cached", "app/dist/b.js");
      git("add", "--intent-to-add", "app/dist/b.js");
      const { notes } = done(await desk.computer.add(join(folder, "app"), "workspace/app"));
      expect(notes).toContain("Git tracks some of what was left out: dist/a.js, dist/b.js.");
    },
  );

  test("ACT-13: an index that git didn't write says nothing, and stops nothing", async () => {
    const desk = await stage();
    for (const [i, index] of ["", "DIRC", `DIRC\0\0\0\x02\0\0\0\xff${"x".repeat(200)}`].entries()) {
      const folder = folderWith({ ".git/index": index, "dist/a": "1", kept: "1" });
      expect(done(await desk.computer.add(folder, `workspace/in${i}`)).notes).toHaveLength(1);
    }
  });

  test("ACT-14: a log of ChoirOS is left out and told, wherever it is", async () => {
    const desk = await stage();
    const log = "users/bob/.choir/log.sqlite";
    const folder = folderWith({
      [`old/${log}`]: "1",
      "old/users/bob/workspace/x": "1",
      "b/.choir/log.sqlite": "1",
      "b/y": "1",
      "users/z": "1",
    });
    const added = done(await desk.computer.add(folder, "workspace/in"));
    expect(added.notes).toEqual([
      expect.stringMatching(/b\/\.choir was left out: it is ChoirOS's own/),
      expect.stringMatching(/old was left out: it is ChoirOS's own/),
    ]);
    expect(names(desk)).toEqual([
      "workspace/in",
      "workspace/in/b",
      "workspace/in/b/y",
      "workspace/in/users",
      "workspace/in/users/z",
    ]);
    await expectRefused(desk, () => desk.computer.add(join(folder, "old"), "workspace/home"), {
      message: expect.stringContaining("is a ChoirOS home"),
    });
  });

  test("ACT-14: neither what the computer is in nor what is in it can be added, by any name", async () => {
    const desk = await stage();
    await desk.write("d/x", "1");
    const link = join(elsewhere(), "link");
    symlinkSync(desk.root, link);
    for (const folder of [desk.at("d"), desk.root, link, join(link, "workspace")]) {
      await expectRefused(desk, () => desk.computer.add(folder, "workspace/in"), {
        message: expect.stringContaining("is in this computer's own folder"),
      });
    }
    for (const folder of [dirname(desk.root), "/"]) {
      await expectRefused(desk, () => desk.computer.add(folder, "workspace/in"), {
        message: expect.stringContaining("holds this ChoirOS home itself"),
      });
    }
  });

  test("ACT-5: a link to a folder that somebody names is followed, and links in it are links", async () => {
    const desk = await stage();
    const folder = folderWith({ "real/x": "1" });
    symlinkSync("real", join(folder, "named"));
    symlinkSync(".", join(folder, "real/itself"));
    done(await desk.computer.add(join(folder, "named"), "workspace/in"));
    expect(desk.disk()).toMatchObject({ "workspace/in/x": fileText("1"), "workspace/in/itself": linkText(".") });
  });

  test("ACT-5: a FIFO is named, and keeps nobody waiting", async () => {
    const desk = await stage();
    const folder = folderWith({ x: "1" });
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const added = done(await desk.computer.add(folder, "workspace/in"));
    expect(added.notes).toEqual([`${join(folder, "pipe")} was left out: it is a FIFO`]);
  });
});
