import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CANARY, hostilePaths, plantOutside, plantTraps } from "@choiros/computer/testing/hostile-paths";
import { afterEach, expect, test } from "vitest";
import { diskOf } from "./testing/disk-of.ts";
import { toolStage } from "./testing/tool-stage.ts";

const outside = mkdtempSync(join(tmpdir(), "choir-outside-"));
const stage = toolStage();
afterEach(() => rmSync(outside, { recursive: true, force: true }));

test.each([
  ["read_file", 0],
  ["list_files", 0],
  ["open_window", 0],
  ["write_file", 0],
  ["write_file", 1],
  ["write_file", 2],
])("TOOL-15: no path that a model gives to %s leads out of the computer's areas (part %i)", async (tool, part) => {
  const desk = await stage();
  plantOutside(outside);
  const traps = plantTraps(desk.computer.root, outside).map((key) => key.slice("workspace/".length));
  await desk.computer.capture();
  const before = diskOf(outside);
  desk.work.grants.add("edit /").add("secret /");
  const isWrite = tool === "write_file"; // each is an action of its own, and takes its time
  const paths = [...hostilePaths(outside), ...traps.slice(0, 40)].filter((_, i) => !isWrite || i % 3 === part);
  const uses = paths.map((path) => desk.use(tool, isWrite ? { path, content: "through" } : { path }));
  for (const { text } of await Promise.all(uses)) expect(text).not.toContain(CANARY);
  expect(diskOf(outside)).toEqual(before);
});
