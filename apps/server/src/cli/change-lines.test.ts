import { expect, test } from "vitest";
import type { Shown } from "../access/shapes.ts";
import { showChange } from "./change-lines.ts";

const file = (size: number) => ({ kind: "file", hash: "a".repeat(64), mode: 0o644, size }) as const;

async function shown(change: Shown, colour: boolean): Promise<string> {
  let text = "";
  await showChange(
    {
      colour,
      input: () => {
        throw new Error("nobody reads");
      },
      out: async () => {},
      async outBytes(bytes) {
        text += Buffer.from(bytes).toString("utf8");
      },
      aside() {},
      progress() {},
      signal: new AbortController().signal,
    },
    change,
  );
  return text;
}

const change = { key: "workspace/a", before: file(2), after: file(3) };
const lines = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-\tx\n+\u001b[2Jy\n";

test("a file of text is shown line by line, and its text can't command the terminal", async () => {
  expect(await shown({ change, lines }, false)).toBe("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-\tx\n+\\u{1b}[2Jy\n");
});

test("colours are only for a terminal", async () => {
  const text = await shown({ change, lines }, true);
  expect(text).toContain("\x1b[31m-\tx\x1b[0m\n");
  expect(text).toContain("\x1b[32m+\\u{1b}[2Jy\x1b[0m\n");
});

test.each([
  [change, "changed  a  2 B, aaaaaaaa, mode 0644 -> 3 B, aaaaaaaa, mode 0644\n"],
  [{ ...change, before: null, key: "artifacts/b" }, "created  /artifacts/b  nothing -> 3 B, aaaaaaaa, mode 0644\n"],
  [{ ...change, after: null }, "deleted  a  2 B, aaaaaaaa, mode 0644 -> nothing\n"],
  [{ name: "theme", before: "light", after: "dark" }, 'changed  name:theme  "light" -> "dark"\n'],
])("what has no lines is shown in one", async (change, text) => {
  expect(await shown({ change }, true)).toBe(text);
});
