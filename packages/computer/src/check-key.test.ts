import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkKey } from "./check-key.ts";
import { computerStage, type Desk, folderOfOurOwn } from "./testing/computer-stage.ts";
import { CANARY, hostilePaths, plantHardLink, plantOutside, plantTraps } from "./testing/hostile-paths.ts";

const stage = computerStage();
const elsewhere = folderOfOurOwn();

test.each([
  ["workspace/notes.md", undefined],
  ["artifacts/system/theme.json", undefined],
  ["workspace/odd//ff", undefined],
  ["workspace", "is one of a computer's areas"],
  ["other/x", "is not in workspace, artifacts, choiros"],
  ["/etc/passwd", "is not in"],
  ["workspace/../x", "has a part that is no name"],
  ["workspace/a\0b", "holds a NUL"],
  [`workspace/${"n".repeat(256)}`, "has a name that is too long"],
  [".choir/log.sqlite", "is not in"],
  [".git/config", "is not in"],
])("COMP-14: %j is judged by its spelling alone", (key, why) => {
  if (why === undefined) expect(checkKey(key)).toBeUndefined();
  else expect(checkKey(key)).toContain(why);
});

/** Everything that takes a path, on one path. What comes back is for the test to look through. */
const WAYS: [name: string, way: (desk: Desk, key: string, folder: string) => Promise<unknown>][] = [
  ["write", ({ computer }, key) => computer.write(key, Buffer.from("written by a hostile hand"))],
  ["remove", ({ computer }, key) => computer.remove(key)],
  ["move from", ({ computer }, key) => computer.move(key, "workspace/moved")],
  ["move to", ({ computer }, key) => computer.move("workspace/mine", key)],
  ["add", ({ computer }, key, folder) => computer.add(folder, key)],
  ["restore", ({ computer }, key) => computer.restore(key, 1)],
  ["capture", ({ computer }, key) => computer.capture([key])],
  ["files", ({ computer }, key) => Array.fromAsync(computer.files({ under: key }))],
  ["history", ({ computer }, key) => Array.fromAsync(computer.history(key))],
  [
    "read",
    async ({ computer }, key) => {
      const found = await computer.read(key);
      return found && Buffer.concat(await Array.fromAsync(found.bytes())).toString("utf8");
    },
  ],
];

describe("hostile paths", () => {
  test.each(WAYS)(
    "COMP-14: %s leads nowhere outside, by any of 500 spellings and through no link",
    async (_, way) => {
      const desk = await stage();
      const outside = elsewhere();
      const folder = elsewhere();
      plantOutside(outside);
      const before = readAll(outside);
      await desk.write("mine", "mine");
      const traps = plantTraps(desk.root, outside);
      plantHardLink(desk.root, outside);
      for (const key of [...hostilePaths(outside), ...traps]) {
        const answer = await way(desk, key, folder).catch((error: unknown) => String(error));
        expect(JSON.stringify(answer) ?? "").not.toContain(CANARY);
      }
      expect(readAll(outside)).toEqual(before);
      await desk.computer.capture();
      expect(await desk.computer.verify()).toMatchObject({ state: { ok: true } });
    },
    60_000,
  );
});

/** Every file outside, by its path. */
function readAll(outside: string): Record<string, string> {
  const names = readdirSync(outside, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(file, "utf8")]));
}
