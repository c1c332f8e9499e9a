import { expect, test } from "vitest";
import type { Shown } from "../server/shapes.ts";
import { differencesOf } from "./differences.ts";

const FILE = { hash: "0a".repeat(32), kind: "file", mode: 0o644, size: 1 } as const;

function shown(key: string, before: typeof FILE | null, after: typeof FILE | null, from?: string): Shown {
  return { change: { after, before, key }, ...(from !== undefined && { from }) };
}

test("CONSOLE-40: every folder above something that changed, went, came or moved differs; of the paths those that were there", () => {
  const { folders, paths } = differencesOf([
    shown("workspace/a/b/changed", FILE, FILE),
    shown("workspace/c/gone", FILE, null),
    shown("workspace/d/new", null, FILE),
    shown("workspace/e/to", null, FILE, "workspace/f/from"),
  ]);
  expect([...folders].sort()).toEqual(["", "/a", "/a/b", "/c", "/d", "/e", "/f"].map((end) => `workspace${end}`));
  expect(Object.fromEntries(paths)).toEqual({
    "workspace/a/b/changed": "changed",
    "workspace/c/gone": "gone",
    "workspace/f/from": "gone",
  });
});
