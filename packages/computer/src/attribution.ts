import type { Cause, Source } from "@choiros/contract";

/** Whose work it is. */
export interface Author {
  readonly source: Source;
  readonly cause: Cause;
}

export interface Attributed {
  /** How many changes were taken for this author's so far. */
  readonly changed: number;
  end(): void;
}

/** What others change in the folder is the work of the command that runs there; or, while two do, nobody knows whose. */
export class Attribution {
  readonly #running = new Set<{ readonly author: Author; changed: number }>();

  begin({ source, cause }: Author): Attributed {
    const running = { author: { source, cause }, changed: 0 };
    this.#running.add(running);
    return {
      get changed() {
        return running.changed;
      },
      end: () => void this.#running.delete(running),
    };
  }

  /** Whose these changes are; `undefined` for somebody outside. */
  authorOf(changes: number): Author | undefined {
    const [running] = this.#running.size === 1 ? this.#running : [];
    if (running !== undefined) running.changed += changes;
    return running?.author;
  }
}
