import fc from "fast-check";
import { expect, test } from "vitest";
import { PAGES as GUIDE } from "./guide.ts";
import { search, wordsOf } from "./search.ts";
import { pagesOf, sectionsOf } from "./sections.ts";

const SECTIONS = pagesOf({
  "../guide/undo.md":
    "# Going back\n\nAll comes back. What was taken back is **there**, in\nfull.\n\n## One file\nUse `choir restore`, and **it is back**.\n",
  "../guide/commands.md":
    "# Running commands\n\nWhat one does is one undo. Stop it in time.\n\n## What is ignored\n| a | [undo](undo.md) |\n| --- | --- |\n",
}).flatMap(sectionsOf);
const THE_GUIDE = GUIDE.flatMap(sectionsOf);

const found = (words: string) => search(SECTIONS, words).map(({ quote, section }) => [section.heading, quote]);
const first = (words: string) => {
  const [{ section, quote } = { section: undefined, quote: "" }] = search(THE_GUIDE, words);
  return { page: section?.page.name, heading: section?.heading, quote };
};

test("HELP-1: what has all words is found, first where a title or the name of a page has them", () => {
  expect(found("one FILE")[0]).toEqual(["One file", "Use choir restore, and it is back."]);
  expect(found("undo ignored")).toEqual([["What is ignored", "a · undo"]]);
  expect(found("undo")[0]).toEqual(["", "All comes back. What was taken back is there, in full."]);
  expect(found("nowhere to be found")).toEqual([]);
  expect(found("  ")).toEqual([]);
});

test("HELP-1: a quote begins with the sentence that has the words, whatever was wrapped", () => {
  expect(found("taken full")).toEqual([["", "What was taken back is there, in full."]]);
  expect(found("stop")).toEqual([["", "Stop it in time."]]);
});

test("HELP-1: a quote has the word in sight, however far into its sentence that is", () => {
  const far = `# Far\n\nIt says ${"much, and ".repeat(20)}then the needle, and goes on.`;
  const [one] = search(pagesOf({ "far.md": far }).flatMap(sectionsOf), "needle");
  expect(one?.quote).toMatch(/^… (?:and|much,) .{0,72}needle, and goes on\.$/);
});

test("HELP-1: a word itself comes before one that only begins so", () => {
  const pages = pagesOf({ "a.md": "# A\n\nKeyboards and keyrings.\n", "b.md": "# B\n\nThe key.\n" });
  expect(search(pages.flatMap(sectionsOf), "key").map(({ section }) => section.page.name)).toEqual(["b.md", "a.md"]);
});

test("HELP-1: what is about a word comes before what only says it", () => {
  const pages = pagesOf({
    "a.md": `# A\n\nCosts. ${"Other things are said here. ".repeat(20)}\n`,
    "b.md": `# B\n\nCosts come from a table. Costs that are unknown are costs, too. ${"More is said here. ".repeat(20)}\n`,
  });
  expect(search(pages.flatMap(sectionsOf), "costs").map(({ section }) => section.page.name)).toEqual(["b.md", "a.md"]);
});

test("HELP-1: words are found by how they begin, and not in the middle of others", () => {
  const headings = (words: string) => found(words).map(([heading]) => heading);
  expect(headings("rest")).toEqual(["One file"]);
  expect(headings("store")).toEqual([]);
  expect(headings(".")).not.toEqual([]);
});

test.each([
  ["undo", "undo.md", ""],
  ["go back", "undo.md", ""],
  ["time machine", "time-machine.md", ""],
  ["export", "export.md", ""],
  ["files", "files.md", ""],
  ["model", "agents.md", "Connect a model"],
  ["network", "commands.md", "The network"],
  ["snapping", "desktop.md", "Windows"],
  ["keyboard shortcuts", "desktop.md", "Windows"],
  ["minimize", "desktop.md", "Windows"],
  ["minimise", "desktop.md", "Windows"],
  ["dark mode", "desktop.md", "The bar"],
  ["redo", "words.md", ""],
])("HELP-1: the guide answers who looks for “%s” with the place that is about it", (words, page, heading) => {
  expect(first(words)).toMatchObject({ page, heading });
});

test("HELP-1: what is quoted of the guide has the word that was looked for", () => {
  for (const word of ["phone", "drag", "undo", "key"]) expect(first(word).quote.toLowerCase()).toContain(word);
  expect(first("letter").quote).toBe("new doc letter, new folder letters · it is made, with a way to undo it");
});

test("HELP-1: whatever is looked for, what is found has it", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom("choir", "un", "back all")), (words) => {
      for (const { section } of search(SECTIONS, words)) {
        const { page, heading, lines } = section;
        const whole = [page.name, page.title, heading, ...lines].join("\n").toLowerCase();
        expect(wordsOf(words).every((word) => whole.includes(word))).toBe(true);
      }
    }),
  );
});
