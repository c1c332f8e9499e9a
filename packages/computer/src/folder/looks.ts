import { closeSync } from "node:fs";
import { type Found, type Locked, lookUnlessLocked, readLocked, SMALL_BYTES } from "./look.ts";
import type { Walk } from "./root.ts";
import type { SeenRow } from "./seen.ts";
import { RACY_MS } from "./stat.ts";

/**
 * A slice of looks. A file that we may not read is opened all the same, which is a change to the system: read at once, its
 * stat would never be sure, and each look at it be told to a watcher, who looks again. So the times of all that were opened
 * are let grow old together before they are read.
 */
export class Looks {
  readonly #bytes: boolean;
  readonly #found: (Found | Locked)[] = [];
  #locked: Locked[] = [];
  #weight = 0;

  constructor(bytes: boolean) {
    this.#bytes = bytes;
  }

  at(walk: Walk, key: string, row: SeenRow | undefined): void {
    const one = lookUnlessLocked(walk, key, row, this.#bytes);
    this.#found.push(one);
    if (one.is === "locked") this.#locked.push(one);
    this.#weight += weightOf(one);
  }

  get isFull(): boolean {
    return this.#weight >= MAX_BYTES;
  }

  /** In the order they were asked for, once the walk is over: what it opened isn't to stay open meanwhile. */
  found(): Found[] {
    if (this.#locked.length > 0) Atomics.wait(NEVER, 0, 0, RACY_MS + 2);
    return this.#found.map((one) => {
      if (one.is !== "locked") return one;
      this.#locked.shift();
      return readLocked(one, this.#bytes);
    });
  }

  /** Always called, whatever went before. */
  close(): void {
    for (const { fd } of this.#locked) closeSync(fd);
    this.#locked = [];
  }
}

const MAX_BYTES = 4_194_304;
/** How many large files a slice hands out, and how many it may hold that are locked. */
const MAX_LARGE = 16;
const MAX_LOCKED = 256;
/** Nobody wakes who waits for this. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));

function weightOf(one: Found | Locked): number {
  if (one.is === "large" || (one.is === "locked" && one.size > SMALL_BYTES)) return MAX_BYTES / MAX_LARGE;
  if (one.is === "locked") return Math.max(one.size, MAX_BYTES / MAX_LOCKED);
  return one.is === "entry" ? (one.bytes?.length ?? 0) : 0;
}
