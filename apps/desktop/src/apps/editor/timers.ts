/** What is to happen later, by name: at most one of each. */
export class Timers<Name extends string> {
  readonly #running = new Map<Name, ReturnType<typeof setTimeout>>();

  /** So long after the last time it was said. */
  after(name: Name, delay: number, what: () => void): void {
    this.stop(name);
    const run = () => {
      this.#running.delete(name);
      what();
    };
    this.#running.set(name, setTimeout(run, delay));
  }

  /** So long after the first time it was said. */
  within(name: Name, delay: number, what: () => void): void {
    if (!this.#running.has(name)) this.after(name, delay, what);
  }

  stop(name: Name): void {
    clearTimeout(this.#running.get(name));
    this.#running.delete(name);
  }

  stopAll(): void {
    for (const name of [...this.#running.keys()]) this.stop(name);
  }
}
