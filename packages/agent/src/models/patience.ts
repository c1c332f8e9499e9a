import type { Timing } from "./timing.ts";

/** Ends a call that nothing comes from, and one that the user stopped: whichever is first. */
export class Patience {
  readonly #controller = new AbortController();
  readonly #timing: Timing;
  readonly #stop: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #expired: "first" | "silence" | undefined;
  readonly #stopped = (): void => this.#controller.abort();

  constructor(timing: Timing, stop: AbortSignal) {
    this.#timing = timing;
    this.#stop = stop;
    stop.addEventListener("abort", this.#stopped, { once: true });
    if (stop.aborted) this.#controller.abort();
    else this.#wait("first", timing.firstMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What it was waited for in vain. */
  get expired(): "first" | "silence" | undefined {
    return this.#expired;
  }

  /** A byte came. */
  heard(): void {
    if (this.signal.aborted) return;
    this.#wait("silence", this.#timing.silenceMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#stop.removeEventListener("abort", this.#stopped);
    this.#controller.abort();
  }

  #wait(what: "first" | "silence", ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#expired = what;
      this.#controller.abort();
    }, ms);
  }
}
