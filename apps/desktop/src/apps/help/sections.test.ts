import { expect, test } from "vitest";
import { PAGES as GUIDE } from "./guide.ts";
import { pagesOf, sectionsOf } from "./sections.ts";

const PAGES = pagesOf({
  "../guide/undo.md":
    "# Going back\n\nAll can be\nundone.\n\n## One `file`\nUse `choir restore`, and **it is back**.\n",
  "../guide/commands.md":
    "# Running commands\n\n```sh\n# One file is no heading here\nchoir exec -- ls | wc\n```\n\n## What is ignored\n" +
    "![A phone](a.png)\n![A screen](b.png)\n\n| a | [undo](undo.md) |\n| --- | --- |\n| `on\\|off` | 2 * 3 &lt; 7 |\n\n" +
    "- One point,\n  in two lines\n- `*.md`, another\n",
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

test("HELP-1: what is wrapped is one line, what is code stays as it is, and of a picture there is what it shows", () => {
  expect(SECTIONS.map(({ lines }) => lines)).toEqual([
    ["All can be undone."],
    ["Use choir restore, and it is back."],
    ["# One file is no heading here", "choir exec -- ls | wc"],
    ["a · undo", "on|off · 2 * 3 < 7", "One point, in two lines", "*.md, another", "A phone", "A screen"],
  ]);
});

test("HELP-1: what the bar understands is a page with each command as it is said", () => {
  const words = GUIDE.filter(({ name }) => name === "words.md").flatMap(sectionsOf);
  expect(words.flatMap(({ lines }) => lines)).toContain(
    "undo [last|that|EVENT] · take back the last thing that was done, or one event · undo, undo that, undo 120",
  );
});
