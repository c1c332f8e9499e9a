import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isTame } from "./is-tame.ts";

const GUIDE = join(import.meta.dirname, "..", "..", "..", "..", "docs", "guide");

test.each([
  ["links that never end", "[a](".repeat(4000)],
  ["quotes within quotes", "> ".repeat(20_000)],
  ["stars", "**a ".repeat(4000)],
  ["many of them", `${"[a](".repeat(700)}\n\n`.repeat(20)],
])("DESK-62: %s would take long to read", (_, text) => {
  expect(isTame(text)).toBe(false);
});

test("DESK-62: what people write doesn't", () => {
  for (const name of readdirSync(GUIDE).filter((one) => one.endsWith(".md")))
    expect(isTame(readFileSync(join(GUIDE, name), "utf8")), name).toBe(true);
  expect(isTame("- [a page](https://example.com/): *good*, `quick`\n".repeat(5000))).toBe(true);
  expect(isTame("Some words, and **some** of [them](x) here.\n".repeat(10).concat("\n").repeat(400))).toBe(true);
  expect(isTame("| a | [b](c) | **d** |\n".repeat(5000))).toBe(true);
});
