const KEPT = 200;

/** What was typed, in this page, and before that what the log has: the arrows walk through it, to what was being written. */
export class History {
  #said: string[] = [];
  /** What is walked through, the newest last. */
  #all: readonly string[] = [];
  /** Where in it; `undefined` while it isn't walked through. */
  #at: number | undefined;
  #draft = "";

  get isOpen(): boolean {
    return this.#at !== undefined;
  }

  add(text: string): void {
    this.#said = [...this.#said.filter((one) => one !== text), text].slice(-KEPT);
    this.#at = undefined;
  }

  /** `undefined` where there is nothing further that way. `asked` is what was asked before, the newest first. */
  step(by: -1 | 1, text: string, asked: readonly string[] = []): string | undefined {
    if (this.#at === undefined) {
      this.#draft = text;
      this.#all = [...asked.filter((one) => !this.#said.includes(one)).reverse(), ...this.#said];
    }
    const to = (this.#at ?? this.#all.length) + by;
    if (to < 0 || to > this.#all.length) return undefined;
    this.#at = to === this.#all.length ? undefined : to;
    return this.#all[to] ?? this.#draft;
  }

  leave(): void {
    this.#at = undefined;
  }
}
