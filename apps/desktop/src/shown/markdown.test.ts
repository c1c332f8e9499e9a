import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { DeskApi } from "../desk/api.ts";
import { Markdown } from "./markdown.tsx";

const desk = {} as Pick<DeskApi, "files" | "openFile" | "visit">; // nothing is asked of it while a document is only drawn
const html = (text: string) => renderToStaticMarkup(createElement(Markdown, { text, folder: "workspace", desk }));

test("DESK-61: a document has headings, lists, tables, tasks, quotes and code", () => {
  const drawn = html(
    "# A *b*\n\n1. one\n2. two\n\n- [x] done\n\n| a | b |\n|:-:|--|\n| 1 | 2 |\n\n> said\n\n```ts\nx < 1\n```\n",
  );
  expect(drawn).toContain('<h1 data-slug="a-b">A <em>b</em></h1>');
  expect(drawn).toContain('<ol start="1"><li>one</li><li>two</li></ol>');
  expect(drawn).toContain('<input type="checkbox" disabled="" aria-label="Done" checked=""/>');
  expect(drawn).toContain('<th class="md-center">a</th><th>b</th>');
  expect(drawn).toContain("<blockquote><p>said</p></blockquote>");
  expect(drawn).toContain("x &lt; 1");
});

test("DESK-61: HTML in a document is shown as it is written, and runs nowhere", () => {
  const drawn = html("<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b\n\n&lt;b&gt; &amp;lt; &copy;");
  expect(drawn).not.toMatch(/<script|<img/);
  expect(drawn).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(drawn).toContain("&lt;b&gt; &amp;lt; ©");
});

test("DESK-61: links ask for pages beside the desktop, and lead nowhere else", () => {
  expect(html("[a](https://example.org)")).toContain(
    '<button type="button" class="md-link" title="https://example.org">',
  );
  expect(html("[a](javascript:alert(1)) ![p](https://example.org/x.png)")).not.toMatch(/href|src=|javascript/);
});

test("DESK-61: what turns the writing around is written out", () => {
  expect(html("a\u202eb `c\u202ed`")).toContain("a\\u{202e}b <code>c\\u{202e}d</code>");
});

test("DESK-61: what is nested deeper than anybody can follow is shown as it is written", () => {
  expect(html(">".repeat(50_000))).toContain("&gt;&gt;&gt;");
});

test("DESK-62: what would take long to read is shown as it is written", () => {
  expect(html("[a](".repeat(20_000))).toMatch(/^<div class="md"><pre>/);
});
