import { expect, test } from "vitest";
import { faultOfName, faultOfPath } from "./name-fault.ts";

test.each([
  ["", "at least one character"],
  ["  ", "at least one character"],
  [".", "means a folder"],
  ["..", "means a folder"],
  ["a/b", "slash"],
  ["a\u202eb", "can't be seen"],
  ["a\0", "can't be seen"],
  ["é".repeat(128), "256 bytes"],
  ["here", "“here” is here already"],
])("FILES-5: the name %j is refused with what is wrong", (name, why) => {
  expect(faultOfName(name, new Set(["here"]))).toContain(why);
});

test("FILES-5: names that people use are fine", () => {
  for (const name of ["a.md", ".profile", "Grüße 世界 👍🏽", "a: b?*", "...", "é".repeat(127)])
    expect(faultOfName(name, new Set())).toBeUndefined();
});

test("DESK-43: a name with folders before it is refused with what is wrong with any part of it", () => {
  expect(faultOfPath("letters/to Ana.md")).toBeUndefined();
  expect(faultOfPath("../x")).toContain("“..” means a folder");
  expect(faultOfPath("/")).toContain("at least one character");
  expect(faultOfPath("/etc")).toContain("begins with a slash");
  expect(faultOfPath("x/")).toContain("a name has to follow the slash");
  expect(faultOfPath("a\0b")).toContain("can't be seen");
});
