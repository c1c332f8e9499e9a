import { expect, test } from "vitest";
import { linkTarget, slugOf } from "./link-target.ts";

const at = (href: string) => {
  const target = linkTarget(href, "workspace/docs");
  return "key" in target
    ? target.key
    : "address" in target
      ? target.address
      : "slug" in target
        ? target.slug
        : undefined;
};

test("DESK-60: links of a document lead to pages, to files beside it, and to its own headings", () => {
  expect(at("https://example.org/a?b#c")).toBe("https://example.org/a?b#c");
  expect(at("mailto:a@example.org")).toBe("mailto:a@example.org");
  expect(at("other.md#part")).toBe("workspace/docs/other.md");
  expect(at("../a%20b/./c.md")).toBe("workspace/a b/c.md");
  expect(at("/top.md")).toBe("workspace/top.md");
  expect(at("100%.md")).toBe("workspace/docs/100%.md");
  expect(at("#The%20End")).toBe("the end");
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "//example.org/x",
  "http://[",
  "../../../choiros/x",
  "..",
  "",
  "a%00b",
])("DESK-60: a link to “%s” leads nowhere", (href) => {
  expect(linkTarget(href, "workspace/docs")).toEqual({ is: "nowhere" });
});

test("DESK-60: a heading is called by its letters", () => {
  expect(slugOf("What's new, in 2.0?")).toBe("whats-new-in-20");
});
