import { isBelow } from "@choiros/contract";
import type { Folder } from "./folder/folder.ts";
import type { Blocked } from "./outcome.ts";
import { shownPath } from "./shown-path.ts";

export interface Scan {
  readonly keys: readonly string[];
  /** What can't be kept there, in sentences. */
  readonly notes: readonly string[];
}

const BUSY = "is being written to, and is kept once that ends";

/** Scans a folder, and remembers what was found in it that can't be kept. */
export class Unkept {
  readonly #folder: Folder;
  readonly #found = new Map<string, string>();

  constructor(folder: Folder) {
    this.#folder = folder;
  }

  /** As the last look at each place found it. */
  list(): Blocked[] {
    return [...this.#found].map(([key, why]) => ({ key, why }));
  }

  /** The paths that aren't as they were seen, everywhere or below some, and what can't be kept there. */
  async scan(under?: readonly string[], onProgress?: (visited: number) => void): Promise<Scan> {
    const keys: string[] = [];
    const found = new Map<string, string>();
    let visited = 0;
    for await (const slice of this.#folder.scan(under === undefined ? {} : { under })) {
      keys.push(...slice.keys);
      for (const { key, what } of slice.odd) found.set(key, `is ${what}, which can't be kept`);
      for (const { key, why } of slice.unreadable) found.set(key, `can't be kept: ${why}`);
      visited += slice.visited;
      onProgress?.(visited);
    }
    this.#replace(under, found);
    return { keys, notes: [...found].map(([key, why]) => `${shownPath(key)} ${why}`) };
  }

  /** Of what somebody goes on writing, a sentence each. It is known until the next scan there. */
  noteBusy(keys: readonly string[]): string[] {
    for (const key of keys) this.#found.set(key, BUSY);
    return keys.map((key) => `${shownPath(key)} ${BUSY}`);
  }

  #replace(under: readonly string[] | undefined, found: ReadonlyMap<string, string>): void {
    for (const key of this.#found.keys()) {
      if (under === undefined || under.some((top) => key === top || isBelow(key, top))) this.#found.delete(key);
    }
    for (const [key, why] of found) this.#found.set(key, why);
  }
}
