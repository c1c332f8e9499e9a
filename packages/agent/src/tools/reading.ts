import type { Id, Sha256 } from "@choiros/contract";

/** Lines of a file as a call showed them. */
interface Page {
  readonly call: Id;
  readonly key: string;
  readonly hash: Sha256;
  readonly from: number;
  /** The last one that is shown; infinite where none follows. */
  readonly to: number;
  /** Whether one of them is too long to be shown whole. */
  readonly hasCut: boolean;
}

/** What is known of a file as it was then: lines, from one to another. */
interface Known {
  readonly hash: Sha256;
  readonly lines: readonly (readonly [from: number, to: number])[];
  /** Whether one of them was shown only in part. */
  readonly hasCut: boolean;
}

const ALL = [1, Number.POSITIVE_INFINITY] as const;

/**
 * What a model has read. What its tools answer it sees with its next request only: what it says before that, it says
 * without having read it.
 */
export class Reading {
  readonly #known = new Map<string, Known>();
  #coming: Page[] = [];

  show(page: Page): void {
    this.#coming.push(page);
  }

  /** Of what this call showed, the model isn't told all. */
  cut(call: Id): void {
    this.#coming = this.#coming.filter((page) => page.call !== call);
  }

  /** The model has answered, and so it has seen what it was shown before. */
  answered(): void {
    for (const { key, hash, from, to, hasCut } of this.#coming) {
      const known = this.#known.get(key);
      const { lines, hasCut: had } = known?.hash === hash ? known : { lines: [], hasCut: false };
      this.#known.set(key, { hash, lines: [...lines, [from, to]], hasCut: had || hasCut });
    }
    this.#coming = [];
  }

  /**
   * It is what the model itself has written; where it has edited a part of what it hadn't seen whole, its lines have to be
   * shown again.
   */
  wrote(key: string, hash: Sha256, by: "write" | "edit"): void {
    const whole = by === "write" || this.unseen(key) === undefined;
    this.forget(key);
    this.#known.set(key, { hash, lines: whole ? [ALL] : [], hasCut: false });
  }

  forget(key: string): void {
    this.#known.delete(key);
    this.#coming = this.#coming.filter((page) => page.key !== key);
  }

  clear(): void {
    this.#known.clear();
    this.#coming = [];
  }

  /** What it has read there last. */
  hashOf(key: string): Sha256 | undefined {
    return this.#known.get(key)?.hash;
  }

  /** Whether it was shown something there that it hasn't answered to. */
  isComing(key: string): boolean {
    return this.#coming.some((page) => page.key === key);
  }

  /** The first line that it hasn't seen, `"cut"` where one can't be shown whole; `undefined` where it has seen them all. */
  unseen(key: string): number | "cut" | undefined {
    const { lines = [], hasCut } = this.#known.get(key) ?? {};
    if (hasCut === true) return "cut";
    let next = 1;
    for (const [from, to] of lines.toSorted(([one], [other]) => one - other))
      if (from <= next) next = Math.max(next, to + 1);
    return Number.isFinite(next) ? next : undefined;
  }

  /** All that it was shown, by key, also what it hasn't answered to. */
  get files(): ReadonlyMap<string, Sha256> {
    return new Map([
      ...[...this.#known].map(([key, { hash }]) => [key, hash] as const),
      ...this.#coming.map(({ key, hash }) => [key, hash] as const),
    ]);
  }
}
