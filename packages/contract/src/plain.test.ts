import { expect, test } from "vitest";
import { plain, plainLine, plainList, plainText, plainWhole, plainWords } from "./plain.ts";

test("CONSOLE-44: what can't be seen or turns the writing around is written out", () => {
  expect(plain("a\u202etxt.exe\u200b\u2066\n\u001b\u00ad\u3164\u2800\ud800")).toBe(
    "a\\u{202e}txt.exe\\u{200b}\\u{2066}\\u{a}\\u{1b}\\u{ad}\\u{3164}\\u{2800}\\u{d800}",
  );
  const seen = "Übung 世界 שלום 👍🏽 ⚠\ufe0f 👩🏽\u200d💻 e\u0301 \\u{202e}";
  expect(plain(seen)).toBe(seen);
  expect(plain("a\ufe0f\u200db ⚠\u200d")).toBe("a\\u{fe0f}\\u{200d}b ⚠\\u{200d}");
  expect(plainLine(" a \r\n\n b\u202e\tc\n")).toBe("a b\\u{202e}\\u{9}c");
  expect(plainText("a\tb\n\u202ec")).toBe("a\tb\n\\u{202e}c");
});

test("CONSOLE-44: an end of a line is one on any system; a carriage return elsewhere may hide something, and is written out", () => {
  expect(plainText("a\r\nb\r\n\r\nc\r")).toBe("a\nb\n\nc");
  expect(plainText("rm -r .\rls\r\r\n")).toBe("rm -r .\\u{d}ls\\u{d}\n");
});

test("CONSOLE-44: in a text to be judged nothing pushes the rest out of sight", () => {
  expect(plainWords("\n\nrm\t \u00a0-r\r\n\n \n\u3000\n\u200bb\rc\n")).toBe("rm -r\n\n\\u{200b}b\\u{d}c");
});

test("CONSOLE-44: what will be done is shown as it is, and blanks that push the rest out of sight are counted", () => {
  const script = "if x:\n    y()\n\n\n\tz\u202e ";
  expect(plainWhole(script)).toBe(script.replace("\u202e", "\\u{202e}"));
  const blank = " \u3000\t".repeat(200);
  expect(plainWhole(`a${"\n".repeat(9)}b\n${`${blank}\n`.repeat(90)}c${blank}d\n`)).toBe(
    "a\n⟨8 empty lines⟩\nb\n⟨90 empty lines⟩\nc⟨600 blanks⟩d\n",
  );
});

test("CONSOLE-44: a list that stands a line each is one line, and nothing in it ends a line by itself", () => {
  expect(plainList("edit a\r\n\n  network b\u2028c\rd \n")).toBe("edit a, network b\\u{2028}c\\u{d}d");
  expect(plainList("edit a")).toBe("edit a");
});
