import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "./apply-edits.ts";

const edit = (text: string, old: string, young: string, all?: boolean) => applyEdits(text, [{ old, new: young, all }]);

test("TOOL-8: a text that stands there once is replaced, to the character", () => {
  expect(edit("a\n  b\nc\n", "  b\n", "")).toEqual({ ok: true, text: "a\nc\n" });
});

test("TOOL-8: one that stands there often is replaced nowhere, or everywhere where that is wished", () => {
  expect(edit("x\ny\nx\n", "x", "z")).toEqual({
    ok: false,
    why: "'old' stands there 2 times (lines 1, 3): give more of what is around it, or set 'all'",
  });
  expect(edit("x\ny\nx\n", "x", "xx", true)).toEqual({ ok: true, text: "xx\ny\nxx\n" });
});

test("TOOL-8: one that doesn't stand there, an empty one, and a change that is none are refused", () => {
  expect(edit("a", "b", "c")).toMatchObject({ ok: false, why: "'old' doesn't stand in the file" });
  expect(edit("a", "", "c")).toMatchObject({ ok: false });
  expect(edit("a", "a", "a")).toMatchObject({ ok: false, why: "it would change nothing" });
});

test("TOOL-8: several edits follow one another, or none is done", () => {
  expect(
    applyEdits("a b", [
      { old: "a", new: "c" },
      { old: "c b", new: "d" },
    ]),
  ).toEqual({ ok: true, text: "d" });
  expect(
    applyEdits("a b", [
      { old: "a", new: "c" },
      { old: "a", new: "d" },
    ]),
  ).toMatchObject({
    ok: false,
    why: "edit 2: 'old' doesn't stand in the file",
  });
});

test("TOOL-8: ends of lines stay what they are there", () => {
  expect(edit("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz")).toEqual({ ok: true, text: "x\r\ny\r\nz\r\nc\r\n" });
  expect(edit("a\nb\r\nc\n", "b\n", "x\ny\n")).toEqual({ ok: true, text: "a\nx\r\ny\r\nc\n" });
  expect(edit("a\r\nb\nc\n", "b\n", "x\ny\n")).toEqual({ ok: true, text: "a\r\nx\ny\nc\n" });
  expect(edit("a\r\nb\r\n", "b", "x\ny")).toEqual({ ok: true, text: "a\r\nx\r\ny\r\n" });
  expect(edit("a\r\nb", "a\r\n", "")).toEqual({ ok: true, text: "b" });
});

test("TOOL-8: what is around an edit is untouched, whatever the ends of lines are", () => {
  const lines = fc.array(fc.tuple(fc.stringMatching(/^[ab\r]{0,3}$/), fc.constantFrom("\n", "\r\n")), { maxLength: 8 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const [head, tail] = [before, after].map((all) => all.flat().join("")) as [string, string]; // of two, two
      const edited = edit(`${head}MARK${tail}`, "MARK", "new");
      expect(edited).toEqual({ ok: true, text: `${head}new${tail}` });
    }),
  );
});
