import { childrenOf, type Failed, type GiveWayOptions, GivingWay, statsAt } from "./give-way.ts";
import type { Doors, Root, Walk } from "./root.ts";

export interface ClearRequest extends GiveWayOptions {
  /** Directories that a command removed, or made anew. */
  readonly keys: readonly string[];
  /** What else it removed where the log knows of nothing. */
  readonly gone: readonly string[];
}

export interface Cleared {
  readonly changed: number;
  readonly failed: readonly Failed[];
}

/** What stands at a path of the folder by now, as the log has it. */
export interface Standing {
  isTracked(key: string): boolean;
  isIgnored(key: string, isDirectory: boolean): boolean;
}

/**
 * Moves aside what a command removed, though the log doesn't know of it: what is ignored, or can't be kept. A directory
 * that only held such things goes too.
 */
export function clearAway(
  { root, doors }: { readonly root: Root; readonly doors: Doors | undefined },
  request: ClearRequest,
  standing: Standing,
): Cleared {
  return root.walk((walk) => {
    const givingWay = new GivingWay(walk, doors, request);
    const clearing = new Clearing(walk, givingWay, standing);
    for (const key of request.gone) clearing.one(key);
    for (const key of request.keys) clearing.in(key);
    return { changed: givingWay.count, failed: givingWay.failed };
  }, doors);
}

class Clearing {
  readonly #walk: Walk;
  readonly #givingWay: GivingWay;
  readonly #standing: Standing;

  constructor(walk: Walk, givingWay: GivingWay, standing: Standing) {
    this.#walk = walk;
    this.#givingWay = givingWay;
    this.#standing = standing;
  }

  /** What is in a directory, and itself where that was all. Whether it is gone. */
  in(key: string): boolean {
    return this.#givingWay.each(key, () => this.#in(key), false);
  }

  /** Whether it is gone. */
  one(key: string): boolean {
    return this.#givingWay.each(key, () => this.#one(key), false);
  }

  #in(key: string): boolean {
    if (!statsAt(this.#walk, key)?.isDirectory()) return false;
    const children = childrenOf(this.#walk, key);
    const left = children.filter((child) => !this.one(child));
    if (left.length > 0 || children.length === 0 || this.#standing.isTracked(key)) return false;
    this.#givingWay.removeEmpty(key);
    return true;
  }

  #one(key: string): boolean {
    const stats = statsAt(this.#walk, key);
    if (stats === undefined) return true;
    const isDirectory = stats.isDirectory();
    const isOdd = !isDirectory && !stats.isFile() && !stats.isSymbolicLink();
    if (isOdd) return this.#givingWay.from(key);
    if (this.#standing.isTracked(key)) return isDirectory && this.in(key);
    if (this.#standing.isIgnored(key, isDirectory)) return this.#givingWay.from(key);
    return isDirectory && this.in(key);
  }
}
