import { type Entry, parentKey } from "@choiros/contract";
import type { Looked } from "./folder/folder.ts";
import { mergeEntries, sameEntry } from "./merge/merge-entries.ts";
import type { Progress, TreeChange } from "./outcome.ts";
import { readEntry } from "./read-entry.ts";
import { judge, nameBeside } from "./reconcile.ts";
import type { ReconcilerParts } from "./reconciler.ts";
import { shownPath } from "./shown-path.ts";

/** A path to be landed, and what the folder has there. */
export interface Placed {
  readonly key: string;
  readonly from: Entry | null;
  /** The folder has just what was seen there; only the state says something else. */
  readonly pending?: true;
}

/** What a look at the folder comes to. */
export interface Captures {
  /** Somebody else's work, for the log. */
  readonly changes: readonly TreeChange[];
  /** What is seen from now on. */
  readonly seen: readonly Looked[];
  /** Ours, for the folder. */
  readonly landings: readonly Placed[];
  readonly notes: readonly string[];
  /** What somebody goes on writing: it is taken up once that ends. */
  readonly busy: readonly string[];
}

export const LOOKING = "looking at the folder";

/** Looks, and keeps the bytes of what isn't as it was seen. */
export function lookAndKeep(
  { contents, folder }: ReconcilerParts,
  keys: readonly string[],
  onProgress?: (progress: Progress) => void,
): Promise<Looked[]> {
  const total = keys.length;
  return folder.look(keys, {
    keep: (source) => contents.put(source),
    onProgress: (done) => onProgress?.({ what: LOOKING, done, total }),
  });
}

export async function capturesOf(parts: ReconcilerParts, looked: readonly Looked[]): Promise<Captures> {
  const gathering = new Gathering(parts);
  await gathering.take(looked);
  await gathering.complete();
  return gathering.result();
}

class Gathering {
  readonly #parts: ReconcilerParts;
  readonly #looked = new Map<string, Looked>();
  readonly #state = new Map<string, Entry>();
  readonly #changes = new Map<string, TreeChange>();
  readonly #landings = new Map<string, Placed>();
  readonly #notes: string[] = [];
  readonly #busy: string[] = [];

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  async take(looked: readonly Looked[]): Promise<void> {
    const fresh = looked.filter(({ key }) => !this.#looked.has(key));
    await this.#know(fresh.map(({ key }) => key));
    for (const one of fresh) {
      this.#looked.set(one.key, one);
      const disk = this.#diskOf(one);
      if (disk !== undefined) await this.#judge(one.key, one.was, disk);
    }
  }

  /** What is there, as far as it can be kept; `undefined` where that can't be told for now. */
  #diskOf(one: Looked): Entry | null | undefined {
    switch (one.is) {
      case "entry":
        return one.entry;
      case "nothing":
        return null;
      case "odd":
        this.#notes.push(`${shownPath(one.key)} is ${one.what}, which can't be kept`);
        return null; // whatever was kept there is there no more
      case "unreadable":
      case "refused":
        this.#notes.push(`${shownPath(one.key)} can't be kept: ${one.why}`);
        return undefined;
      case "busy":
        this.#busy.push(one.key);
        return undefined;
    }
  }

