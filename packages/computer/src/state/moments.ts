/** A version of a path: since when, up to when (`null`: it stands), and its line of the tree. */
export type VersionLine = readonly [key: string, from: number, to: number | null, line: string];

/** More than this many versions are left on the disk: some 40 MB. */
const MOST = 300_000;
const FOREVER = 2 ** 31 - 1;

/**
 * Every version there was of every path, in order of keys, gathered once for somebody who moves through time: a moment is
 * then two comparisons a version, and nothing is sorted. What is past doesn't change, so what comes later is no matter.
 */
export class Moments {
  /** The last moment that this knows all of. */
  readonly until: number;
  readonly #lines: string[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  #cursor: readonly [key: string, from: number] = ["", -1];
  #state: "gathering" | "whole" | "too much" = "gathering";

  constructor(until: number) {
    this.until = until;
  }

  get cursor(): readonly [key: string, from: number] {
    return this.#cursor;
  }

  get gathering(): boolean {
    return this.#state === "gathering";
  }

  knows(at: number): boolean {
    return this.#state === "whole" && at <= this.until;
  }

  /** Takes the versions that come next, in order of key and beginning; `last` where there are no more. */
  add(versions: readonly VersionLine[], last: boolean): void {
    for (const [key, from, to, line] of versions) {
      this.#lines.push(line);
      this.#from.push(from);
      this.#to.push(to ?? FOREVER);
      this.#cursor = [key, from];
    }
    if (last) this.#state = "whole";
    if (this.#lines.length <= MOST) return;
    this.#state = "too much";
    for (const list of [this.#lines, this.#from, this.#to]) list.length = 0;
  }

  /** The first lines of the tree at a moment. */
  lines(at: number, limit: number): string[] {
    const found: string[] = [];
    for (let i = 0; i < this.#lines.length && found.length < limit; i++) {
      if ((this.#from[i] ?? 0) <= at && (this.#to[i] ?? 0) > at) found.push(this.#lines[i] ?? "");
    }
    return found;
  }
}
