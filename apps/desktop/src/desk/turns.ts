import type { DeskApi } from "./api.ts";

/** Whoever takes something back means what was done before, also where the server hasn't answered that yet. */
export class Turns {
  /** Over once all is that was begun so far. */
  #begun: Promise<unknown> = Promise.resolve();

  /** At once; what comes in turn waits for it. */
  begin<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = work();
    this.#begun = Promise.allSettled([this.#begun, done]); // whoever asked for it hears of it
    return done;
  }

  /** Once all is over that was begun before. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#begun.then(work);
    this.#begun = Promise.allSettled([done]);
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
