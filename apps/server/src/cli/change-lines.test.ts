import type { Shown } from "@choiros/gateway/operations";
import { expect, test } from "vitest";
import { showChange } from "./change-lines.ts";

const file = (size: number) => ({ kind: "file", hash: "a".repeat(64), mode: 0o644, size }) as const;

type Looks = { readonly screen: boolean; readonly colour?: boolean };

async function shown(change: Shown, { screen, colour = false }: Looks): Promise<string> {
  let text = "";
  await showChange(
    {
      screen,
      colour,
      input: () => {
        throw new Error("nobody reads");
      },
      out: async () => {},
      async outBytes(bytes) {
        text += Buffer.from(bytes).toString("utf8");
      },
      aside() {},
      asideBytes: async () => {},
      asideScreen: screen,
      typed: false,
      progress() {},
      leave() {},
      signal: new AbortController().signal,
    },
    change,
  );
  return text;
}

const change = { key: "workspace/a", before: file(2), after: file(3) };
const lines = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-\tx\r\n--- y\n+\u001b[2Jy\n";

test("a file is shown as git writes it, and its text can't command a terminal", async () => {
  const text = await shown({ change, lines }, { screen: true });
  expect(text).toBe(lines.replace("\r", "\\u{d}").replace("\u001b", "\\u{1b}"));
});

test("a program that reads it gets every byte", async () => {
  expect(await shown({ change, lines }, { screen: false })).toBe(lines);
});

test("colours are for what they mean: a line that goes may begin like a header", async () => {
  const text = await shown({ change, lines }, { screen: true, colour: true });
  expect(text).toContain("\x1b[1m--- a/a\x1b[0m\n");
  expect(text).toContain("\x1b[31m--- y\x1b[0m\n");
  expect(text).toContain("\x1b[32m+\\u{1b}[2Jy\x1b[0m\n");
});

test("a directory in a file's place is named beside the file that goes", async () => {
  const replaced = { ...change, after: { kind: "dir", mode: 0o755 } as const };
  const text = await shown({ change: replaced, lines }, { screen: false });
  expect(text).toBe(`changed  a  2 B, aaaaaaaa, mode 0644 -> a directory, mode 0755\n${lines}`);
});

test.each([
  [change, "changed  a  2 B, aaaaaaaa, mode 0644 -> 3 B, aaaaaaaa, mode 0644\n"],
  [{ ...change, before: null, key: "artifacts/b" }, "created  /artifacts/b  nothing -> 3 B, aaaaaaaa, mode 0644\n"],
  [{ ...change, after: null }, "deleted  a  2 B, aaaaaaaa, mode 0644 -> nothing\n"],
  [{ name: "theme", before: "light", after: "dark" }, 'changed  name:theme  "light" -> "dark"\n'],
])("what has no lines is shown in one", async (change, text) => {
  expect(await shown({ change }, { screen: true, colour: true })).toBe(text);
});
