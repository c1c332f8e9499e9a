import type { DeskApi, EventQuery } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";

export interface Looking {
  readonly done: number;
  readonly total: number;
}

export type EventSource = Pick<DeskApi, "events" | "head">;

/** Reads events; can be stopped, goes on, and is closed. */
export class Reader {
  /** How far it is, while it looks at many. */
  looking: Looking | undefined;
  readonly #source: EventSource;
  readonly #closed = new AbortController();
  #search = new AbortController();
  readonly #onProgress: () => void;

  constructor(source: EventSource, onProgress: () => void) {
    this.#source = source;
    this.#onProgress = onProgress;
  }

  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  get isStopped(): boolean {
    return this.#search.signal.aborted;
  }

  head(): number {
    return this.#source.head();
  }

  async read(query: EventQuery, found?: (moment: Moment) => void): Promise<Moment[]> {
    const moments: Moment[] = [];
    await this.#source.events(query, {
      signal: AbortSignal.any([this.#closed.signal, this.#search.signal]),
      onItem: (moment) => {
        moments.push(moment);
        found?.(moment);
      },
      onProgress: ({ done, total = 0 }) => {
        this.looking = { done, total };
        this.#onProgress();
      },
    });
    return moments;
  }

  stop(): void {
    this.#search.abort();
  }

  resume(): void {
    if (this.isStopped) this.#search = new AbortController();
  }

  close(): void {
    this.#closed.abort();
  }
}
