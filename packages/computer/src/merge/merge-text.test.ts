import { diffLines } from "@choiros/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOfLines, countLines, linesOf } from "./lines.ts";
import { MAX_MERGE_BYTES, MAX_MERGE_LINES, mergeText } from "./merge-text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
/** The merged text, the lines of the base in conflict, or why it can't be merged. */
const merge = (base: string, ours: string, theirs: string) => {
  const merged = mergeText(bytes(base), bytes(ours), bytes(theirs));
  if ("clean" in merged) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(merged.clean);
  return "not" in merged ? merged : merged.conflict;
};
const at = (start: number, end: number) => ({ start, end });

describe("what is merged", () => {
  test.each<[what: string, base: string, ours: string, theirs: string, merged: string]>([
    ["changes in different places", "1\n2\n3\n4\n", "one\n2\n3\n4\n", "1\n2\n3\nfour\n", "one\n2\n3\nfour\n"],
    ["an insertion and a deletion", "1\n2\n3\n4\n", "1\n1.5\n2\n3\n4\n", "1\n2\n3\n", "1\n1.5\n2\n3\n"],
    ["the same change on both sides", "1\n2\n3\n", "1\ntwo\n3\n", "1\ntwo\n3\n", "1\ntwo\n3\n"],
    ["the same change, and another", "1\n2\n3\n4\n", "1\nB\n3\n4\n", "1\nB\n3\nD\n", "1\nB\n3\nD\n"],
    ["the same insertion into nothing", "", "a\n", "a\n", "a\n"],
    ["a change of one side alone", "1\n", "2\n", "1\n", "2\n"],
    ["a file that one side emptied", "1\n2\n", "", "1\n2\n", ""],
  ])("MERGE-1: %s", (_, base, ours, theirs, merged) => {
    expect(merge(base, ours, theirs)).toBe(merged);
    expect(merge(base, theirs, ours)).toBe(merged);
  });

  test("MERGE-1: the same line changed twice is a conflict that names the lines of all three", () => {
    expect(merge("0\n1\n2\n", "new\n0\nours\n2\n", "0\ntheirs\nand\n2\n")).toEqual([
      { base: at(1, 2), ours: at(2, 3), theirs: at(1, 3) },
    ]);
  });

  test("MERGE-1: lines that touch, and two insertions at one place, are conflicts", () => {
    expect(merge("1\n2\n3\n", "one\n2\n3\n", "1\ntwo\n3\n")).toEqual([
      { base: at(0, 2), ours: at(0, 2), theirs: at(0, 2) },
    ]);
    expect(merge("1\n2\n", "1\na\n2\n", "1\nb\n2\n")).toEqual([{ base: at(1, 1), ours: at(1, 2), theirs: at(1, 2) }]);
    expect(merge("", "a\n", "b\n")).toEqual([{ base: at(0, 0), ours: at(0, 1), theirs: at(0, 1) }]);
  });
});

describe("bytes", () => {
  test.each<[what: string, base: string, ours: string, theirs: string, merged: string]>([
    ["CRLF stays CRLF", "1\r\n2\r\n3\r\n", "one\r\n2\r\n3\r\n", "1\r\n2\r\nthree\r\n", "one\r\n2\r\nthree\r\n"],
    ["only what one side changed changes its end", "1\r\n2\n3\r\n", "1\n2\n3\r\n", "1\r\n2\n3\n", "1\n2\n3\n"],
    ["a last line without an end stays without", "1\n2\n3", "one\n2\n3", "1\n2\n3", "one\n2\n3"],
    ["an end that one side gave the last line is taken", "1\n2\n3", "1\n2\n3\n", "one\n2\n3", "one\n2\n3\n"],
    ["a byte order mark stays", "\ufeff1\n2\n3\n", "\ufeff1\n2\nthree\n", "\ufeff1\n2\n3\n", "\ufeff1\n2\nthree\n"],
    ["a byte order mark that one side took away goes", "\ufeff1\n2\n3\n", "1\n2\n3\n", "\ufeff1\n2\nC\n", "1\n2\nC\n"],
    ["letters of several bytes", "é\n2\n😂\n", "é\n2\n😂!\n", "è\n2\n😂\n", "è\n2\n😂!\n"],
    ["a lone CR is no end of line", "1\r2\n3\n4\n", "1\rzwei\n3\n4\n", "1\r2\n3\nvier\n", "1\rzwei\n3\nvier\n"],
  ])("MERGE-2: %s", (_, base, ours, theirs, merged) => {
    expect(merge(base, ours, theirs)).toBe(merged);
  });

  test("MERGE-2: two sides that go on after a last line without an end are a conflict, never one joined line", () => {
    expect(merge("1", "1\n2", "1\n3")).toEqual([{ base: at(0, 1), ours: at(0, 2), theirs: at(0, 2) }]);
    expect(merge("1\n2", "1\n2\n3\n", "1\n2!")).toEqual([{ base: at(1, 2), ours: at(1, 3), theirs: at(1, 2) }]);
  });

  test("MERGE-3: a NUL, and bytes that aren't UTF-8, are binary, on any of the three sides", () => {
    const text = bytes("a\n");
    for (const binary of [
      Uint8Array.of(97, 0),
      Uint8Array.of(0xff),
      Uint8Array.of(0xc3),
      Uint8Array.of(0xed, 0xa0, 0x80),
    ]) {
      expect(mergeText(binary, text, text)).toEqual({ not: "binary" });
      expect(mergeText(text, binary, text)).toEqual({ not: "binary" });
      expect(mergeText(text, text, binary)).toEqual({ not: "binary" });
    }
  });

  test("MERGE-2: lines joined are the bytes again", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ unit: fc.constantFrom("\n", "\r", "a") }), (noise, text) => {
        for (const sample of [noise, bytes(text)]) {
          expect(Buffer.compare(bytesOfLines(linesOf(sample)), sample)).toBe(0);
          expect(countLines(sample)).toBe(linesOf(sample).length);
        }
      }),
    );
  });
});

