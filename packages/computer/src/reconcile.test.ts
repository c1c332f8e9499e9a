import type { Entry } from "@choiros/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sameEntry } from "./merge/merge-entries.ts";
import { judge, nameBeside, type Standing, type Verdict } from "./reconcile.ts";

const file = (letter: string, mode = 0o644): Entry => ({ hash: letter.repeat(64), kind: "file", mode, size: 1 });
const [a, b, c] = [file("a"), file("b"), file("c")];
const dir: Entry = { kind: "dir", mode: 0o755 };

const rows: [what: string, trees: Omit<Standing, "former"> & { former?: boolean }, verdict: Verdict][] = [
  ["nothing anywhere", { state: null, seen: null, disk: null }, "settled"],
  ["the same everywhere", { state: a, seen: a, disk: a }, "settled"],
  ["both made the same of it", { state: b, seen: a, disk: b }, "settled"],
  ["both deleted it", { state: null, seen: a, disk: null }, "settled"],
  ["ours, new", { state: a, seen: null, disk: null }, "land"],
  ["ours, changed", { state: b, seen: a, disk: a }, "land"],
  ["ours, deleted", { state: null, seen: a, disk: a }, "land"],
  ["ours, a mode", { state: file("a", 0o755), seen: a, disk: a }, "land"],
  ["theirs, new", { state: null, seen: null, disk: a }, "capture"],
  ["theirs, changed", { state: a, seen: a, disk: b }, "capture"],
  ["theirs, deleted", { state: a, seen: a, disk: null }, "capture"],
  ["theirs, a mode", { state: a, seen: a, disk: file("a", 0o600) }, "capture"],
  ["theirs, a directory in place of a file", { state: a, seen: a, disk: dir }, "capture"],
  ["changed by both", { state: b, seen: a, disk: c }, "merge"],
  ["made by both, differently", { state: b, seen: null, disk: c }, "merge"],
  ["deleted by them, changed by us", { state: b, seen: a, disk: null }, "land"],
  ["deleted by us, changed by them", { state: null, seen: a, disk: b }, "capture"],
  ["nobody knows, and nothing is there", { state: a, seen: undefined, disk: null, former: true }, "land"],
  ["nobody knows, and the log had it once", { state: b, seen: undefined, disk: a, former: true }, "land"],
  ["nobody knows, and the log never had it", { state: b, seen: undefined, disk: c }, "capture"],
  [
    "nobody knows, and the log has deleted what it had",
    { state: null, seen: undefined, disk: a, former: true },
    "land",
  ],
];

describe("the three trees", () => {
  test.each(rows)("CAP-1: %s", (_, trees, verdict) => {
    expect(judge({ former: false, ...trees })).toBe(verdict);
  });

  test("CAP-1: whatever only one side did is done, and nothing that differs is ever left alone", () => {
    const entry = fc.constantFrom(null, a, b, c, dir);
    fc.assert(
      fc.property(entry, entry, entry, (state, seen, disk) => {
        const verdict = judge({ state, seen, disk, former: false });
        expect(verdict === "settled").toBe(sameEntry(state, disk));
        if (verdict === "capture") expect(disk === null && !sameEntry(state, seen)).toBe(false);
        if (verdict === "land") expect(sameEntry(disk, seen) || disk === null).toBe(true); // only what we left is replaced
      }),
    );
  });
});

test("CAP-4: the other version has a name that says what it is, and opens with the same program", () => {
  expect(nameBeside("workspace/notes.md", "outside", 1)).toBe("workspace/notes (outside).md");
  expect(nameBeside("workspace/notes.md", "outside", 2)).toBe("workspace/notes (outside 2).md");
  expect(nameBeside("workspace/a.b/Makefile", "outside", 1)).toBe("workspace/a.b/Makefile (outside)");
  expect(nameBeside("workspace/.env", "outside", 1)).toBe("workspace/.env (outside)");
  expect(nameBeside("workspace/x.tar.gz", "outside", 1)).toBe("workspace/x.tar (outside).gz");
  expect(nameBeside("workspace/d//ff.txt", "outside", 1)).toBe("workspace/d//ff (outside).txt");
});
