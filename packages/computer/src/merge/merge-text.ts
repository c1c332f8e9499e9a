import { type LineSpan, mergeRegions, type Region } from "@choiros/contract";
import { bytesOfLines, countLines, isText, linesOf } from "./lines.ts";

/** Larger files, and those of more lines, are never merged: it would hold up everybody else. */
export const MAX_MERGE_BYTES = 1024 * 1024;
export const MAX_MERGE_LINES = 30_000;

/** Where both sides changed the same lines, or lines that touch. */
export type Overlap = Pick<Region, "base" | "ours" | "theirs">;

export type TextMerge =
  | { readonly clean: Uint8Array }
  | { readonly conflict: readonly Overlap[] }
  | { readonly not: "binary" | "too-large" };

/**
 * Three-way merge by lines. A line is its bytes with its end, so nothing is ever re-encoded, and an end of line changes only
 * where one side changed it. What only one side changed is taken, what both changed alike is taken once; the rest,
 * also changes in lines that touch, is a conflict.
 */
export function mergeText(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): TextMerge {
  const texts = [base, ours, theirs];
  if (texts.some((bytes) => bytes.length > MAX_MERGE_BYTES)) return { not: "too-large" };
  if (!texts.every(isText)) return { not: "binary" };
  if (texts.some((bytes) => countLines(bytes) > MAX_MERGE_LINES)) return { not: "too-large" };
  const lines = { base: linesOf(base), ours: linesOf(ours), theirs: linesOf(theirs) };
  const merged: string[] = [];
  const conflict: Overlap[] = [];
  let done = 0;
  for (const region of mergeRegions(lines)) {
    pushAll(merged, lines.base, { start: done, end: region.base.start });
    done = region.base.end;
    const { settled } = region;
    if (settled === undefined) conflict.push({ base: region.base, ours: region.ours, theirs: region.theirs });
    else pushAll(merged, lines[settled], region[settled]);
  }
  if (conflict.length > 0) return { conflict };
  pushAll(merged, lines.base, { start: done, end: lines.base.length });
  return { clean: bytesOfLines(merged) };
}

function pushAll(into: string[], from: readonly string[], span: LineSpan): void {
  for (let i = span.start; i < span.end; i++) into.push(from[i] ?? "");
}
