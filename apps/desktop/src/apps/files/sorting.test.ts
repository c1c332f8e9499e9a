import { expect, test } from "vitest";
import type { FileLine } from "../../desk/shapes.ts";
import { partOf } from "./keys.ts";
import { nextOrder, sorted } from "./sorting.ts";

const file = (name: string, size = 0, seq = 1): FileLine => ({
  ...{ key: `w/${name}`, seq },
  entry: { kind: "file", hash: "0".repeat(64), mode: 0o644, size },
});
const dir = (name: string, seq = 1): FileLine => ({ key: `w/${name}`, entry: { kind: "dir", mode: 0o755 }, seq });
const namesOf = (lines: readonly FileLine[]) => lines.map(({ key }) => partOf(key));

const LINES = [file("b10.md", 5, 1), file("B9.md", 1, 3), dir("z", 2), file("a.png", 9, 4), dir("y", 5)];

test("FILES-3: by name, numbers count as numbers, capitals as small letters, and folders come first", () => {
  expect(namesOf(sorted(LINES, { by: "name", down: false }))).toEqual(["y", "z", "a.png", "B9.md", "b10.md"]);
  expect(namesOf(sorted(LINES, { by: "name", down: true }))).toEqual(["z", "y", "b10.md", "B9.md", "a.png"]);
});

test("FILES-3: by size, by when it changed, by who and by kind; what is equal in that stands by name", () => {
  expect(namesOf(sorted(LINES, { by: "size", down: true }))).toEqual(["y", "z", "a.png", "b10.md", "B9.md"]);
  expect(namesOf(sorted(LINES, { by: "changed", down: true }))).toEqual(["y", "z", "a.png", "B9.md", "b10.md"]);
  expect(namesOf(sorted(LINES, { by: "kind", down: false }))).toEqual(["y", "z", "B9.md", "b10.md", "a.png"]);
  const made = [file("a"), file("b"), file("c")].map((line, i) => ({ ...line, by: ["user", "agent", "outside"][i] }));
  expect(namesOf(sorted(made, { by: "by", down: false }))).toEqual(["b", "c", "a"]);
});

test("FILES-3: the same column again turns the order around", () => {
  const name = { by: "name", down: false } as const;
  expect(nextOrder(name, "name")).toEqual({ by: "name", down: true });
  expect(nextOrder(name, "size")).toEqual({ by: "size", down: true });
});
