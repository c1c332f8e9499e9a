import type { Entry } from "@choiros/contract";
import { mergeEntries, type ReadEntry, sameEntry, type Unmergeable } from "../merge/merge-entries.ts";
import type { TreeChange } from "../outcome.ts";
import type { FoldRules } from "./fold.ts";

export interface Merged {
  readonly key: string;
  readonly entry: Entry;
  readonly bytes: Uint8Array;
}

/** Merges hold what they made until it is stored; beyond this, a conflict is left to the user. */
const MAX_MERGED_BYTES = 64 * 1024 * 1024;

/** What merges made, until it is known which of it is needed. */
export class Merges {
  readonly #read: ReadEntry;
  readonly #most: number;
  readonly #made = new Map<string, Merged>();
  #bytes = 0;

  constructor(read: ReadEntry, most = MAX_MERGED_BYTES) {
    this.#read = read;
    this.#most = most;
  }

  rulesFor(key: string): FoldRules<Entry | null> {
    const fresh = new Map<string, Uint8Array>(); // a later step may merge what an earlier one made
    const read: ReadEntry = async (entry) => fresh.get(entry.hash) ?? this.#read(entry);
    return {
      same: sameEntry,
      merge: async (base, ours, theirs) => {
        const merge = await mergeEntries(base, ours, theirs, read);
        if ("conflict" in merge) return { why: sentence(merge.conflict, ours) };
        if (merge.bytes !== undefined && merge.entry?.kind === "file") {
          if (this.#bytes + merge.bytes.length > this.#most) return { why: WHY["too-large"] };
          fresh.set(merge.entry.hash, merge.bytes);
          this.#keep({ key, entry: merge.entry, bytes: merge.bytes });
        }
        return { value: merge.entry };
      },
    };
  }

  made(key: string, entry: Entry): boolean {
    const made = this.#made.get(key);
    return made !== undefined && sameContent(made.entry, entry);
  }

  in(changes: readonly TreeChange[]): Merged[] {
    return changes.flatMap(({ key, after }) =>
      after !== null && this.made(key, after) ? (this.#made.get(key) ?? []) : [],
    );
  }

  /** The last merge of a path is the one that counts. */
  #keep(merged: Merged): void {
    this.#bytes += merged.bytes.length - (this.#made.get(merged.key)?.bytes.length ?? 0);
    this.#made.set(merged.key, merged);
  }
}

function sameContent(a: Entry, b: Entry): boolean {
  return a.kind === "file" && b.kind === "file" && a.hash === b.hash;
}

const WHY: Record<Unmergeable, string> = {
  created: "something else stands there now",
  deleted: "it was changed since: taking it back would delete that",
  kind: "it became something else since",
  mode: "its mode was changed since",
  link: "its target was changed since",
  overlap: "the same lines were changed since",
  binary: "it was changed since, and isn't text that could be merged",
  "too-large": "it was changed since, and is too large to merge",
  pruned: "it was changed since, and what a merge needs is gone from history, or damaged",
};

function sentence(why: Unmergeable, now: Entry | null): string {
  return now === null ? "it was deleted since" : WHY[why];
}
