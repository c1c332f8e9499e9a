import { sentence } from "../../desk/problem.ts";
import type { Moment } from "../../desk/socket.ts";
import { Ahead } from "./ahead.ts";
import type { Query } from "./filter.ts";
import { foldsOver, isFold, type Row } from "./fold.ts";
import { type EventSource, type Looking, Reader } from "./reader.ts";
import { isLoaded, type Place, type Stretch, Stretches } from "./stretches.ts";

/** So many events are read at once. */
const PAGE = 256;
/** So many pages are asked for together. */
const AT_ONCE = 3;
/** So many pages are kept; whoever scrolls through a long history must not fill the memory with it. */
const MOST_PAGES = 40;
/** Of a search so many at once, and drawn as they are found, but not each for itself. */
const FOUND = 200;
const DRAW_MS = 80;
/** What comes is looked at together where it has to be asked for. */
const GATHER_MS = 250;

/**
 * The events of a computer, or those that a query finds, as lines, the newest first. Without a query every page has its
 * place from the beginning, and is read when it comes in sight; with one, pages are found one after the other.
 */
export class Story {
  /** Why the last request failed. */
  problem: string | undefined;
  /** Whether the last page that there is has been found. */
  complete: boolean;
  readonly query: Query | undefined;
  readonly #reader: Reader;
  readonly #stretches = new Stretches();
  readonly #open = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #ahead = new Ahead();
  /** What is being read just now. */
  readonly #reading = new Set<Stretch | "older">();
  /** Came while its page was being read. */
  #late: Moment[] = [];
  /** The last event when it began; and the one up to which all are found, or asked for. */
  readonly #begin: number;
  #known: number;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #drawing: ReturnType<typeof setTimeout> | undefined;
  #version = 0;

  constructor(source: EventSource, query?: Query) {
    this.#reader = new Reader(source, () => this.#changed());
    this.query = query;
    this.#begin = source.head();
    this.#known = this.#begin;
    this.complete = query === undefined;
    if (query === undefined) this.#grow(this.#begin);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly version = (): number => this.#version;

  /** How many lines there are; of what wasn't read yet, about. */
  get total(): number {
    return this.#stretches.total;
  }

  /** How far a search is, while it looks at many. */
  get looking(): Looking | undefined {
    return this.#reader.looking;
  }

  /** Somebody didn't want to wait for a search any longer. */
  get stopped(): boolean {
    return this.#reader.isStopped;
  }

  /** How many pages are in memory. */
  get pages(): number {
    return this.#stretches.loaded().length;
  }

  /** `undefined` as long as it isn't read. */
  row(index: number): Row | undefined {
    const { stretch, into } = this.#stretches.at(index) ?? {};
    return stretch?.rows?.[into ?? 0];
  }

  /** Where a line is now; what is above it may have changed. */
  placeAt(index: number): Place | undefined {
    return this.#stretches.placeAt(index);
  }

  indexOf(place: Place): number | undefined {
    return this.#stretches.indexOf(place);
  }

  /** Where the line of this id is that was about this event. */
  indexOfRow(id: string, seq: number): number | undefined {
    return this.#stretches.find(seq, (row) => row.id === id);
  }

  /** The line that is about this event, if it is read: its own, or the one that it is folded into. */
  indexOfEvent(seq: number): number | undefined {
    return this.#stretches.find(seq, (row) =>
      isFold(row) ? !row.open && row.moments.some(({ event }) => event.seq === seq) : row.moment.event.seq === seq,
    );
  }

  moment(seq: number): Moment | undefined {
    return this.#stretches.of(seq)?.moments?.find(({ event }) => event.seq === seq);
  }

  /** These lines are on the screen. */
  want(first: number, last: number): void {
    this.#ahead.want(first, last);
    this.#fetchWanted();
  }