  async #judge(key: string, was: Entry | undefined, disk: Entry | null): Promise<void> {
    const state = this.#state.get(key) ?? null;
    const seen = was ?? (this.#parts.folder.complete ? null : undefined);
    const former = seen === undefined && (disk === null || (await this.#had(key, disk)));
    const judged = judge({ state, seen, disk, former });
    // What the log once had there was landed by us, and the note of it got lost with the power: nobody else changed it.
    const ours = judged === "merge" && disk !== null && (await this.#had(key, disk, seen));
    const verdict = ours ? "land" : judged;
    if (verdict === "capture") this.#changes.set(key, { key, before: state, after: disk });
    if (verdict === "land") this.#landings.set(key, { key, from: disk, pending: true });
    if (verdict === "merge") await this.#merge(key, { base: seen ?? null, state, disk });
  }

  /** Whether the log has had this there before; since what was seen there, where that is known. */
  async #had(key: string, disk: Entry, seen?: Entry | null): Promise<boolean> {
    for (let before: number | undefined; ; ) {
      const page = await this.#parts.state.history(key, { limit: PAGE, ...(before !== undefined && { before }) });
      for (const { value } of page) {
        if (value !== null && sameEntry(value, disk)) return true;
        if (seen !== undefined && sameEntry(value, seen)) return false;
      }
      if (page.length < PAGE) return false;
      before = page.at(-1)?.from;
    }
  }

  async #merge(key: string, { base, state, disk }: { base: Entry | null; state: Entry | null; disk: Entry | null }) {
    const { contents } = this.#parts;
    const merged = await mergeEntries(base, state, disk, readEntry(contents));
    if ("entry" in merged) {
      if (merged.bytes !== undefined) await contents.put(merged.bytes);
      this.#changes.set(key, { key, before: state, after: merged.entry });
      if (!sameEntry(merged.entry, disk)) this.#landings.set(key, { key, from: disk });
      this.#notes.push(`${shownPath(key)} was changed here and in the folder at the same time: both are in it now`);
      return;
    }
    if (disk?.kind === "dir") return this.#giveWay(key, disk);
    await this.#putBeside(key, disk);
    this.#landings.set(key, { key, from: disk });
  }

  /** Theirs gets a name of its own, and ours its place. */
  async #putBeside(key: string, disk: Entry | null): Promise<void> {
    const beside = await this.#freeName(key, "outside");
    this.#changes.set(beside, { key: beside, before: null, after: disk });
    this.#landings.set(beside, { key: beside, from: null });
    this.#notes.push(
      `${shownPath(key)} was changed here and in the folder at the same time: what the folder had is in ${shownPath(beside)}`,
    );
  }

  /** A directory of theirs keeps its place, for there is more in it; what stood there as ours gets a name of its own. */
  async #giveWay(key: string, disk: Entry): Promise<void> {
    const ours = this.#state.get(key) ?? null;
    this.#landings.delete(key);
    this.#changes.set(key, { key, before: ours, after: disk });
    if (ours === null || ours.kind === "dir") return;
    const beside = await this.#freeName(key, "other version");
    this.#changes.set(beside, { key: beside, before: null, after: ours });
    this.#landings.set(beside, { key: beside, from: null });
    this.#notes.push(`${shownPath(key)} became a directory in the folder: what stood there is in ${shownPath(beside)}`);
  }

  async #freeName(key: string, whose: string): Promise<string> {
    for (let number = 1; ; number++) {
      const beside = nameBeside(key, whose, number);
      await this.#know([beside]);
      const [there] = await this.#parts.folder.look([beside]);
      if (!this.#state.has(beside) && !this.#changes.has(beside) && there?.is === "nothing") return beside;
    }
  }

  /** Makes a tree of it: what is kept has its directories, and nothing is below what is no directory any more. */
  async complete(): Promise<void> {
    for (const { key, after } of [...this.#changes.values()]) {
      if (after !== null && !(await this.#hasParent(key))) this.#changes.delete(key);
    }
    for (const change of [...this.#changes.values()]) {
      const { key, before, after } = change;
      if (before?.kind === "dir" && after?.kind !== "dir" && this.#changes.has(key)) await this.#takeBelow(change);
    }
  }

  /** A directory that the log lacks, or took away, comes with what others put into it. */
  async #hasParent(key: string): Promise<boolean> {
    const parent = parentKey(key);
    if (parent === undefined || !parent.includes("/")) return true; // an area always stands
    if (!this.#looked.has(parent)) await this.take(await lookAndKeep(this.#parts, [parent]));
    const change = this.#changes.get(parent);
    const stands = change === undefined ? (this.#state.get(parent) ?? null) : change.after;
    if (stands?.kind === "dir") return true;
    const looked = this.#looked.get(parent);
    if (looked?.is !== "entry" || looked.entry.kind !== "dir") return false; // gone again: the next look tells
    await this.#giveWay(parent, looked.entry);
    return this.#hasParent(parent);
  }

  /**
   * What was below a directory that is gone from the folder is gone with it. Only what the folder hasn't had yet is ours
   * still: then the directory stays, and whatever stands in its place goes beside it.
   */
  async #takeBelow({ key, after }: TreeChange): Promise<void> {
    const { state, folder } = this.#parts;
    const pending: string[] = [];
    for await (const page of state.tree({ under: key })) {
      const seen = await folder.seen(page.map((line) => line.key));
      for (const [i, { key: inside, entry }] of page.entries()) {
        if (inside === key) continue;
        this.#state.set(inside, entry);
        this.#landings.delete(inside);
        if (this.#isPending(entry, seen[i])) pending.push(inside);
        else this.#lose(inside, entry);
      }
    }
    if (pending.length === 0) return;
    const staying = new Set(pending.flatMap((inside) => [inside, ...between(inside, key)]));
    for (const inside of staying) {
      this.#changes.delete(inside);
      this.#landings.set(inside, { key: inside, from: null });
    }
    if (after !== null) await this.#putBeside(key, after);
    this.#changes.delete(key);
    this.#landings.set(key, { key, from: after });
  }

  #isPending(entry: Entry, seen: Entry | undefined): boolean {
    if (seen === undefined) return entry.kind !== "dir" || this.#parts.folder.complete;
    return !sameEntry(entry, seen);
  }

  #lose(key: string, entry: Entry): void {
    this.#changes.set(key, { key, before: entry, after: null });
    this.#looked.set(key, { key, was: entry, is: "nothing" });
  }

  async #know(keys: readonly string[]): Promise<void> {
    for (const [key, entry] of await this.#parts.state.entries(keys)) this.#state.set(key, entry);
  }

  result(): Captures {
    const changes = [...this.#changes.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    const seen = [...this.#looked.values()].filter(isNews);
    return { changes, seen, landings: [...this.#landings.values()], notes: this.#notes, busy: this.#busy };
  }
}

const PAGE = 100;

/** The directories above a path, up to and without one of them. */
function between(key: string, top: string): string[] {
  const keys: string[] = [];
  for (let up = parentKey(key); up !== undefined && up !== top; up = parentKey(up)) keys.push(up);
  return keys;
}

/** Whether it isn't what was seen there already. */
function isNews(one: Looked): boolean {
  return (one.is === "nothing" && one.was !== undefined) || (one.is === "entry" && !one.same);
}
