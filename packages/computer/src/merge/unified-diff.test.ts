import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const diff = (before: string | null, after: string | null, key = "f") =>
  unifiedDiff(key, before === null ? null : bytes(before), after === null ? null : bytes(after));

describe("a diff as people read it", () => {
  test("UNDO-14: shows what goes, what comes and three lines around", () => {
    expect(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "workspace/notes.md")).toBe(
      "--- a/workspace/notes.md\n+++ b/workspace/notes.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  test("UNDO-14: changes that are near each other are shown as one, those that aren't apart", () => {
    const lines = Array.from({ length: 30 }, (_, i) => `${i}\n`);
    expect(diff(lines.join(""), lines.with(5, "x\n").with(12, "y\n").join("")).match(/@@ -/g)).toHaveLength(1);
    expect(diff(lines.join(""), lines.with(5, "x\n").with(13, "y\n").join("")).match(/@@ -/g)).toHaveLength(2);
  });

  test("UNDO-14: says where a file begins, ends and lacks its last end of line", () => {
    expect(diff(null, "a\n")).toBe("--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
    expect(diff("a\n", null)).toBe("--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
    expect(diff("a", "a\n")).toBe("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  });

  test("UNDO-14: of what isn't text it only says that it differs, and of what doesn't differ, nothing", () => {
    expect(unifiedDiff("f", Uint8Array.of(0), Uint8Array.of(1))).toBe("Binary files a/f and b/f differ\n");
    expect(unifiedDiff("f", Uint8Array.of(0), Uint8Array.of(0))).toBe("");
    expect(diff("a\n", "a\n")).toBe("");
    expect(diff(null, "")).toBe("");
  });

  test("UNDO-14: a name that would break the line is quoted, and one that isn't UTF-8 is spelled in bytes", () => {
    expect(diff("a\n", "b\n", 'x\n+++ "b')).toContain('--- "a/x\\n+++ \\"b"\n');
    expect(diff("a\n", "b\n", "x//ff")).toContain('--- "a/x\\377"\n');
    expect(diff("Grüße\n", "Gruß\n", "Grüße")).toContain("--- a/Grüße\n+++ b/Grüße\n@@ -1 +1 @@\n-Grüße\n+Gruß\n");
  });
});

describe("a diff as git takes it", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "choir-diff-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const text = fc
    .tuple(fc.array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "ü\n"), { maxLength: 25 }), fc.constantFrom("", "end"))
    .map(([lines, end]) => lines.join("") + end);

  test("UNDO-14: git applies it to the one text and gets the other, whatever the texts and the name", () => {
    const names = fc.constantFrom("f", "a b", 'q"\\', "tab\t", "ü");
    fc.assert(
      fc.property(text, text, names, (before, after, name) => {
        fc.pre(before !== after);
        const file = join(folder, name);
        writeFileSync(file, before);
        writeFileSync(join(folder, "patch"), diff(before, after, name));
        const git = ["apply", "--whitespace=nowarn", "--unidiff-zero", "patch"];
        execFileSync("git", git, { cwd: folder, env: { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: tmpdir() } });
        expect(readFileSync(file, "utf8")).toBe(after);
        rmSync(file);
      }),
      { numRuns: 60 },
    );
  });
});
