import { createHash } from "node:crypto";
import { type Entry, isBelow, type Json, parentKey } from "@choiros/contract";
import { sameEntry } from "../../merge/merge-entries.ts";
import type { Change, TreeChange } from "../../outcome.ts";
import type { UndoPlan } from "../plan.ts";
import type { Standing } from "../standing.ts";

/** A computer as plain maps, for tests: what stands, what stood after each event, and the bytes of every content. */
export class Model {
  tree = new Map<string, Entry>();
  values = new Map<string, Json>();
  readonly contents = new Map<string, Uint8Array>();
  /** What each event changed; the first event has seq 1. */
  readonly events: (readonly Change[])[] = [];
  readonly trees: ReadonlyMap<string, Entry>[] = [new Map()];

  file(text: string | Uint8Array, mode = 0o644): Entry {
    const bytes = Buffer.from(text);
    const hash = createHash("sha256").update(bytes).digest("hex");
    this.contents.set(hash, bytes);
    return { hash, kind: "file", mode, size: bytes.length };
  }

  text(key: string): string | undefined {
    const entry = this.tree.get(key);
    return entry?.kind === "file" ? Buffer.from(this.contents.get(entry.hash) ?? []).toString() : entry?.kind;
  }

  /** One event. Throws where `before` isn't what stands, or no tree is left. */
  append(changes: readonly Change[]): number {
    for (const change of changes) {
      if ("name" in change) {
        if (JSON.stringify(change.before) !== JSON.stringify(this.values.get(change.name) ?? null)) throw wrong(change);
        put(this.values, change.name, change.after);
      } else {
        if (!sameEntry(change.before, this.tree.get(change.key) ?? null)) throw wrong(change);
        put(this.tree, change.key, change.after);
      }
    }
    const fault = faultOf(this.tree);
    if (fault !== undefined) throw new Error(`${fault} doesn't stand in a directory`);
    this.trees.push(new Map(this.tree));
    return this.events.push(changes);
  }

  /** Makes these paths what is said, with the directories they need; what was in the way or below goes. */
  set(wanted: Readonly<Record<string, Entry | null>>): number {
    const next = new Map(this.tree);
    for (const [key, entry] of Object.entries(wanted)) {
      for (const other of next.keys()) if (isBelow(other, key) && entry?.kind !== "dir") next.delete(other);
      put(next, key, entry);
      if (entry === null) continue;
      for (let above = folderOf(key); above !== undefined; above = folderOf(above)) {
        if (next.get(above)?.kind !== "dir") next.set(above, { kind: "dir", mode: 0o755 });
      }
    }
    return this.append(difference(this.tree, next));
  }

  setValue(name: string, after: Json): number {
    return this.append([{ name, before: this.values.get(name) ?? null, after }]);
  }

  /** What these events did, in order. */
  async *did(...seqs: number[]): AsyncGenerator<readonly Change[]> {
    for (const seq of seqs) yield this.events[seq - 1] ?? [];
  }

  standing(before = 1): Standing {
    const pick = async <Value>(from: ReadonlyMap<string, Value>, keys: readonly string[]) =>
      new Map([...from].filter(([key]) => keys.includes(key)));
    return {
      entries: (keys) => pick(this.tree, keys),
      values: (names) => pick(this.values, names),
      children: async (keys) =>
        new Map(keys.map((key) => [key, [...this.tree.keys()].filter((other) => parentKey(other) === key).length])),
      earlier: (keys) => pick(this.trees[before - 1] ?? new Map(), keys),
      gone: async (hashes) =>
        new Map(hashes.filter((hash) => !this.contents.has(hash)).map((hash) => [hash, "pruned"])),
    };
  }

  readonly read = async (entry: { readonly hash: string }) => this.contents.get(entry.hash);

  /** Does what is planned, as one event; throws where there is nothing to do. */
  carryOut(plan: UndoPlan): number {
    if (plan.outcome !== "ready") throw new Error(`nothing can be done: ${JSON.stringify(plan)}`);
    for (const { entry, bytes } of plan.merged) if (entry.kind === "file") this.contents.set(entry.hash, bytes);
    return this.append(plan.changes);
  }
}

/** What turns the one tree into the other, in order. */
export function difference(from: ReadonlyMap<string, Entry>, to: ReadonlyMap<string, Entry>): TreeChange[] {
  return [...new Set([...from.keys(), ...to.keys()])]
    .sort()
    .map((key) => ({ key, before: from.get(key) ?? null, after: to.get(key) ?? null }))
    .filter(({ before, after }) => !sameEntry(before, after));
}

/** A path that doesn't stand in a directory. */
function faultOf(tree: ReadonlyMap<string, Entry>): string | undefined {
  return [...tree.keys()].find((key) => {
    const above = folderOf(key);
    return above !== undefined && tree.get(above)?.kind !== "dir";
  });
}

/** The directory of a path, but for the areas at the top: those are always there. */
export function folderOf(key: string): string | undefined {
  const above = parentKey(key);
  return above === undefined || parentKey(above) === undefined ? undefined : above;
}

function put<Value>(map: Map<string, Value>, key: string, value: Value | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

function wrong(change: Change): Error {
  return new Error(`what stands isn't what the change says: ${JSON.stringify(change)}`);
}
