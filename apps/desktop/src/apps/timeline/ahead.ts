/** Nobody is read ahead of further than this, in lines; who moves more at once has jumped. */
const FARTHEST = 768;

/** Which lines are in sight, and which will be by the time that they are read: as far on as somebody came during the last reading. */
export class Ahead {
  #first = 0;
  #last = 0;
  /** How many lines went by while something was read; less than none on the way up. */
  #moved = 0;

  /** These lines are on the screen. */
  want(first: number, last: number): void {
    const by = first - this.#first;
    if (Math.abs(by) > FARTHEST || by * this.#moved < 0) this.#moved = 0;
    this.#first = first;
    this.#last = last;
  }

  /** Something is being read: call what comes back once it is there. */
  begin(): () => void {
    const first = this.#first;
    return () => {
      const moved = this.#first - first;
      this.#moved = Math.abs(moved) > FARTHEST ? 0 : moved;
    };
  }

  get inSight(): readonly [first: number, last: number] {
    return [this.#first, this.#last];
  }

  /** What is in sight and what is to come, with a reading to spare. */
  get wanted(): readonly [first: number, last: number] {
    const further = Math.max(-FARTHEST, Math.min(FARTHEST, 2 * this.#moved));
    return [this.#first + Math.min(0, further), this.#last + Math.max(0, further)];
  }

  /** The line that will be in the middle when the next reading is there. */
  get goal(): number {
    return (this.#first + this.#last) / 2 + this.#moved;
  }
}
