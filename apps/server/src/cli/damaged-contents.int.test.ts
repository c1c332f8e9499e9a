import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { expect, onTestFinished, test } from "vitest";
import type { Home } from "../home.ts";
import { choir, tempHome } from "../testing/temp-home.ts";

keepThreads();

function run(home: Home, words: readonly string[], input?: Uint8Array) {
  return choir(home, [...words, "--user", "ada"], input === undefined ? {} : { input });
}

/** A large file with three versions, the first two of which have nearly all of their bytes in one place. */
async function withVersions(): Promise<Home> {
  const home = tempHome();
  const first = randomBytes(3_000_000);
  for (const bytes of [first, Buffer.concat([first, Buffer.from("one more line\n")]), randomBytes(5_000_000)]) {
    expect((await run(home, ["write", "x"], bytes)).exit).toBe(0);
  }
  return home;
}

function damage(home: Home): void {
  const folder = join(home.storeOf("ada"), "contents");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const path = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .find((one) => Math.abs(statSync(one).size - 3_000_000) < 500_000);
  if (path === undefined) throw new Error("there is no file of that size");
  const bytes = readFileSync(path);
  bytes.fill(0, 1000, 1006);
  writeFileSync(path, bytes);
}

function folderOfOwn(): string {
  const folder = mkdtempSync(join(tmpdir(), "choir-export-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("COMP-11: an export that lacks damaged contents names them, ends with 1, and an import of it calls them missing", async () => {
  const home = await withVersions();
  damage(home);
  const file = join(folderOfOwn(), "d.choir");
  const exported = await run(home, ["export", file]);
  expect(exported.exit).toBe(1);
  expect(exported.out).toMatch(/^Exported 4 events and 1 content, 5.0 MB/);
  expect(exported.aside).toContain("2 contents could not be exported");
  expect(exported.aside).toMatch(/[0-9a-f]{64} is damaged; event 2 names it for x\n/);
  const json = await run(home, ["export", "--json", `${file}.2`]);
  const first = [
    { hash: expect.any(String), path: "x", seq: 2, state: "damaged" },
    { hash: expect.any(String), path: "x", seq: 3, state: "damaged" },
  ];
  expect({ exit: json.exit, missing: JSON.parse(json.out).missing }).toEqual({ exit: 1, missing: { count: 2, first } });

  const other = tempHome();
  const imported = await run(other, ["import", file]);
  expect(imported).toMatchObject({ exit: 0, aside: expect.stringContaining("2 contents were missing") });
  const verified = JSON.parse((await run(other, ["verify", "--json"])).out);
  expect(verified).toMatchObject({ ok: false, contents: { pruned: 0 } });
  expect(verified.contents.problems.map(({ state }: { state: string }) => state)).toEqual(["missing", "missing"]);
});

test("UNDO-6: what would bring back a damaged content is a conflict that says so, and nothing is touched", async () => {
  const home = await withVersions();
  damage(home);
  const standing = readFileSync(join(home.rootOf("ada"), "workspace/x"));
  for (const words of [
    ["rewind", "3"],
    ["undo", "4"],
    ["undo", "4", "--take-theirs"],
    ["undo", "4", "--preview"],
  ]) {
    const { exit, out } = await run(home, words);
    expect({ words, exit, out }).toEqual({ words, exit: 3, out: expect.stringContaining("its content is damaged") });
  }
  const restored = await run(home, ["restore", "x", "--at", "2"]);
  expect(restored).toMatchObject({ exit: 1, aside: expect.stringContaining("x: its content is damaged") });
  expect(JSON.parse((await run(home, ["status", "--json"])).out).computers[0].events).toBe(4);
  expect(readFileSync(join(home.rootOf("ada"), "workspace/x")).equals(standing)).toBe(true);
  rmSync(join(home.storeOf("ada"), "contents"), { recursive: true });
  const missing = await run(home, ["rewind", "3"]);
  expect(missing).toMatchObject({ exit: 3, out: expect.stringMatching(/its content is (missing|damaged)/) });
});
