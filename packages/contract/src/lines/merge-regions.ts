import { diffLines, type Hunk } from "./diff-lines.ts";

/** Lines `start` to `end`, exclusive, counted from 0. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** Where at least one side changed something: the lines of all three, and whose stand there. */
export interface Region {
  readonly base: LineSpan;
  readonly ours: LineSpan;
  readonly theirs: LineSpan;
  /** `undefined` where nobody can say: both changed the same lines, or lines that touch, and not alike. */
  readonly settled: "ours" | "theirs" | undefined;
}

export interface ThreeTexts {
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** A three-way merge, region by region and in order; between two of them all three texts are the same. */
export function* mergeRegions(lines: ThreeTexts): Generator<Region> {
  const sides = {
    ours: new Side(diffLines(lines.base, lines.ours)),
    theirs: new Side(diffLines(lines.base, lines.theirs)),
  };
  for (;;) {
    const start = Math.min(sides.ours.nextStart, sides.theirs.nextStart);
    if (start === Number.POSITIVE_INFINITY) return;
    const from = { ours: sides.ours.placeOf(start), theirs: sides.theirs.placeOf(start) };
    const { end, changedBy } = takeTogether(sides, start);
    const ours = { start: from.ours, end: sides.ours.placeOf(end) };
    const theirs = { start: from.theirs, end: sides.theirs.placeOf(end) };
    const settled = changedBy === "both" ? (isAlike(lines, ours, theirs) ? "ours" : undefined) : changedBy;
    yield { base: { start, end }, ours, theirs, settled };
  }
}

interface Sides {
  readonly ours: Side;
  readonly theirs: Side;
}

/** Hunks of both sides that overlap or touch, from a line of the base on. */
function takeTogether(sides: Sides, start: number): { end: number; changedBy: "ours" | "theirs" | "both" } {
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
  return { end, changedBy: taken.ours && taken.theirs ? "both" : taken.ours ? "ours" : "theirs" };
}

function isAlike(lines: ThreeTexts, ours: LineSpan, theirs: LineSpan): boolean {
  const mine = lines.ours.slice(ours.start, ours.end);
  const other = lines.theirs.slice(theirs.start, theirs.end);
  return mine.length === other.length && mine.every((line, i) => line === other[i]);
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
