import { expect, test } from "vitest";
import { plain, plainText, plainWords } from "./plain.ts";

test("CONSOLE-44: what can't be seen or turns the writing around is written out", () => {
  expect(plain("a\u202etxt.exe\u200b\u2066\n\u001b\u00ad\u3164\u2800\ud800")).toBe(
    "a\\u{202e}txt.exe\\u{200b}\\u{2066}\\u{a}\\u{1b}\\u{ad}\\u{3164}\\u{2800}\\u{d800}",
  );
  const seen = "Übung 世界 שלום 👍🏽 ⚠\ufe0f 👩🏽\u200d💻 e\u0301 \\u{202e}";
  expect(plain(seen)).toBe(seen);
  expect(plain("a\ufe0f\u200db ⚠\u200d")).toBe("a\\u{fe0f}\\u{200d}b ⚠\\u{200d}");
  expect(plainText("a\tb\n\u202ec\r\n")).toBe("a\tb\n\\u{202e}c\\u{d}\n");
});

test("CONSOLE-44: in a text to be judged nothing pushes the rest out of sight", () => {
  expect(plainWords("\n\nrm\t \u00a0-r\r\n\n \n\u3000\n\u200bb\rc\n")).toBe("rm -r\n\n\\u{200b}b\\u{d}c");
});
