/** One after the other: what reads the state, decides, and appends must not be overtaken by another that does the same. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  take<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const turn = this.#last.then(work).finally(() => this.#waiting--);
    this.#last = turn.catch(() => {}); // whoever waits for this turn reports it; the next one only needs its end
    return turn;
  }

  get busy(): boolean {
    return this.#waiting > 0;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    for (let last = this.#last; ; last = this.#last) {
      await last;
      if (last === this.#last) return;
    }
  }
}