describe("cost", () => {
  test("MERGE-4: a file over a megabyte, or of too many lines, isn't merged", () => {
    const large = "a".repeat(MAX_MERGE_BYTES);
    expect(merge("a", large, "a")).toBe(large);
    expect(merge("a", `${large}a`, "a")).toEqual({ not: "too-large" });
    const long = "\n".repeat(MAX_MERGE_LINES);
    expect(merge("", long, "")).toBe(long);
    expect(merge("", `${long}\n`, "")).toEqual({ not: "too-large" });
  });

  test("MERGE-4: a long file with changes at both ends and in the middle is merged exactly", () => {
    const lines = Array.from({ length: MAX_MERGE_LINES }, (_, i) => `line ${i}\n`);
    const ours = lines.with(5, "ours\n").with(-5, "ours, too\n");
    const theirs = lines.with(15_000, "theirs\n");
    expect(merge(lines.join(""), ours.join(""), theirs.join(""))).toBe(ours.with(15_000, "theirs\n").join(""));
  });

  test("MERGE-4: texts made to be costly take a coarse difference, which is still a true one", () => {
    // Two lines in an order of chance: no two hunks far apart, and every line occurs everywhere.
    const chance = (seed: number) => {
      let state = seed;
      return Array.from({ length: 20_000 }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state >>> 31 ? "}\n" : "\n";
      });
    };
    const [base, ours] = [chance(1), chance(77_777)];
    const began = performance.now();
    const hunks = diffLines(base, ours);
    // Far above what it takes, and far below the minutes of a difference without a bound.
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(hunks).toHaveLength(1);
    expect(patched(base, ours)).toEqual(ours);
  });
});

/** What `before` becomes by the hunks alone. */
function patched(before: readonly string[], after: readonly string[]): string[] {
  let done = 0;
  const result: string[] = [];
  for (const hunk of diffLines(before, after)) {
    result.push(...before.slice(done, hunk.start), ...after.slice(hunk.from, hunk.to));
    done = hunk.end;
  }
  return [...result, ...before.slice(done)];
}

describe("any text", () => {
  const line = fc.constantFrom("a\n", "b\n", "c\n", "\n");
  const lines = fc.array(line, { maxLength: 14 });

  test("MERGE-1: a difference is as short as can be, and its hunks make the one text of the other", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(patched(before, after)).toEqual(after);
        const hunks = diffLines(before, after);
        const edits = hunks.reduce((sum, hunk) => sum + hunk.end - hunk.start + hunk.to - hunk.from, 0);
        expect(edits).toBe(before.length + after.length - 2 * longestCommon(before, after));
        for (const [i, hunk] of hunks.entries()) expect(hunk.start).toBeGreaterThan(hunks[i - 1]?.end ?? -1);
      }),
      { numRuns: 500 },
    );
  });

  test("MERGE-1: a merge doesn't depend on who is ours, and with an unchanged side it is the other", () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, ours, theirs) => {
        const [o, a, b] = [base.join(""), ours.join(""), theirs.join("")];
        const [one, other] = [merge(o, a, b), merge(o, b, a)];
        if (typeof one === "string" || typeof other === "string") expect(one).toBe(other);
        expect(merge(o, a, o)).toBe(a);
        expect(merge(o, a, a)).toBe(a);
      }),
      { numRuns: 500 },
    );
  });

  test("MERGE-1: changes on either side of a common line are always merged, and both are in it", () => {
    fc.assert(
      fc.property(lines, lines, lines, lines, (head, newHead, tail, newTail) => {
        const middle = "the middle\n";
        const text = (first: string[], last: string[]) => [...first, middle, ...last].join("");
        expect(merge(text(head, tail), text(newHead, tail), text(head, newTail))).toBe(text(newHead, newTail));
      }),
      { numRuns: 500 },
    );
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const cell = (i: number, j: number) => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const row = table[i] ?? [];
      row[j] = a[i - 1] === b[j - 1] ? cell(i - 1, j - 1) + 1 : Math.max(cell(i - 1, j), cell(i, j - 1));
    }
  }
  return cell(a.length, b.length);
}
