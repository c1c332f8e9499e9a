import { expect, test } from "vitest";
import type { FileLine } from "../../desk/shapes.ts";
import { partOf } from "./keys.ts";
import { asIfDone, placing } from "./placing.ts";

const file = (name: string, size = 0, seq = 1): FileLine => ({
  ...{ key: `w/${name}`, seq },
  entry: { kind: "file", hash: "0".repeat(64), mode: 0o644, size },
});
const dir = (name: string, seq = 1): FileLine => ({ key: `w/${name}`, entry: { kind: "dir", mode: 0o755 }, seq });
const namesOf = (lines: readonly FileLine[]) => lines.map(({ key }) => partOf(key));

test("FILES-7: what is pasted into its own folder is a copy that says so; what is moved there stays", () => {
  const there = [file("a.md"), dir("d")];
  expect(placing("copy", ["w/a.md", "w/d"], "w", there)).toEqual({
    deeds: [{ copy: { from: "w/a.md", to: "w/a copy.md" } }, { copy: { from: "w/d", to: "w/d copy" } }],
    keys: ["w/a copy.md", "w/d copy"],
  });
  expect(placing("move", ["w/a.md"], "w", there)).toEqual({ deeds: [], keys: [] });
});

test("FILES-7: nothing is ever overwritten: a name that is taken gets a number, also among those that come together", () => {
  expect(placing("move", ["v/a.md", "u/a.md"], "w", [file("a.md")])).toMatchObject({ keys: ["w/a 2.md", "w/a 3.md"] });
});

test("FILES-8: nothing is put into itself", () => {
  expect(placing("move", ["w/d"], "w/d/e", [])).toEqual({ why: "“d” can't be put into itself." });
  expect(placing("copy", ["w/d"], "w/d", [])).toEqual({ why: "“d” can't be put into itself." });
  expect(placing("move", ["w/d"], "w/de", [])).toMatchObject({ keys: ["w/de/d"] });
});

test("FILES-9: what is done is seen at once", () => {
  const lines = [file("a"), file("b"), dir("d")];
  const after = asIfDone(lines, "w", [
    { move: { from: "w/a", to: "w/c" } },
    { remove: { key: "w/b" } },
    { folder: { key: "w/n" } },
    { copy: { from: "w/c", to: "w/c copy" } },
    { move: { from: "w/d", to: "v/d" } },
    { folder: { key: "v/elsewhere" } },
    { file: { key: "w/new.md" } },
  ]);
  expect(namesOf(after)).toEqual(["c", "n", "c copy", "new.md"]);
});
