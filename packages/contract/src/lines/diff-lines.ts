/** Lines `start` to `end` of the one text stand where `from` to `to` stand in the other. Ends are exclusive. */
export interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Where two texts differ: hunks in order, with at least one common line between two of them. As few lines as possible
 * (Myers 1986), as long as that is quick; beyond, one hunk from the first difference to the last. Coarse is still true:
 * a merge over it finds more conflicts, never a wrong text.
 */
export function diffLines(before: readonly string[], after: readonly string[]): Hunk[] {
  const head = commonHead(before, after);
  const tail = commonTail(before, after, head);
  const [a, b] = numbered(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  if (a.length === 0 && b.length === 0) return [];
  const hunks = a.length === 0 || b.length === 0 ? undefined : shortest(a, b);
  return (hunks ?? [{ start: 0, end: a.length, from: 0, to: b.length }]).map((hunk) => moved(hunk, head));
}

/** Lines that go and come, at most: what it takes in memory grows with the square. */
const MAX_EDITS = 1_000;
/** Looks at a line or a diagonal, at most: tens of milliseconds. */
const MAX_STEPS = 5_000_000;

function commonHead(before: readonly string[], after: readonly string[]): number {
  const length = Math.min(before.length, after.length);
  let head = 0;
  while (head < length && before[head] === after[head]) head++;
  return head;
}

function commonTail(before: readonly string[], after: readonly string[], head: number): number {
  const length = Math.min(before.length, after.length) - head;
  let tail = 0;
  while (tail < length && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return tail;
}

/** The same number for the same line: quicker to compare than texts that begin alike. */
function numbered(before: readonly string[], after: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  };
  return [Int32Array.from(before, numberOf), Int32Array.from(after, numberOf)];
}

function moved(hunk: Hunk, by: number): Hunk {
  return { start: hunk.start + by, end: hunk.end + by, from: hunk.from + by, to: hunk.to + by };
}

/**
 * The furthest line of `a` reached on each diagonal (place in `a` minus place in `b`), edit by edit, until one reaches both
 * ends. `undefined` where that takes too long.
 */
function shortest(a: Int32Array, b: Int32Array): Hunk[] | undefined {
  const most = Math.min(a.length + b.length, MAX_EDITS);
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const rounds: Int32Array[] = []; // what was reached before each round, from diagonal -edits - 1 on
  for (let edits = 0, steps = 0; edits <= most; edits++) {
    rounds.push(reach.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const above = at(reach, middle + diagonal + 1);
      const left = at(reach, middle + diagonal - 1);
      const down = diagonal === -edits || (diagonal !== edits && left < above);
      const begin = down ? above : left + 1;
      let x = begin;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      reach[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return traced(rounds, a.length, b.length);
      steps += 1 + x - begin;
    }
    if (steps > MAX_STEPS) return undefined;
  }
  return undefined;
}

/** The way back from both ends to both beginnings: each edit is a line of `a` that goes or one of `b` that comes. */
function traced(rounds: readonly Int32Array[], aLength: number, bLength: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [x, y] = [aLength, bLength];
  for (let edits = rounds.length - 1; edits > 0; edits--) {
    const reach = rounds[edits] ?? new Int32Array();
    const middle = edits + 1;
    const diagonal = x - y;
    const above = at(reach, middle + diagonal + 1);
    const left = at(reach, middle + diagonal - 1);
    const down = diagonal === -edits || (diagonal !== edits && left < above);
    const fromX = down ? above : left;
    const fromY = down ? above - diagonal - 1 : left - diagonal + 1;
    addEdit(
      hunks,
      down
        ? { start: fromX, end: fromX, from: fromY, to: fromY + 1 }
        : { start: fromX, end: fromX + 1, from: fromY, to: fromY },
    );
    [x, y] = [fromX, fromY];
  }
  return hunks.reverse();
}

/** Edits come from the last to the first; one that touches the hunk after it is part of that. */
function addEdit(hunks: Hunk[], edit: Hunk): void {
  const next = hunks.at(-1);
  if (next === undefined || next.start !== edit.end || next.from !== edit.to) hunks.push(edit);
  else hunks[hunks.length - 1] = { start: edit.start, end: next.end, from: edit.from, to: next.to };
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0;
}
