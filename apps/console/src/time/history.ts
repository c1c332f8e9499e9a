import { isDemo } from "@choiros/contract";
import type { ComputerApi } from "../server/computer-api.ts";
import type { Moment } from "../server/shapes.ts";
import { shorten } from "../words.ts";
import { MARKED, type Mark, markOf } from "./marks.ts";

const PAGE = 200;
/** So many pages are kept; whoever scrolls through a long history must not fill the memory with it. */
const MOST_PAGES = 50;

/**
 * The events of one computer, as far as somebody looked at them, and the marks of all. Pages come one request at a time,
 * and only those that are wanted when it is their turn: moving over ten thousand events asks for what is there in the end.
 */
export class History {
  head = 0;
  marks: readonly Mark[] = [];
  /** How often the server could be reached again: what failed meanwhile is asked for again. */
  round = 0;
  readonly #api: ComputerApi;
  /** How asks begin, and what tasks are to do, in a heading's worth: both are among what is marked. */
  readonly #titles = new Map<string, string>();
  readonly #pages = new Map<number, Moment[]>();
  readonly #listeners = new Set<() => void>();
  readonly #closed = new AbortController();
  #wanted: readonly number[] = [];
  #fetching = false;
  #version = 0;

  constructor(api: ComputerApi) {
    this.#api = api;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  /** Begins with what the server has by now; whatever was known is forgotten. */
  start(head: number): void {
    this.head = head;
    this.marks = [];
    this.#pages.clear();
    this.#changed();
    void this.#loadMarks();
  }

  reconnected(): void {
    this.round++;
    this.#changed();
  }

  add(moments: readonly Moment[]): void {
    for (const moment of moments) {
      const { seq } = moment.event;
      this.head = Math.max(this.head, seq);
      const page = this.#pages.get(pageOf(seq)) ?? [];
      if (page.length !== (seq - 1) % PAGE) continue; // what is missing before it is fetched with it
      page.push(moment);
      this.#pages.set(pageOf(seq), page);
    }
    this.#addMarks(moments);
    this.#changed();
  }

  at(seq: number): Moment | undefined {
    return this.#pages.get(pageOf(seq))?.[(seq - 1) % PAGE];
  }

  /** What an ask was begun with, or a task is to do. */
  titleOf(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#titles.get(id);
  }

  /** Whether what was done for an ask was played from the demo's script. */
  isScripted(ask: string | undefined): boolean {
    return isDemo(this.titleOf(ask) ?? "");
  }

  /** These are on the screen. */
  want(first: number, last: number): void {
    const [from, to] = [pageOf(Math.max(1, first)), pageOf(Math.max(1, last))];
    this.#wanted = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    void this.#fetchWanted();
  }

  close(): void {
    this.#closed.abort();
    this.#listeners.clear();
  }

  async #fetchWanted(): Promise<void> {
    if (this.#fetching) return;
    this.#fetching = true;
    try {
      for (let page = this.#missing(); page !== undefined; page = this.#missing()) {
        const from = page * PAGE + 1;
        this.#keep(page, await this.#api.events({ from, to: from + PAGE - 1 }, this.#closed.signal));
        this.#changed();
      }
    } catch {
      this.#wanted = []; // the connection's state is told elsewhere; the next look asks again
    } finally {
      this.#fetching = false;
    }
  }

  #missing(): number | undefined {
    return this.#wanted.find((page) => page * PAGE < this.head && this.#isShort(page));
  }

  #isShort(page: number): boolean {
    const length = this.#pages.get(page)?.length ?? 0;
    return length < Math.min(PAGE, this.head - page * PAGE);
  }

  #keep(page: number, moments: Moment[]): void {
    this.#pages.delete(page);
    this.#pages.set(page, moments);
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= MOST_PAGES) break;
      if (!this.#wanted.includes(old)) this.#pages.delete(old);
    }
  }

  async #loadMarks(): Promise<void> {
    try {
      this.#addMarks(await this.#api.events({ from: 1, types: MARKED }, this.#closed.signal));
      this.#changed();
    } catch {
      // Marks are a help: without them the slider still has every moment.
    }
  }

  #addMarks(moments: readonly Moment[]): void {
    const marks = new Map(this.marks.map((mark) => [mark.seq, mark]));
    for (const moment of moments) {
      const mark = markOf(moment);
      if (mark !== undefined) marks.set(mark.seq, mark);
      const [id, title] = titleIn(moment) ?? [];
      if (id !== undefined && title !== undefined) this.#titles.set(id, shorten(title));
    }
    if (marks.size > this.marks.length) this.marks = [...marks.values()].sort((a, b) => a.seq - b.seq);
  }

  #changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}

function titleIn({ event: { cause, id, payload, source, type } }: Moment): [string, string] | undefined {
  const { instruction, text } = payload;
  if (type === "message" && source === "user" && cause?.ask === id && typeof text === "string") return [id, text];
  if (type === "task.planned" && cause?.task !== undefined && typeof instruction === "string")
    return [cause.task, instruction];
  return undefined;
}

function pageOf(seq: number): number {
  return Math.floor((seq - 1) / PAGE);
}
