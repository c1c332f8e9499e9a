import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";

import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { expect, onTestFinished, test } from "vitest";
import { choir, choirBytes, tempHome } from "../testing/temp-home.ts";

keepThreads();

/** Files and links below a folder, as git tells them apart. */
function tree(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(item.parentPath, item.name);
    const name = path.slice(folder.length + 1);
    if (item.isSymbolicLink()) found[name] = `-> ${readlinkSync(path)}`;
    if (item.isFile()) found[name] = `${lstatSync(path).mode & 0o100 ? "x" : "-"} ${readFileSync(path, "latin1")}`;
  }
  return found;
}

test("UNDO-14: git apply takes what 'diff' prints, there and back", async () => {
  const home = tempHome();
  const workspace = join(home.rootOf("ada"), "workspace");
  const put = (name: string, text: string) => writeFileSync(join(workspace, name), text);
  await choir(home, ["write", "gone", "--user", "ada"], { input: "it was here\n" });
  for (const name of ["two words.txt", 'a "quote"', "Grüße", "\t\n\u001b[2J"]) put(name, `${name}\r\nend`);
  put("run", "#!/bin/sh\n");
  put("mode", "the same\n");
  put("empty", "");
  for (const name of ["to move", 'Grüße zu "zweit"', "moved\tand run", "one of two"])
    put(name, `of ${name.slice(0, 3)}\n`);
  put("two of two", "of one\n");

  writeFileSync(join(workspace, "bytes"), Buffer.from([0, 1, 2, 255]));
  writeFileSync(join(workspace, "latin1"), Buffer.from("caf\u00e9\n", "latin1"));
  writeFileSync(join(workspace, "bytes gone"), Buffer.alloc(60_000, "\0abc"));
  put("large", "large\n".repeat(20_000));
  symlinkSync("nowhere", join(workspace, "moved link"));
  symlinkSync("run", join(workspace, "link"));
  const { out: first } = await choir(home, ["events", "--from", "-1", "--json"]);
  const [before, from] = [tree(workspace), String(JSON.parse(first).seq)];
  const was = mkdtempSync(join(tmpdir(), "choir-apply-"));
  onTestFinished(() => rmSync(was, { recursive: true, force: true }));
  cpSync(workspace, join(was, "workspace"), { recursive: true, verbatimSymlinks: true });

  for (const name of ["two words.txt", 'a "quote"', "Grüße", "\t\n\u001b[2J"]) put(name, `${name}\r\nanother end\n`);
  put("run", "#!/bin/sh\necho hello\n");
  for (const name of ["run", "mode"]) chmodSync(join(workspace, name), 0o755);
  writeFileSync(join(workspace, "bytes"), Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i) % 251)));
  writeFileSync(join(workspace, "latin1"), "caf\u00e9\n");
  writeFileSync(join(workspace, "bytes that came"), Buffer.from([0]));
  for (const name of ["gone", "bytes gone", "empty", "link"]) rmSync(join(workspace, name));
  mkdirSync(join(workspace, "deep/hollow"), { recursive: true });
  put("deep/new", "");
  symlinkSync("../run", join(workspace, "deep/link"));
  put("link", "a file by now\n");
  const move = (from: string, to: string) => renameSync(join(workspace, from), join(workspace, to));
  move("to move", "deep/moved");
  move('Grüße zu "zweit"', 'deep/Grüße zu "dritt"');
  move("moved\tand run", "deep/run");
  chmodSync(join(workspace, "deep/run"), 0o755);
  move("one of two", "deep/one of two");
  move("two of two", "deep/another");
  move("large", "deep/large");
  move("moved link", "deep/moved link");

  const apply = async (words: string[]) => {
    const { out } = await choirBytes(home, ["diff", ...words]);
    const env = { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: tmpdir() };
    execFileSync("git", ["apply", "--whitespace=nowarn"], { cwd: was, env, input: out });
    return tree(join(was, "workspace"));
  };
  const { out: last } = await choir(home, ["events", "--from", "-1", "--json"]);
  const to = String(JSON.parse(last).seq);
  expect(await apply([from, to])).toEqual(tree(workspace));
  expect(await apply([to, from])).toEqual(before);
  const { out: forth } = await choir(home, ["diff", from, to]);
  expect(forth.match(/^rename to .*$/gm)?.map((line) => line.slice("rename to workspace/deep/".length))).toEqual([
    expect.stringContaining("dritt"),
    ...["another", "large", "moved", "moved link", "one of two", "run"],
  ]);
});

test("UNDO-14: a move is told as a move by diff, preview and events, in JSON with where it came from", async () => {
  const home = tempHome();
  await choir(home, ["write", "a.txt", "--user", "ada"], { input: "the same\n" });
  await choir(home, ["exec", "--", "sh", "-c", "mkdir d; mv a.txt 'd/b c.txt'"]);
  const { out: diff } = await choir(home, ["diff", "2"]);
  expect(diff).toContain("similarity index 100%\nrename from workspace/a.txt\nrename to workspace/d/b c.txt\n");
  const { out: json } = await choir(home, ["diff", "2", "--json"]);
  const changes = json
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(changes.map(({ path, from }) => [path, from])).toEqual([
    ["d", undefined],
    ["d/b c.txt", "a.txt"],
  ]);
  const preview = await choir(home, ["undo", "4", "--preview"]);
  expect(preview.out).toContain("rename from workspace/d/b c.txt\nrename to workspace/a.txt\n");
  expect(preview.aside).toContain("3 paths would change");
  const { out: events } = await choir(home, ["events", "--from", "3"]);
  expect(
    events
      .trimEnd()
      .split("\n")
      .map((line) => line.slice(58)),
  ).toEqual(["mkdir d; mv a.txt 'd/b c.txt'", "d, renamed a.txt -> d/b c.txt", "ok, exit 0"]);
});
