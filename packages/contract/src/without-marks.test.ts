import { expect, test } from "vitest";
import { withoutMarks } from "./without-marks.ts";

test.each([
  ["Is it **bold** or *not*?", "Is it bold or not?"],
  ["Use `npm ci`, __now__ or _later_?", "Use npm ci, now or later?"],
  ["# Which?\n\n- the ~~red~~ one\n- [the blue](https://example.org/a_b)\n", "Which? • the red one • the blue"],
  ["> said\n```sh\nls\n```", "said ls"],
  ["a **bold *and* leaning** word", "a bold and leaning word"],
])("words lose the marks that say how they look: %j", (text, words) => {
  expect(withoutMarks(text)).toBe(words);
});

test.each(["2 * 3 * 4", "my_long_name and a_b", "**", "a*b*c", "[x]", "* "])("what is no mark stays: %j", (text) => {
  expect(withoutMarks(text)).toBe(text.trim());
});

// Where each mark were held against all that follow, none of these would end within a test's time.
test.each(["**", "*", "_", "__", "~~", "`", "[", "**a ", "*a ", "[a]("])(
  "what is full of %j is gone through once",
  (mark) => {
    expect(withoutMarks(`a ${mark.repeat(1_000_000)}`).length).toBeGreaterThan(0);
  },
);