  /** Opens a line that has others in it, or closes it. */
  toggle(id: string, open = !this.#open.has(id)): void {
    if (open) this.#open.add(id);
    else this.#open.delete(id);
    for (const stretch of this.#stretches.loaded())
      if (stretch.rows?.some((row) => row.id === id) === true) this.#stretches.draw(stretch, this.#open);
    this.#changed();
  }

  /** Reads what is around an event, and opens what it is folded into. `false` where it isn't among these. */
  async reveal(seq: number): Promise<boolean> {
    const stretch = this.#stretches.of(seq);
    if (stretch === undefined) return false;
    if (!isLoaded(stretch)) await this.#load(stretch);
    const around = this.#stretches.readAround(stretch).flatMap(({ moments }) => moments);
    const over = foldsOver(around, seq);
    for (const id of over) this.#open.add(id);
    if (over.length > 0) this.#stretches.draw(stretch, this.#open);
    this.#changed();
    return this.moment(seq) !== undefined;
  }

  /** What happened just now. */
  add(moments: readonly Moment[]): void {
    const fresh = moments.filter(({ event }) => event.seq > this.#known);
    if (fresh.length === 0 || this.#reader.isClosed) return;
    if (this.query === undefined) this.#append(fresh);
    else this.#gathering ??= setTimeout(() => void this.#findNewer(), GATHER_MS);
  }

  /** A search goes no further; what it found stays. */
  stop(): void {
    this.#reader.stop();
  }

  /** Whatever failed, or was stopped, is tried again. */
  retry(): void {
    this.problem = undefined;
    this.#reader.resume();
    this.#changed();
    this.#fetchWanted();
  }

  close(): void {
    this.#reader.close();
    clearTimeout(this.#gathering);
    clearTimeout(this.#drawing);
    this.#listeners.clear();
  }

  #append(moments: readonly Moment[]): void {
    const [first] = moments;
    const { newest } = this.#stretches;
    // What was missed in between is read with all of the page.
    if (newest !== undefined && first !== undefined && first.event.seq > this.#known + 1) newest.moments = undefined;
    for (const moment of moments) {
      const { seq } = moment.event;
      this.#grow(seq);
      const stretch = this.#stretches.of(seq);
      if (stretch === undefined) continue;
      if (stretch.from === seq) stretch.moments = [];
      if (isLoaded(stretch)) stretch.moments.unshift(moment);
      else this.#late.push(moment);
    }
    this.#late = this.#late.slice(-PAGE);
    for (const stretch of this.#stretches.loaded())
      if (stretch.to >= (first?.event.seq ?? 0)) this.#stretches.draw(stretch, this.#open);
    this.#changed();
  }

  /** Every page has its place, up to this event. */
  #grow(to: number): void {
    const newest = this.#stretches.newest;
    if (newest !== undefined) newest.to = Math.min(to, newest.from + PAGE - 1);
    const added: Stretch[] = [];
    for (let from = (newest?.from ?? 1 - PAGE) + PAGE; from <= to; from += PAGE)
      added.push({ from, to: Math.min(to, from + PAGE - 1) });
    this.#stretches.addNewer(...added.reverse());
    this.#known = to;
  }

  #fetchWanted(): void {
    if (this.problem !== undefined || this.stopped || this.#reader.isClosed) return;
    for (const next of this.#missing()) void this.#fetch(next);
  }

  async #fetch(what: Stretch | "older"): Promise<void> {
    const read = this.#ahead.begin();
    this.#reading.add(what);
    try {
      await (what === "older" ? this.#findOlder() : this.#load(what));
      read();
    } catch (error) {
      if (!this.#reader.isClosed && !this.stopped) this.problem = sentence(error);
    } finally {
      this.#reading.delete(what);
      if (this.#reading.size === 0) this.#reader.looking = undefined;
      this.#changed();
    }
    this.#fetchWanted();
  }

  /** What isn't read and in sight, or will be: as many as may be asked for. Or more of what a query finds. */
  #missing(): readonly (Stretch | "older")[] {
    const { goal, inSight, wanted } = this.#ahead;
    const unread = this.#stretches.between(...wanted, goal).filter((stretch) => !isLoaded(stretch));
    if (unread.length > 0)
      return unread.filter((stretch) => !this.#reading.has(stretch)).slice(0, AT_ONCE - this.#reading.size);
    return !this.complete && this.#reading.size === 0 && inSight[1] >= this.total - 1 ? ["older"] : [];
  }

  /** One that has its place already. */
  async #load(stretch: Stretch): Promise<void> {
    const { from } = stretch;
    const to = this.query === undefined ? from + PAGE - 1 : stretch.to;
    const found = await this.#reader.read({ ...this.query, from, to });
    const last = found.at(-1)?.event.seq ?? 0;
    const late = this.#late.filter(({ event }) => event.seq > last && event.seq >= from && event.seq <= to);
    this.#late = this.#late.filter((moment) => !late.includes(moment));
    const moments = [...found, ...late].reverse();
    // What is missing came faster than it could be read: it is read again.
    if (this.query === undefined && moments.length <= stretch.to - from) return;
    stretch.moments = moments;
    this.#stretches.draw(stretch, this.#open);
    this.#forget();
  }

  async #findOlder(): Promise<void> {
    const to = (this.#stretches.oldest?.from ?? this.#begin + 1) - 1;
    if (to < 1) {
      this.complete = true;
      return;
    }
    const stretch: Stretch & { moments: Moment[] } = { from: to, to, moments: [] };
    const found = (moment: Moment) => {
      if (stretch.moments.push(moment) === 1) this.#stretches.addOlder(stretch);
      stretch.from = moment.event.seq;
      this.#drawing ??= setTimeout(() => {
        this.#drawing = undefined;
        this.#stretches.draw(stretch, this.#open);
        this.#changed();
      }, DRAW_MS);
    };
    const all = await this.#reader.read({ ...this.query, to, newest: true, limit: FOUND }, found);
    this.complete = all.length < FOUND;
    if (all.length > 0) this.#stretches.draw(stretch, this.#open);
    this.#forget();
  }

  async #findNewer(): Promise<void> {
    this.#gathering = undefined;
    const [from, to] = [this.#known + 1, this.#reader.head()];
    this.#known = to;
    try {
      const moments = (await this.#reader.read({ ...this.query, from, to })).reverse();
      if (moments.length === 0) return;
      const { newest } = this.#stretches;
      if (newest?.moments !== undefined && newest.moments.length < PAGE) {
        newest.to = to;
        newest.moments.unshift(...moments);
        this.#stretches.draw(newest, this.#open);
      } else {
        const stretch = { from, to, moments };
        this.#stretches.addNewer(stretch);
        this.#stretches.draw(stretch, this.#open);
      }
      this.#changed();
    } catch {
      if (!this.#reader.isClosed) this.#known = from - 1; // with the next one that comes
    }
  }

  #forget(): void {
    this.#stretches.keep(MOST_PAGES, this.#stretches.between(...this.#ahead.wanted));
  }

  #changed(): void {
    if (this.#reader.isClosed) return;
    this.#version++;
    for (const listener of [...this.#listeners]) listener();
  }
}
