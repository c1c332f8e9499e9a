import { diffLines, type Hunk } from "./diff-lines.ts";
import { bytesOfLines, countLines, isText, linesOf } from "./lines.ts";

/** Larger files, and those of more lines, are never merged: it would hold up everybody else. */
export const MAX_MERGE_BYTES = 1024 * 1024;
export const MAX_MERGE_LINES = 30_000;

/** Lines `start` to `end`, exclusive, counted from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where both sides changed the same lines, or lines that touch. */
export interface Overlap {
  readonly base: Span;
  readonly ours: Span;
  readonly theirs: Span;
}

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
  for (const region of regions(diffLines(lines.base, lines.ours), diffLines(lines.base, lines.theirs))) {
    pushAll(merged, lines.base, { start: done, end: region.base.start });
    done = region.base.end;
    const settled = settle(region, lines);
    if (settled === undefined) conflict.push({ base: region.base, ours: region.ours, theirs: region.theirs });
    else pushAll(merged, lines[settled], region[settled]);
  }
  if (conflict.length > 0) return { conflict };
  pushAll(merged, lines.base, { start: done, end: lines.base.length });
  return { clean: bytesOfLines(merged) };
}

interface Region extends Overlap {
  readonly changedBy: "ours" | "theirs" | "both";
}

interface Lines {
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** Whose lines stand in a region; `undefined` where nobody can say. */
function settle(region: Region, lines: Lines): "ours" | "theirs" | undefined {
  if (region.changedBy !== "both") return region.changedBy;
  const ours = lines.ours.slice(region.ours.start, region.ours.end);
  const theirs = lines.theirs.slice(region.theirs.start, region.theirs.end);
  return ours.length === theirs.length && ours.every((line, i) => line === theirs[i]) ? "ours" : undefined;
}

/** Hunks of both sides that overlap or touch, together; each is one region. */
function* regions(ours: readonly Hunk[], theirs: readonly Hunk[]): Generator<Region> {
  const sides = { ours: new Side(ours), theirs: new Side(theirs) };
  for (;;) {
    const start = Math.min(sides.ours.nextStart, sides.theirs.nextStart);
    if (start === Number.POSITIVE_INFINITY) return;
    const from = { ours: sides.ours.placeOf(start), theirs: sides.theirs.placeOf(start) };
    let end = start;
    const taken = { ours: false, theirs: false };
    for (let grown = true; grown; ) {
      grown = false;
      for (const name of ["ours", "theirs"] as const) {
        if (sides[name].nextStart > end) continue;
        end = Math.max(end, sides[name].take());
        taken[name] = true;
        grown = true;
      }
    }
    yield {
      base: { start, end },
      ours: { start: from.ours, end: sides.ours.placeOf(end) },
      theirs: { start: from.theirs, end: sides.theirs.placeOf(end) },
      changedBy: taken.ours && taken.theirs ? "both" : taken.ours ? "ours" : "theirs",
    };
  }
}

/** The hunks of one side, taken one by one. */
class Side {
  readonly #hunks: readonly Hunk[];
  #next = 0;
  /** How far this side's lines are from the base's after the hunks that were taken. */
  #shift = 0;

  constructor(hunks: readonly Hunk[]) {
    this.#hunks = hunks;
  }

  get nextStart(): number {
    return this.#hunks[this.#next]?.start ?? Number.POSITIVE_INFINITY;
  }

  /** Takes the next hunk and says where it ends in the base. */
  take(): number {
    const hunk = this.#hunks[this.#next++];
    if (hunk === undefined) return 0;
    this.#shift = hunk.to - hunk.end;
    return hunk.end;
  }

  /** This side's line for a line of the base that no hunk covers. */
  placeOf(line: number): number {
    return line + this.#shift;
  }
}

function pushAll(into: string[], from: readonly string[], span: Span): void {
  for (let i = span.start; i < span.end; i++) into.push(from[i] ?? "");
}
