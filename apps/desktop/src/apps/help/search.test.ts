import fc from "fast-check";
import { expect, test } from "vitest";
import { PAGES as GUIDE } from "./guide.ts";
import { pagesOf, search, sectionsOf, wordsOf } from "./search.ts";

const PAGES = pagesOf({
  "../guide/undo.md": "# Going back\n\nAll can be undone.\n\n## One file\nUse `choir restore`, and **it is back**.\n",
  "../guide/commands.md":
    "# Running commands\n\n```sh\n# One file is no heading here\nchoir exec -- ls\n```\n\n## What is ignored\n| a | [undo](undo.md) |\n| --- | --- |\n",
});
const SECTIONS = PAGES.flatMap(sectionsOf);

test("HELP-1: a page is cut at its headings, which aren't those in its examples", () => {
  expect(PAGES.map(({ name, title }) => [name, title])).toEqual([
    ["undo.md", "Going back"],
    ["commands.md", "Running commands"],
  ]);
  expect(SECTIONS.map(({ heading, page }) => `${page.name} ${heading}`)).toEqual([
    "undo.md ",
    "undo.md One file",
    "commands.md ",
    "commands.md What is ignored",
  ]);
});

test("HELP-1: what has all words is found, first where a title has them, and told by the line that has them", () => {
  const found = (words: string) => search(SECTIONS, words).map(({ line, section }) => [section.heading, line]);
  expect(found("one FILE")[0]).toEqual(["One file", "Use choir restore , and it is back ."]);
  expect(found("undo ignored")).toEqual([["What is ignored", "a undo"]]);
  expect(found("nowhere to be found")).toEqual([]);
  expect(found("  ")).toEqual([]);
});

test("HELP-1: words are found by how they begin, and not in the middle of others", () => {
  const found = (words: string) => search(SECTIONS, words).map(({ section }) => section.heading);
  expect(found("rest")).toEqual(["One file"]);
  expect(found("store")).toEqual([]);
  expect(found("--")).not.toEqual([]);
});

test.each([
  "snap",
  "snapping",
  "shortcut",
  "keyboard shortcuts",
  "minimize",
  "minimise",
  "dark mode",
  "redo",
  "go back",
])("HELP-1: the guide answers who looks for “%s”", (words) => {
  expect(search(GUIDE.flatMap(sectionsOf), words)).not.toEqual([]);
});

test("HELP-1: whatever is looked for, what is found has it", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom("choir", "un", "back all")), (words) => {
      for (const { section } of search(SECTIONS, words)) {
        const whole = `${section.page.title}\n${section.heading}\n${section.text}`.toLowerCase();
        expect(wordsOf(words).every((word) => whole.includes(word))).toBe(true);
      }
    }),
  );
});
