import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "./apply-edits.ts";

const going = new AbortController().signal;
const edit = (text: string, old: string, young: string, all?: boolean) =>
  applyEdits(text, [{ old, new: young, all }], going);

test("TOOL-8: a text that stands there once is replaced, to the character", async () => {
  expect(await edit("a\n  b\nc\n", "  b\n", "")).toEqual({ ok: true, text: "a\nc\n" });
});

test("TOOL-8: one that stands there often is replaced nowhere, or everywhere where that is wished", async () => {
  expect(await edit("x\ny\nx\n", "x", "z")).toEqual({
    ok: false,
    why: "'old' stands there 2 times (lines 1, 3): give more of what is around it, or set 'all'",
  });
  expect(await edit("x\ny\nx\n", "x", "xx", true)).toEqual({ ok: true, text: "xx\ny\nxx\n" });
});

test("TOOL-8: one that doesn't stand there, an empty one, and a change that is none are refused", async () => {
  expect(await edit("a", "b", "c")).toMatchObject({ ok: false, why: "'old' doesn't stand in the file" });
  expect(await edit("a", "", "c")).toMatchObject({ ok: false });
  expect(await edit("a", "a", "a")).toMatchObject({ ok: false, why: "it would change nothing" });
});

test("TOOL-8: several edits follow one another, or none is done", async () => {
  expect(
    await applyEdits(
      "a b",
      [
        { old: "a", new: "c" },
        { old: "c b", new: "d" },
      ],
      going,
    ),
  ).toEqual({ ok: true, text: "d" });
  expect(
    await applyEdits(
      "a b",
      [
        { old: "a", new: "c" },
        { old: "a", new: "d" },
      ],
      going,
    ),
  ).toMatchObject({
    ok: false,
    why: "edit 2: 'old' doesn't stand in the file",
  });
});

test("TOOL-8: ends of lines stay what they are there", async () => {
  expect(await edit("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz")).toEqual({ ok: true, text: "x\r\ny\r\nz\r\nc\r\n" });
  expect(await edit("a\nb\r\nc\n", "b\n", "x\ny\n")).toEqual({ ok: true, text: "a\nx\r\ny\r\nc\n" });
  expect(await edit("a\r\nb\nc\n", "b\n", "x\ny\n")).toEqual({ ok: true, text: "a\r\nx\ny\nc\n" });
  expect(await edit("a\r\nb\r\n", "b", "x\ny")).toEqual({ ok: true, text: "a\r\nx\r\ny\r\n" });
  expect(await edit("a\r\nb", "a\r\n", "")).toEqual({ ok: true, text: "b" });
});

test("TOOL-8: what is around an edit is untouched, whatever the ends of lines are", async () => {
  const lines = fc.array(fc.tuple(fc.stringMatching(/^[ab\r]{0,3}$/), fc.constantFrom("\n", "\r\n")), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lines, lines, async (before, after) => {
      const [head, tail] = [before, after].map((all) => all.flat().join("")) as [string, string]; // of two, two
      const edited = await edit(`${head}MARK${tail}`, "MARK", "new");
      expect(edited).toEqual({ ok: true, text: `${head}new${tail}` });
    }),
  );
});

test("TOOL-8: many edits of a large text let others go on meanwhile, and end with a stop", async () => {
  const text = "a line of text with crlf\r\n".repeat(100_000);
  const edits = Array.from({ length: 40 }, (_, i) => ({ old: `${i}`.padStart(2, "x"), new: `x${i + 1}`, all: true }));
  const stop = new AbortController();
  let turns = 0;
  const timer = setInterval(() => ++turns === 3 && stop.abort(new Error("that is enough")), 0);
  const first = [{ old: "a line", new: "x0 line", all: true }];
  await expect(applyEdits(text, [...first, ...edits], stop.signal)).rejects.toThrow("that is enough");
  clearInterval(timer);
});

test("TOOL-8: what would make a text too large is refused before it is made", async () => {
  const doubled = Array.from({ length: 60 }, () => ({ old: "a", new: "aa", all: true }));
  expect(await applyEdits("a", doubled, going)).toMatchObject({
    ok: false,
    why: expect.stringMatching(/^edit \d+: the text would become too large/),
  });
});

test("TOOL-8: edits that follow one another keep the ends of lines, also where they differ", async () => {
  const lines = fc.array(fc.tuple(fc.constantFrom("a", "b", "ab"), fc.constantFrom("\n", "\r\n")), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lines, async (all) => {
      const edits = ["a", "b", "c"].map((old, i) => ({ old, new: "bcd"[i] ?? "", all: true }));
      const edited = await applyEdits(`ab\n${all.flat().join("")}c`, edits, going);
      const becomes = (text: string) => text.replace(/[abc]/g, "d");
      expect(edited).toEqual({ ok: true, text: becomes(`ab\n${all.flat().join("")}c`) });
    }),
  );
});
