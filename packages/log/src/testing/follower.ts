import { setImmediate as nextTurn } from "node:timers/promises";
import type { Head, Log } from "../log.ts";

/** Follows a log at its own pace, and remembers what it was given. */
export class Follower {
  readonly from: number;
  readonly given: Head[] = [];
  /** Settles when the subscription has ended; rejects where it failed. */
  readonly ended: Promise<void>;
  readonly #stop = new AbortController();
  #arrived: { seq: number; resolve: () => void } | undefined;

  /** A pace of 3 is a rest after each third event; 0 is none. */
  constructor(log: Log, from: number, pace: number) {
    this.from = from;
    this.ended = this.#follow(log, pace);
    this.ended.catch(() => {}); // whoever awaits `ended` reports it
  }

  async #follow(log: Log, pace: number): Promise<void> {
    for await (const { seq, hash } of log.subscribe({ from: this.from, signal: this.#stop.signal })) {
      this.given.push({ seq, hash });
      if (this.#arrived !== undefined && seq >= this.#arrived.seq) this.#arrived.resolve();
      if (pace > 0 && this.given.length % pace === 0) await nextTurn();
    }
  }

  /** Resolves once the event with this seq was given, or the subscription has ended. */
  async reaches(seq: number): Promise<void> {
    if (seq < this.from || (this.given.at(-1)?.seq ?? 0) >= seq) return;
    const arrived = new Promise<void>((resolve) => {
      this.#arrived = { seq, resolve };
    });
    await Promise.race([arrived, this.ended]);
  }

  async leave(): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }
}
