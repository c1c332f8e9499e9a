import type { Moment } from "../../desk/socket.ts";
import { fold, type Row, seqOf } from "./fold.ts";

/** Events from one number to another, as far as they are read: the newest first. */
export interface Stretch {
  from: number;
  to: number;
  moments?: Moment[] | undefined;
  rows?: readonly Row[] | undefined;
  /** How many lines it had when it was last read. */
  lines?: number;
}

type ReadStretch = Stretch & { moments: Moment[] };

export function isLoaded(stretch: Stretch): stretch is ReadStretch {
  return stretch.moments !== undefined;
}

/** A line, wherever it will be. */
export interface Place {
  readonly stretch: Stretch;
  /** How far into the stretch. */
  readonly into: number;
  /** What is there, if it is read. */
  readonly id: string | undefined;
}

/**
 * As if so many events had been read of which half had a line of their own: else the first page alone, which may be one line
 * or hundreds, would say how long all of it is.
 */
const GUESSED = 512;
/** By a quarter. */
const FAR_OFF = Math.log(1.25);

/** Stretches one after the other, the newest first, each with its lines; of those that weren't read, about as many as the others have. */
export class Stretches {
  #all: Stretch[] = [];
  /** The line each begins with, and in the end how many there are; made anew where something changed. */
  #starts: readonly number[] | undefined;
  /** How many lines an event has, about. */
  #perEvent = 0.5;

  get newest(): Stretch | undefined {
    return this.#all[0];
  }

  get oldest(): Stretch | undefined {
    return this.#all.at(-1);
  }

  get total(): number {
    return this.#lines().at(-1) ?? 0;
  }

  /** The newest first. */
  addNewer(...stretches: readonly Stretch[]): void {
    this.#all = [...stretches, ...this.#all];
    this.changed();
  }

  addOlder(stretch: Stretch): void {
    this.#all.push(stretch);
    this.changed();
  }

  /** One of them has other lines than before. */
  changed(): void {
    this.#starts = undefined;
  }

  /** The lines of one, and of all that are read next to it: what belongs together is one line, where its newest event is. */
  draw(stretch: Stretch, open: ReadonlySet<string>): void {
    const read = this.readAround(stretch);
    const rows = fold(
      read.flatMap(({ moments }) => moments),
      open,
    );
    let end = 0;
    for (const one of read) {
      const begin = end;
      for (let row = rows[end]; row !== undefined && (row.depth > 0 || seqOf(row) >= one.from); row = rows[++end]);
      one.rows = rows.slice(begin, end);
      one.lines = end - begin;
    }
    this.changed();
  }

  /** It and those before and after it, as far as they are read without a gap. */
  readAround(stretch: Stretch): ReadStretch[] {
    const at = this.#all.indexOf(stretch);
    const before = this.#all.slice(0, at).findLastIndex((one) => !isLoaded(one)) + 1;
    const after = this.#all.findIndex((one, i) => i >= at && !isLoaded(one));
    return this.#all.slice(before, after < 0 ? undefined : after).filter(isLoaded);
  }

  loaded(): Stretch[] {
    return this.#all.filter(isLoaded);
  }

  /** The one that has this event, if any has. */
  of(seq: number): Stretch | undefined {
    const index = firstWhere(this.#all.length, (i) => (this.#all[i]?.from ?? 0) <= seq);
    const stretch = this.#all[index];
    return stretch !== undefined && stretch.to >= seq ? stretch : undefined;
  }

  at(index: number): { readonly stretch: Stretch; readonly into: number } | undefined {
    const starts = this.#lines();
    if (index < 0 || index >= this.total) return undefined;
    const which = firstWhere(this.#all.length, (i) => (starts[i + 1] ?? 0) > index);
    const stretch = this.#all[which];
    return stretch === undefined ? undefined : { stretch, into: index - (starts[which] ?? 0) };
  }

  /** Those with these lines; what is nearest to the line `goal` comes first. */
  between(first: number, last: number, goal = first): Stretch[] {
    const starts = this.#lines();
    const begin = firstWhere(this.#all.length, (i) => (starts[i + 1] ?? 0) > first);
    const end = firstWhere(this.#all.length, (i) => (starts[i] ?? 0) > last);
    const farFrom = (i: number) => Math.max((starts[i] ?? 0) - goal, goal - (starts[i + 1] ?? 0));
    const found = this.#all.slice(begin, end).map((stretch, i) => ({ stretch, far: farFrom(begin + i) }));
    return found.sort((one, two) => one.far - two.far).map(({ stretch }) => stretch);
  }

  placeAt(index: number): Place | undefined {
    const found = this.at(index);
    return found && { ...found, id: found.stretch.rows?.[found.into]?.id };
  }

  /** By what is there; where that isn't read, or is folded away by now, by how far it was into its stretch. */
  indexOf({ id, into, stretch }: Place): number | undefined {
    const which = this.#all.indexOf(stretch);
    if (which < 0) return undefined;
    const [start = 0, end = 0] = this.#lines().slice(which, which + 2);
    const row = stretch.rows?.findIndex((one) => one.id === id) ?? -1;
    return start + (row >= 0 ? row : Math.min(into, Math.max(0, end - start - 1)));
  }

  /** The first line that is it in the stretch of this event, or in a newer one: it may be folded into what is there. */
  find(seq: number, isIt: (row: Row) => boolean): number | undefined {
    const own = this.of(seq);
    for (let i = own === undefined ? -1 : this.#all.indexOf(own); i >= 0; i--) {
      const stretch = this.#all[i];
      if (stretch?.rows === undefined) return undefined;
      const into = stretch.rows.findIndex(isIt);
      if (into >= 0) return this.indexOf({ stretch, into, id: undefined });
    }
    return undefined;
  }

  /** Forgets what was read, of what is furthest away first, until there are only so many; but not these. */
  keep(most: number, wanted: readonly Stretch[]): void {
    const loaded = this.#all.map((stretch, at) => ({ stretch, at })).filter(({ stretch }) => isLoaded(stretch));
    if (loaded.length <= most) return;
    const [middle] = wanted;
    const here = middle === undefined ? 0 : this.#all.indexOf(middle);
    const far = loaded
      .filter(({ stretch }) => !wanted.includes(stretch) && stretch !== this.newest)
      .sort((one, two) => Math.abs(two.at - here) - Math.abs(one.at - here));
    for (const { stretch } of far.slice(0, loaded.length - most)) {
      stretch.moments = undefined;
      stretch.rows = undefined;
    }
  }

  #lines(): readonly number[] {
    if (this.#starts !== undefined) return this.#starts;
    const read = this.#all.filter(({ lines }) => lines !== undefined);
    const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
    const events = sum(read.map(({ from, to }) => to - from + 1));
    const perEvent = (sum(read.map(({ lines = 0 }) => lines)) + GUESSED / 2) / (events + GUESSED);
    // All of it moves under whoever scrolls when this changes: it does so where it was far off.
    if (Math.abs(Math.log(perEvent / this.#perEvent)) > FAR_OFF) this.#perEvent = perEvent;
    const starts = [0];
    let start = 0;
    for (const { from, lines, to } of this.#all) {
      start += lines ?? Math.max(1, Math.round((to - from + 1) * this.#perEvent));
      starts.push(start);
    }
    this.#starts = starts;
    return starts;
  }
}

/** The first number from 0 on for which it is so; it stays so for all after it. */
function firstWhere(count: number, isSo: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
