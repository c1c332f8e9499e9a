import type { Id } from "@choiros/contract";
import type { Hearing, Said } from "../director/hearing.ts";

/**
 * What is said to an ask while it is worked at. Nothing that was taken is lost: who wants to tell it something first says
 * so, and it doesn't end in between.
 */
export class Inbox implements Hearing {
  readonly opening: () => Promise<string>;
  #said: readonly Said[] = [];
  #coming = 0;
  #closed = false;
  readonly #waiting = new Set<() => void>();

  constructor(opening: () => Promise<string>) {
    this.opening = opening;
  }

  /** What was said to it before, and perhaps not heard. */
  remember(before: readonly Said[]): void {
    this.#said = distinct([...before, ...this.#said]);
  }

  /** Whether it will take what is about to be put. */
  expect(): boolean {
    if (this.#closed) return false;
    this.#coming += 1;
    return true;
  }

  put(said: Said): void {
    this.#said = distinct([...this.#said, said]);
    this.#settle();
  }

  /** What was expected doesn't come. */
  forgo(): void {
    this.#settle();
  }

  said(): readonly Said[] {
    return this.#said;
  }

  has(heard: ReadonlySet<Id>): boolean {
    return this.#said.some(({ id }) => !heard.has(id));
  }

  async more(heard: ReadonlySet<Id>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.has(heard)) await this.#next(signal);
  }

  async close(heard: ReadonlySet<Id>): Promise<boolean> {
    while (this.#coming > 0) await this.#next();
    if (this.has(heard)) return false;
    this.#closed = true;
    return true;
  }

  /** It is over, whatever comes. */
  shut(): void {
    this.#closed = true;
  }

  #settle(): void {
    this.#coming -= 1;
    for (const wake of this.#waiting) wake();
  }

  async #next(signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    this.#waiting.delete(resolve);
  }
}

function distinct(said: readonly Said[]): Said[] {
  return [...new Map(said.map((one) => [one.id, one])).values()];
}
