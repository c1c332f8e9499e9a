import type { Looked } from "./folder/folder.ts";

/** A file larger than this is not taken up each time that somebody adds a line to it. */
const LARGE_BYTES = 1_048_576;
/** So many times as long as it took to look at it, a large file is left alone; at most for so long. */
const REST = 20;
const MAX_REST_MS = 60_000;
/** What somebody goes on writing is looked at again after this long at the earliest. */
const BUSY_MS = 1000;
const BUSY_REST = 2;

/**
 * Decides when what others changed is taken up by itself: one capture at a time, with all that was told meanwhile in the
 * next one; and large files that go on changing only now and then, so that capturing them costs a small part of the
 * machine, however often they change.
 */
export class Pace {
  readonly #take: (keys: readonly string[] | undefined) => Promise<void>;
  #waiting = new Set<string>();
  #everything = false;
  readonly #restUntil = new Map<string, number>();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `take` takes up what was changed at these paths, or everywhere. It never rejects. */
  constructor(take: (keys: readonly string[] | undefined) => Promise<void>) {
    this.#take = take;
  }

  dirty(keys: readonly string[] | "everything"): void {
    if (keys === "everything") this.#everything = true;
    else for (const key of keys) this.#waiting.add(key);
    this.#go();
  }

  /** What was just looked at, and how long that took. */
  looked(found: readonly Looked[], ms: number): void {
    const now = performance.now();
    for (const [key, until] of this.#restUntil) if (until < now) this.#restUntil.delete(key);
    for (const one of found) {
      const busy = one.is === "busy";
      const large = one.is === "entry" && one.entry.kind === "file" && one.entry.size > LARGE_BYTES && !one.same;
      if (!busy && !large) continue;
      const rest = busy ? Math.max(ms * BUSY_REST, BUSY_MS) : ms * REST;
      this.#restUntil.set(one.key, now + Math.min(rest, MAX_REST_MS));
      if (busy) this.#waiting.add(one.key);
    }
    this.#go();
  }

  /** Resolves once nothing is being taken up, and nothing will be. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #go(): void {
    if (this.#closed || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    const now = performance.now();
    const rested = [...this.#waiting].filter((key) => (this.#restUntil.get(key) ?? 0) <= now);
    if (!this.#everything && rested.length === 0) {
      this.#sleep(now);
      return;
    }
    const keys = this.#everything ? undefined : rested;
    if (this.#everything) this.#waiting.clear();
    else for (const key of rested) this.#waiting.delete(key);
    this.#everything = false;
    this.#running = this.#take(keys).finally(() => {
      this.#running = undefined;
      this.#go();
    });
  }

  #sleep(now: number): void {
    const next = Math.min(...[...this.#waiting].map((key) => this.#restUntil.get(key) ?? 0));
    if (!Number.isFinite(next)) return;
    this.#timer = setTimeout(() => this.#go(), Math.max(1, next - now));
    this.#timer.unref();
  }
}
