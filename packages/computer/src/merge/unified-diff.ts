import { diffLines, type Hunk, keyBytes } from "@choiros/contract";
import { binaryPatch } from "./binary-patch.ts";
import { isText, linesOf } from "./lines.ts";

/** Lines that are shown around a change. */
const CONTEXT = 3;

/** A file or a link as git has it: with its kind in the mode (0o100644, 0o120000), a link's target as its bytes. */
export interface Side {
  readonly mode: number;
  readonly bytes: Uint8Array;
}

/**
 * The change of one file as git writes it, so that `git apply` takes it; `null` where there is no file. Modes are what
 * they are, of which git itself keeps only who may run it. Bytes stay what they are: a terminal's own escapes are for
 * whoever prints it to disarm; a name has none. Empty where nothing differs.
 */
export function unifiedDiff(key: string, before: Side | null, after: Side | null): string {
  if (before !== null && after !== null && kindOf(before) !== kindOf(after)) {
    return unifiedDiff(key, before, null) + unifiedDiff(key, null, after); // git's way to say that it is another thing now
  }
  const modes = modeLines(before, after);
  const lines = changedLines(key, before, after);
  if (modes === "" && lines === "") return "";
  return `diff --git ${named("a/", key)} ${named("b/", key)}\n${modes}${lines}`;
}

/** The same for one that was moved, and has the bytes it had. */
export function renamedDiff(from: Named, to: Named): string {
  const modes = from.mode === to.mode ? "" : `old mode ${from.mode.toString(8)}\nnew mode ${to.mode.toString(8)}\n`;
  const names = `rename from ${named("", from.key)}\nrename to ${named("", to.key)}\n`;
  return `diff --git ${named("a/", from.key)} ${named("b/", to.key)}\n${modes}similarity index 100%\n${names}`;
}

interface Named {
  readonly key: string;
  readonly mode: number;
}

/** The bits of a mode that say what kind of thing it is. */
const KIND = 0o170000;

function kindOf({ mode }: Side): number {
  return mode & KIND;
}

function modeLines(before: Side | null, after: Side | null): string {
  if (before === null) return after === null ? "" : `new file mode ${after.mode.toString(8)}\n`;
  if (after === null) return `deleted file mode ${before.mode.toString(8)}\n`;
  if (before.mode === after.mode) return "";
  return `old mode ${before.mode.toString(8)}\nnew mode ${after.mode.toString(8)}\n`;
}

function changedLines(key: string, before: Side | null, after: Side | null): string {
  const [from, to] = [before === null ? NO_FILE : named("a/", key), after === null ? NO_FILE : named("b/", key)];
  const [old, young] = [before?.bytes ?? NOTHING, after?.bytes ?? NOTHING];
  if (!isText(old) || !isText(young)) {
    return same(old, young) ? "" : binaryPatch(before?.bytes ?? null, after?.bytes ?? null);
  }
  const [a, b] = [linesOf(old), linesOf(young)];
  const hunks = together(diffLines(a, b));
  if (hunks.length === 0) return "";
  const text = hunks.map((group) => written(group, a, b)).join("");
  return `--- ${ended(from)}\n+++ ${ended(to)}\n${Buffer.from(text, "latin1").toString("utf8")}`;
}

/** With a space in it, a name's end must be seen: what follows it might be a time. */
function ended(name: string): string {
  return name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name;
}

const NO_FILE = "/dev/null";
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

/** As git quotes a name that would break the line, turn it round or isn't UTF-8. */
function named(side: string, key: string): string {
  if (!/["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\/\//u.test(key)) return side + key;
  const quoted = Array.from(keyBytes(key), (byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
    return SHORT[byte] ?? `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${side}${quoted.join("")}"`;
}
