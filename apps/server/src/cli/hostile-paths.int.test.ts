import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CANARY, hostilePaths, plantOutside, plantTraps } from "@choiros/computer/testing/hostile-paths";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { keyBytes } from "@choiros/contract";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../testing/served-home.ts";
import { choir, tempHome } from "../testing/temp-home.ts";
import { pathArgument } from "./path-argument.ts";

keepThreads();

function outside(): string {
  const folder = mkdtempSync(join(tmpdir(), "choir-outside-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  plantOutside(folder);
  return folder;
}

/** Everything below a folder, with what is in it. */
function everything(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((item) => item.isFile());
  return new Map(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")]),
  );
}

/** What a hostile path comes to: the key it is taken for, or nothing. */
function taken(word: string, options: { area?: boolean } = {}): string | undefined {
  try {
    return pathArgument(word, options);
  } catch {
    return undefined;
  }
}

test("S1: a hostile path is refused, or names something in one of the areas", () => {
  const words = hostilePaths("/outside");
  for (const key of [...words.map((word) => taken(word)), ...words.map((word) => taken(word, { area: true }))]) {
    if (key === undefined) continue;
    const [area, ...names] = Buffer.from(keyBytes(key)).toString("latin1").split("/");
    expect(area).toBeOneOf(["workspace", "artifacts", "choiros"]);
    for (const name of names) expect(name).not.toBeOneOf(["", ".", ".."]);
  }
});

test("S1: no PATH of any command reads or writes outside, through a server or on the folder", async () => {
  const home = tempHome();
  const folder = outside();
  const before = everything(folder);
  const server = await serve(home);
  mkdirSync(join(home.rootOf("ada"), "workspace"), { recursive: true });
  const traps = plantTraps(home.rootOf("ada"), folder).map((key) => `/${key}`);
  const words = [...traps, ...hostilePaths(folder).filter((word) => taken(word) !== undefined)];
  const attempt = async (line: string[]) => {
    const { exit, out } = await choir(home, line, { input: "changed by a hostile path" });
    expect(exit, JSON.stringify(line)).toBeOneOf([0, 1]);
    expect(out).not.toContain(CANARY);
  };
  for (const word of some(words, 12)) for (const line of lines(word)) await attempt(line);
  await server.close();
  for (const line of some(words, 2).flatMap(lines)) await attempt(line);
  expect(everything(folder)).toEqual(before);
  expect((await choir(home, ["verify"])).exit).toBe(0);
});

function lines(word: string): string[][] {
  return [
    ["cat", "--", word],
    ["write", "--", word],
    ["files", "--", word],
    ["rm", "--", word],
  ];
}

/** Spread over the whole list. */
function some(all: readonly string[], count: number): string[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, i) => i % step === 0);
}
