import fc from "fast-check";
import { expect, test } from "vitest";
import { shownDiff } from "./shown-diff.ts";

/** Each line with its end behind it, where that is named. */
const words = (...body: string[]) =>
  shownDiff(body).map(({ text, end }) => (end === undefined ? text : `${text} ${end}`));

test("TIME-9: lines that end in CR LF are shown as any others where their ends stay", () => {
  expect(shownDiff(["@@ -1,2 +1,2 @@", " a\r", "-b\r", "+c\td\r"])).toEqual([
    { kind: "hunk", text: "@@ -1,2 +1,2 @@" },
    { kind: "same", text: " a" },
    { kind: "removed", text: "-b" },
    { kind: "added", text: "+c\td" },
  ]);
});

test("TIME-9: where ends of lines changed they are named, and only there", () => {
  expect(words(" a\r", "-b\r", "+b", " c\r", "-d\r", "+e\r")).toEqual([" a", "-b CRLF", "+b LF", " c", "-d", "+e"]);
  expect(words("-a\r", "-b", "+a", "+b\r")).toEqual(["-a CRLF", "-b LF", "+a LF", "+b CRLF"]);
  expect(words(" a", "+b\r", " c", "+d")).toEqual([" a", "+b CRLF", " c", "+d"]);
  expect(words("+a\r", "+b\r")).toEqual(["+a", "+b"]);
});

test("TIME-9: a line without an end is held against none, and what stands at its own end is seen", () => {
  const none = "\\ No newline at end of file";
  expect(words(" a\r", "-b", none, "+b\r", "+c\r")).toEqual([" a", "-b", none, "+b", "+c"]);
  expect(words("-a\r", none, "+a", none)).toEqual(["-a\\u{d}", none, "+a", none]);
});

test("TIME-9: of a long diff no more is made than is shown, and that as if all of it were", () => {
  const line = fc.constantFrom("@@ -1 +1 @@", " a", " a\r", "+b", "+b\r", "-c", "-c\r", "\\ No newline at end of file");
  fc.assert(
    fc.property(fc.array(line), fc.nat(20), (body, most) => {
      expect(shownDiff(body, most)).toEqual(shownDiff(body).slice(0, most));
    }),
  );
  const all = Array.from({ length: 9 }, () => "-a").concat("+a\r");
  expect(shownDiff(all, 2).map(({ end }) => end)).toEqual(["LF", "LF"]); // what is out of sight counts
});

test("CONSOLE-44: a carriage return within a line, which may hide what is before it, is written out", () => {
  expect(words("+rm -r .\rls\r", "+a\r\r")).toEqual(["+rm -r .\\u{d}ls", "+a\\u{d}"]);
});
