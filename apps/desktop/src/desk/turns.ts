import { Watched } from "../watched.ts";
import type { DeskApi } from "./api.ts";

/** Whoever takes something back means what was said before it, and nothing of what is said after, also where the server hasn't answered that yet. */
export class Turns {
  /** What was begun, or stands in line. */
  readonly #open = new Set<Promise<unknown>>();
  /** Whether there is anything of that. */
  readonly busy = new Watched(false);
  /** Over once nothing stands in line any more that takes something back. */
  #back: Promise<unknown> | undefined;

  /**
   * At once, unless something is to be taken back first; what comes in turn waits for it. `runs`: from then on it may go on
   * for long, and what comes in turn later doesn't.
   */
  begin<Result>(work: () => Promise<Result>, runs?: Promise<unknown>): Promise<Result> {
    return this.#opened(this.#back === undefined ? work() : this.#back.then(work), runs);
  }

  /** Once all is over that was begun before. */
  inTurn<Result>(work: () => Promise<Result>, runs?: Promise<unknown>): Promise<Result> {
    return this.#opened(Promise.allSettled(this.#open).then(work), runs);
  }

  /** In turn, and before all that is begun after. */
  takeBack<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.inTurn(work);
    const over = () => {
      if (this.#back === back) this.#back = undefined;
    };
    const back = done.then(over, over); // whoever asked for it hears of it
    this.#back = back;
    return done;
  }

  #opened<Result>(done: Promise<Result>, runs?: Promise<unknown>): Promise<Result> {
    this.#open.add(done);
    this.busy.set(true);
    const close = () => {
      this.#open.delete(done);
      this.busy.set(this.#open.size > 0);
    };
    done.then(close, close);
    void runs?.then(close);
    return done;
  }
}

const turns = new WeakMap<DeskApi, Turns>();

/** One for all ways in: the bar, keys and notices. */
export function turnsOf(desk: DeskApi): Turns {
  const there = turns.get(desk) ?? new Turns();
  turns.set(desk, there);
  return there;
}
