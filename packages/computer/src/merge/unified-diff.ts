import { keyBytes } from "@choiros/contract";
import { diffLines, type Hunk } from "./diff-lines.ts";
import { isText, linesOf } from "./lines.ts";

/** Lines that are shown around a change. */
const CONTEXT = 3;

/**
 * The change of one file as `diff -u` and git write it, so that `git apply` and `patch` take it; `null` where there is no file.
 * Bytes stay what they are: a terminal's own escapes are for whoever prints it to disarm. Empty where nothing differs.
 */
export function unifiedDiff(key: string, before: Uint8Array | null, after: Uint8Array | null): string {
  const [from, to] = [
    before === null ? "/dev/null" : named("a/", key),
    after === null ? "/dev/null" : named("b/", key),
  ];
  const [old, young] = [before ?? NOTHING, after ?? NOTHING];
  if (!isText(old) || !isText(young)) return same(old, young) ? "" : `Binary files ${from} and ${to} differ\n`;
  const [a, b] = [linesOf(old), linesOf(young)];
  const hunks = together(diffLines(a, b));
  if (hunks.length === 0) return "";
  const text = hunks.map((group) => written(group, a, b)).join("");
  return `--- ${from}\n+++ ${to}\n${Buffer.from(text, "latin1").toString("utf8")}`;
}

const NOTHING = new Uint8Array();

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Hunks whose context would touch are shown as one. */
function together(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const group = groups.at(-1);
    if (group !== undefined && hunk.start - (group.at(-1)?.end ?? 0) <= 2 * CONTEXT) group.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function written(group: readonly Hunk[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return "";
  const start = Math.max(0, first.start - CONTEXT);
  const end = Math.min(a.length, last.end + CONTEXT);
  const from = first.from - (first.start - start);
  const to = last.to + (end - last.end);
  const lines: string[] = [`@@ -${range(start, end)} +${range(from, to)} @@\n`];
  let done = start;
  for (const hunk of group) {
    for (const line of a.slice(done, hunk.start)) lines.push(marked(" ", line));
    for (const line of a.slice(hunk.start, hunk.end)) lines.push(marked("-", line));
    for (const line of b.slice(hunk.from, hunk.to)) lines.push(marked("+", line));
    done = hunk.end;
  }
  for (const line of a.slice(done, end)) lines.push(marked(" ", line));
  return lines.join("");
}

/** Lines are counted from 1; of none, the line before is named. */
function range(start: number, end: number): string {
  if (end === start) return `${start},0`;
  return end - start === 1 ? `${start + 1}` : `${start + 1},${end - start}`;
}

function marked(mark: string, line: string): string {
  return line.endsWith("\n") ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;
}

const SHORT: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
};

/** As git quotes a name that would break the line, or isn't UTF-8. */
function named(side: string, key: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what would break the line
  if (!/["\\\x00-\x1f\x7f]|\/\//.test(key)) return side + key + (key.includes(" ") ? "\t" : "");
  const quoted = Array.from(keyBytes(key), (byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
    return SHORT[byte] ?? `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${side}${quoted.join("")}"`;
}
