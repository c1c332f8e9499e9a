import { type Entry, isBelow, parentKey } from "@choiros/contract";
import { mergeEntries, sameEntry } from "../merge/merge-entries.ts";
import type { TreeChange } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { readEntry } from "../read-entry.ts";
import { nameBeside } from "../reconcile.ts";
import { shownPath } from "../shown-path.ts";
import type { LayerChanges } from "./read-layer.ts";

export interface MergedLayer {
  readonly changes: readonly TreeChange[];
  readonly notes: readonly string[];
}

/**
 * What a command did, on what stands by now. Where somebody else was there since it began, both are put together, or both
 * are kept; and nothing that came or changed since is deleted. Called in the computer's turn, with the folder looked at.
 */
export async function mergeLayer(parts: Parts, { changes }: LayerChanges): Promise<MergedLayer> {
  const merging = new Merging(parts, await parts.state.entries([...changes.keys()]));
  for (const [key, { base, after }] of changes) await merging.take(key, base, after);
  await merging.keepWhatHoldsMore();
  await merging.moveFromUnderFiles();
  return merging.result();
}

class Merging {
  readonly #parts: Parts;
  readonly #now: ReadonlyMap<string, Entry>;
  readonly #changes = new Map<string, TreeChange>();
  readonly #notes: string[] = [];

  constructor(parts: Parts, now: ReadonlyMap<string, Entry>) {
    this.#parts = parts;
    this.#now = now;
  }

  async take(key: string, base: Entry | null, after: Entry | null): Promise<void> {
    const now = this.#now.get(key) ?? null;
    if (sameEntry(now, after)) return;
    if (sameEntry(now, base)) return this.#set(key, after);
    const merged = await mergeEntries(base, now, after, readEntry(this.#parts.contents));
    if ("entry" in merged) {
      if (merged.bytes !== undefined) await this.#parts.contents.put(merged.bytes);
      if (merged.bytes !== undefined) this.#note(key, "both changes were put together");
      return this.#set(key, merged.entry);
    }
    if (after === null) return this.#note(key, "it stays, though the command removed it");
    if (now === null) {
      this.#note(key, "the command's version is there again");
      return this.#set(key, after);
    }
    await this.#putBeside(key, after);
  }

  #set(key: string, after: Entry | null): void {
    const before = this.#now.get(key) ?? null;
    if (!sameEntry(before, after)) this.#changes.set(key, { key, before, after });
  }

  #note(key: string, what: string): void {
    this.#notes.push(`${shownPath(key)} was changed by somebody else while the command ran: ${what}`);
  }

  async #putBeside(key: string, after: Entry): Promise<void> {
    if (after.kind === "dir") return this.#note(key, "it stays as it is"); // only its mode is in question
    const beside = await this.#freeName(key);
    this.#changes.set(beside, { key: beside, before: null, after });
    this.#note(key, `what the command left is in ${shownPath(beside)}`);
  }

  async #freeName(key: string): Promise<string> {
    for (let number = 1; ; number++) {
      const beside = nameBeside(key, "other version", number);
      const taken = this.#changes.has(beside) || (await this.#parts.state.entries([beside])).has(beside);
      if (!taken && (await this.#parts.folder.look([beside]))[0]?.is === "nothing") return beside;
    }
  }

  /** A directory that somebody put something into since the command began can't go, nor become something else. */
  async keepWhatHoldsMore(): Promise<void> {
    const going = new Set<string>();
    for (const { key, before, after } of this.#changes.values()) {
      if (before?.kind === "dir" && after?.kind !== "dir") going.add(key);
    }
    for (const top of going) {
      if (above(top).some((up) => going.has(up))) continue; // looked at with that one
      const staying = new Set<string>();
      for await (const page of this.#parts.state.tree({ under: top })) {
        for (const { key } of page) {
          if (this.#changes.has(key)) continue;
          for (const up of above(key)) if (up === top || isBelow(up, top)) staying.add(up);
        }
      }
      for (const key of [...staying].sort()) await this.#stay(key);
    }
  }

  async #stay(key: string): Promise<void> {
    const change = this.#changes.get(key);
    if (change === undefined) return;
    this.#changes.delete(key);
    if (change.after === null)
      this.#notes.push(`${shownPath(key)} stays: somebody put something into it while the command ran`);
    else await this.#putBeside(key, change.after);
  }

  /** What would be below something that is no directory any more is kept beside that. */
  async moveFromUnderFiles(): Promise<void> {
    const coming = [...this.#changes.values()].filter(({ after }) => after !== null);
    const parents = new Set(coming.flatMap(({ key }) => above(key)).filter((key) => !this.#changes.has(key)));
    const standing = await this.#parts.state.entries([...parents]);
    const beside = new Map<string, string>();
    for (const [key, entry] of standing) {
      if (entry.kind === "dir") continue;
      const name = await this.#freeName(key);
      beside.set(key, name);
      this.#note(key, `what the command left below it is in ${shownPath(name)}`);
    }
    if (beside.size === 0) return;
    for (const { key, after } of coming) {
      const file = above(key).find((up) => beside.has(up));
      const to = file === undefined ? undefined : `${beside.get(file)}${key.slice(file.length)}`;
      if (to === undefined) continue;
      this.#changes.delete(key);
      this.#changes.set(to, { key: to, before: null, after });
    }
  }

  result(): MergedLayer {
    return { changes: [...this.#changes.values()], notes: this.#notes };
  }
}

/** The directories above a path, up to its area. */
function above(key: string): string[] {
  const keys: string[] = [];
  for (let up = parentKey(key); up?.includes("/"); up = parentKey(up)) keys.push(up);
  return keys;
}
