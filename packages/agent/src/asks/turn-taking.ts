import type { Pace } from "../loop/pace.ts";

/** Whose turn it is: one ask at a time. Those that come back to their work go before those that begin. */
export class TurnTaking {
  readonly #most: number;
  readonly #onFree: () => void;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  /** `onFree` hears that another one may begin. */
  constructor(onFree: () => void, most = 1) {
    this.#onFree = onFree;
    this.#most = most;
  }

  get free(): boolean {
    return this.#taken < this.#most && this.#waiting.length === 0;
  }

  /** At once: whoever begins has asked whether it is free. */
  begin(): AskPace {
    this.#taken += 1;
    return new AskPace(this);
  }

  /** Resolves when it is its turn again, or when the signal ends the waiting; it has its turn then, too. */
  async take(signal: AbortSignal): Promise<void> {
    if (this.#taken >= this.#most && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
      await promise;
      const at = this.#waiting.indexOf(resolve);
      if (at >= 0) this.#waiting.splice(at, 1);
      else return; // it was handed the turn of another
    }
    this.#taken += 1;
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#taken -= 1;
      this.#onFree();
    } else next();
  }
}

/** Of one ask: it has its turn but while it waits for the user. */
export class AskPace implements Pace {
  readonly #turns: TurnTaking;
  readonly #clocks = new Set<Clock>();
  readonly #work = new Clock(Number.POSITIVE_INFINITY, () => {});
  #has = true;

  constructor(turns: TurnTaking) {
    this.#turns = turns;
    this.#clocks.add(this.#work);
    this.#work.go();
  }

  /** The time that it has worked, in milliseconds. */
  get worked(): number {
    return this.#work.counted;
  }

  async ready(signal: AbortSignal): Promise<void> {
    this.wake();
    if (this.#has) return;
    await this.#turns.take(signal);
    this.#has = true;
  }

  rest(): void {
    for (const clock of this.#clocks) clock.stop();
    this.#release();
  }

  wake(): void {
    for (const clock of this.#clocks) clock.go();
  }

  clock(ms: number, over: () => void): () => void {
    const clock = new Clock(ms, over);
    this.#clocks.add(clock);
    clock.go();
    return () => {
      clock.stop();
      this.#clocks.delete(clock);
    };
  }

  end(): void {
    for (const clock of this.#clocks) clock.stop();
    this.#clocks.clear();
    this.#release();
  }

  #release(): void {
    if (!this.#has) return;
    this.#has = false;
    this.#turns.give();
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1;

class Clock {
  readonly #over: () => void;
  readonly #most: number;
  #counted = 0;
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, over: () => void) {
    this.#most = ms;
    this.#over = over;
  }

  get counted(): number {
    return this.#counted + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  go(): void {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    const left = Math.max(0, this.#most - this.#counted);
    if (left <= MAX_TIMER_MS) this.#timer = setTimeout(this.#over, left); // longer than that is no limit
  }

  stop(): void {
    this.#counted = this.counted;
    this.#since = undefined;
    clearTimeout(this.#timer);
  }
}
