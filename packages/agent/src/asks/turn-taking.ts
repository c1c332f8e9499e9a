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
  begin(onWorked: (ms: number) => void = () => {}): AskPace {
    this.#taken += 1;
    return new AskPace(this, onWorked);
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
  readonly #work = new Clock(
    () => Number.POSITIVE_INFINITY,
    () => {},
  );
  readonly #onWorked: (ms: number) => void;
  #told = 0;
  #has = true;

  /** `onWorked` hears, piece by piece, how long it has worked. */
  constructor(turns: TurnTaking, onWorked: (ms: number) => void) {
    this.#turns = turns;
    this.#onWorked = onWorked;
    this.#clocks.add(this.#work);
    this.#work.go();
  }

  async ready(signal: AbortSignal): Promise<void> {
    this.#tell();
    if (!this.#has) await this.#turns.take(signal);
    this.#has = true;
    for (const clock of this.#clocks) clock.go();
  }

  rest(): void {
    for (const clock of this.#clocks) clock.stop();
    this.#tell();
    this.#release();
  }

  clock(ms: () => number, over: () => void): () => void {
    return this.#begin(new Clock((counted) => ms() - counted, over));
  }

  look(): void {
    for (const clock of this.#clocks) clock.look();
  }

  /** The same where others use it up too: what is left is asked for whenever it goes on, and before it is over. */
  clockBy(left: () => number, over: () => void): () => void {
    const leftNow = () => {
      this.#tell();
      return left();
    };
    return this.#begin(new Clock(leftNow, over));
  }

  #begin(clock: Clock): () => void {
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
    this.#tell();
    this.#release();
  }

  #tell(): void {
    const { counted } = this.#work;
    this.#onWorked(counted - this.#told);
    this.#told = counted;
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
  readonly #left: (counted: number) => number;
  #counted = 0;
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(left: (counted: number) => number, over: () => void) {
    this.#left = left;
    this.#over = over;
  }

  get counted(): number {
    return this.#counted + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  go(): void {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    this.#wait(this.#left(this.counted));
  }

  look(): void {
    if (this.#since === undefined) return;
    clearTimeout(this.#timer);
    this.#wait(this.#left(this.counted));
  }

  #wait(ms: number): void {
    if (ms > MAX_TIMER_MS) return; // longer than that is no limit
    this.#timer = setTimeout(
      () => {
        const left = this.#left(this.counted);
        if (left > 0) this.#wait(left);
        else this.#over();
      },
      Math.max(0, ms),
    );
  }

  stop(): void {
    this.#counted = this.counted;
    this.#since = undefined;
    clearTimeout(this.#timer);
  }
}
