import type { PathHistory } from "../server/shapes.ts";
import { type Stood, Tree } from "./tree.ts";

interface Versions {
  /** From which event on each stood, in order. */
  readonly since: number[];
  readonly stood: (Stood | undefined)[];
}

/** What stood at every path, and since when: with it the tree of any moment is made here, and nobody has to be asked. */
export class Histories {
  /** How many versions there are. */
  count = 0;
  readonly #paths = new Map<string, Versions>();
  /** Most are like another one. */
  readonly #known = new Map<string, Stood | undefined>();

  add({ key, versions }: PathHistory): void {
    const path = this.#paths.get(key) ?? { since: [], stood: [] };
    this.#paths.set(key, path);
    for (const version of versions.split(" ")) {
      const [, since = "", what = ""] = /^(\d+)(.*)$/.exec(version) ?? [];
      path.since.push(Number(since));
      path.stood.push(this.#stood(what));
      this.count++;
    }
  }

  treeAt(seq: number): Tree {
    const tree = new Tree();
    for (const [key, { since, stood }] of this.#paths) {
      const found = stood[lastUpTo(since, seq)];
      if (found !== undefined) tree.set(key, found);
    }
    return tree;
  }

  #stood(what: string): Stood | undefined {
    if (!this.#known.has(what)) this.#known.set(what, stoodOf(what));
    return this.#known.get(what);
  }
}

function stoodOf(what: string): Stood | undefined {
  if (what === "-") return undefined;
  return what === "d" ? { kind: "dir" } : { kind: what.startsWith("l") ? "link" : "file", size: Number(what.slice(1)) };
}

/** The place of the last number that isn't above this one; −1 where there is none. Of equal ones the last counts. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
