import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Side, unifiedDiff } from "./unified-diff.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const file = (text: string | Uint8Array, mode = 0o644): Side => ({
  mode: 0o100000 | mode,
  bytes: typeof text === "string" ? bytes(text) : text,
});
const link = (target: string): Side => ({ mode: 0o120000, bytes: bytes(target) });
const diff = (before: string | null, after: string | null, key = "f") =>
  unifiedDiff(key, before === null ? null : file(before), after === null ? null : file(after));

describe("a diff as people read it", () => {
  test("UNDO-14: shows what goes, what comes and three lines around", () => {
    expect(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "workspace/notes.md")).toBe(
      "diff --git a/workspace/notes.md b/workspace/notes.md\n--- a/workspace/notes.md\n+++ b/workspace/notes.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  test("UNDO-14: changes that are near each other are shown as one, those that aren't apart", () => {
    const lines = Array.from({ length: 30 }, (_, i) => `${i}\n`);
    expect(diff(lines.join(""), lines.with(5, "x\n").with(12, "y\n").join("")).match(/@@ -/g)).toHaveLength(1);
    expect(diff(lines.join(""), lines.with(5, "x\n").with(13, "y\n").join("")).match(/@@ -/g)).toHaveLength(2);
  });

  test("UNDO-14: says where a file begins, ends and lacks its last end of line", () => {
    const git = "diff --git a/f b/f\n";
    expect(diff(null, "a\n")).toBe(`${git}new file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n`);
    expect(diff("a\n", null)).toBe(`${git}deleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n`);
    expect(diff("a", "a\n")).toBe(`${git}--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n`);
    expect(diff(null, "")).toBe(`${git}new file mode 100644\n`);
  });

  test("UNDO-14: a new mode is shown beside new lines, and alone", () => {
    expect(unifiedDiff("f", file("a\n"), file("b\n", 0o755))).toBe(
      "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
    );
    expect(unifiedDiff("f", file("a\n"), file("a\n", 0o600))).toBe(
      "diff --git a/f b/f\nold mode 100644\nnew mode 100600\n",
    );
  });

  test("UNDO-14: a link is shown by its target, and a link in a file's place as one that goes and one that comes", () => {
    expect(unifiedDiff("l", link("a"), link("b"))).toContain("-a\n\\ No newline at end of file\n+b\n");
    const replaced = unifiedDiff("l", file("a\n"), link("b"));
    expect(replaced.match(/^(?:deleted|new) file mode .*$/gm)).toEqual([
      "deleted file mode 100644",
      "new file mode 120000",
    ]);
  });

  test("UNDO-14: what isn't text is a patch that git takes, and what doesn't differ is nothing", () => {
    const [zero, one] = [file(Uint8Array.of(0)), file(Uint8Array.of(1))];
    const names = "index f76dd238ade08917e6712764a16a22005a50573d..6b2aaa7640726588bcd3d57e1de4b1315b7f315e";
    expect(unifiedDiff("f", zero, one)).toMatch(`diff --git a/f b/f\n${names}\nGIT binary patch\nliteral 1\nI`);
    expect(unifiedDiff("f", null, zero)).toMatch(/new file mode 100644\nindex 0{40}\.\.f76dd.*\nGIT binary patch\n/);
    expect(unifiedDiff("f", zero, zero)).toBe("");
    expect(diff("a\n", "a\n")).toBe("");
  });

  test("UNDO-14: a name that would break the line is quoted, and one that isn't UTF-8 is spelled in bytes", () => {
    expect(diff("a\n", "b\n", 'x\n+++ "b')).toContain('--- "a/x\\n+++ \\"b"\n');
    expect(diff("a\n", "b\n", "x//ff")).toContain('--- "a/x\\377"\n');
    expect(diff("a\n", "b\n", "x\u202ey")).toContain('--- "a/x\\342\\200\\256y"\n');
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
  const side = fc.option(
    fc.oneof(
      { weight: 4, arbitrary: fc.tuple(text, fc.constantFrom(0o644, 0o755)).map(([text, mode]) => file(text, mode)) },
      { weight: 1, arbitrary: fc.constantFrom("a", "b/ü").map(link) },
    ),
  );
  const names = fc.constantFrom("f", "a b", "a b b/a b", 'q"\\', "tab\t", "ü", " ", "-", "line\n+++ b/x", "\u202e");

  function put(name: string, side: Side | null): void {
    if (side === null) return;
    const path = join(folder, "tree", name);
    mkdirSync(dirname(path), { recursive: true });
    if (side.mode === 0o120000) symlinkSync(Buffer.from(side.bytes), path);
    else writeFileSync(path, side.bytes, { mode: side.mode & 0o777 });
  }

  function found(name: string): Side | null {
    const path = join(folder, "tree", name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (stats.isSymbolicLink()) return link(readlinkSync(path));
    return file(Uint8Array.from(readFileSync(path)), stats.mode & 0o111 ? 0o755 : 0o644);
  }

  test("UNDO-14: git applies it to the one file and gets the other, whatever the texts, the modes and the name", () => {
    fc.assert(
      fc.property(side, side, names, (before, after, name) => {
        const patch = unifiedDiff(name, before, after);
        fc.pre(patch !== "");
        rmSync(join(folder, "tree"), { recursive: true, force: true });
        mkdirSync(join(folder, "tree"));
        put(name, before);
        writeFileSync(join(folder, "patch"), patch);
        execFileSync("git", ["apply", "--whitespace=nowarn", "../patch"], {
          cwd: join(folder, "tree"),
          env: { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: tmpdir() },
        });
        expect(found(name)).toEqual(after);
        if (after === null) expect(readdirSync(join(folder, "tree"))).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });
});
