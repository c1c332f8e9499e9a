import { Watched } from "../watched.ts";

/** So long an answer may take before somebody should know. */
const LATE_MS = 1000;

/** What was said and should be kept, and which the server hasn't shown yet that it has. */
export class Unheard {
  readonly any = new Watched(false);
  /** Whether some of it waits for longer than an answer takes. */
  readonly late = new Watched(false);
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #late = new Set<string>();

  said(id: string): void {
    const isLate = () => {
      this.#late.add(id);
      this.late.set(true);
    };
    this.#timers.set(id, setTimeout(isLate, LATE_MS));
    this.any.set(true);
  }

  heard(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#late.delete(id);
    this.late.set(this.#late.size > 0);
    this.any.set(this.#timers.size > 0);
  }
}
