import type { Entry } from "@choiros/contract";
import { sameEntry } from "../merge/merge-entries.ts";
import type { Folder } from "./folder.ts";
import { errorCode, errorText } from "./folder-error.ts";
import type { StageRequest } from "./folder-operations.ts";
import type { Landed, LandedHere, Landing, Staged } from "./landing.ts";
import { closeFile, writeFile } from "./large-file.ts";
import { SMALL_BYTES } from "./look.ts";
import { blockOf } from "./steps.ts";

export interface LandOptions {
  /** The content of an entry; `undefined` where it is gone. */
  readonly read: (hash: string) => Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Of many that are small; one that isn't in the answer is read by itself. */
  readonly readSmall?: (hashes: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;
  readonly onProgress?: (landed: number) => void;
}

/** Brings paths to what they should be, in an order that works: out, down, in. */
export async function land(folder: Folder, items: readonly Landing[], options: LandOptions): Promise<Landed[]> {
  const outcomes = new Map<string, Landed>();
  const report = (key: string, landed: Landed) => {
    outcomes.set(key, landed);
    if (outcomes.size % 100 === 0) options.onProgress?.(outcomes.size);
  };
  await new Run(folder, options, report).all(items);
  return items.map(({ key }) => outcomes.get(key) ?? { is: "blocked", code: "skipped", why: "it was not reached" });
}

/** Below this many files each is synced by itself; above, all of a batch with one flush of the disk. */
const FEW = 8;
const SLICE = 200;
const SLICE_BYTES = 4_194_304;
const BATCH = 20_000;

class Run {
  readonly #folder: Folder;
  readonly #options: LandOptions;
  readonly #report: (key: string, landed: Landed) => void;

  constructor(folder: Folder, options: LandOptions, report: (key: string, landed: Landed) => void) {
    this.#folder = folder;
    this.#options = options;
    this.#report = report;
  }

  async all(items: readonly Landing[]): Promise<void> {
    const upward = items.toSorted((a, b) => (a.key < b.key ? 1 : -1)); // what is in a directory comes before it
    const leaving = upward.filter(({ from, to }) => from !== null && (to === null || isDir(from) !== isDir(to)));
    const stuck = await this.#remove(leaving);
    const left = new Set(leaving.map(({ key }) => key));
    const coming = upward
      .filter(({ key, to }) => to !== null && !stuck.has(key))
      .map((item) => (left.has(item.key) ? { ...item, from: null } : item))
      .reverse();
    await this.#slices(
      "folder.land.directories",
      coming.filter(({ to }) => isDir(to)),
    );
    await this.#files(coming.filter(({ to }) => !isDir(to)));
  }

  /** Those that could not be removed, and so can't become something else. */
  async #remove(items: readonly Landing[]): Promise<Set<string>> {
    const stuck = new Set<string>();
    // Directories last: one that has to wait for a large file in it to be read isn't empty before.
    for (const part of [items.filter(({ from }) => !isDir(from)), items.filter(({ from }) => isDir(from))]) {
      for (const [i, outcome] of (await this.#slices("folder.land.remove", part)).entries()) {
        const key = part[i]?.key;
        if (key !== undefined && outcome.is !== "landed") stuck.add(key);
      }
    }
    return stuck;
  }

  async #slices(
    op: "folder.land.remove" | "folder.land.directories" | "folder.land.change",
    items: readonly Landing[],
  ): Promise<LandedHere[]> {
    const outcomes: LandedHere[] = [];
    for (const slice of slices(items)) {
      for (const [i, outcome] of (await this.#folder.call(op, slice)).entries()) {
        const item = slice[i];
        if (item === undefined) continue;
        const settled =
          outcome.is === "unsure" ? await this.#check(item, (checked) => this.#once(op, checked)) : outcome;
        outcomes.push(settled);
        if (settled.is !== "copy" && settled.is !== "unsure") this.#report(item.key, settled);
      }
    }
    return outcomes;
  }

  async #once(op: "folder.land.remove" | "folder.land.directories" | "folder.land.change", item: Landing) {
    const [outcome] = await this.#folder.call(op, [item]);
    return outcome ?? BUSY;
  }

  /** A large file whose stat says nothing is read, and the same is tried again where it is what we believe. */
  async #check(item: Landing, again: (item: Landing) => Promise<LandedHere>): Promise<LandedHere> {
    const [looked] = await this.#folder.look([item.key]);
    if (looked === undefined || looked.is === "nothing") return { is: "differs", found: null };
    if (looked.is !== "entry") return { is: "differs", found: undefined };
    if (sameEntry(looked.entry, item.to)) {
      await this.#folder.note([looked]);
      return { is: "landed" };
    }
    if (!sameEntry(looked.entry, item.from)) return { is: "differs", found: looked.entry };
    const outcome = await again({ ...item, checked: looked.stat });
    return outcome.is === "unsure" ? BUSY : outcome; // it changed once more, right then
  }

  async #files(files: readonly Landing[]): Promise<void> {
    const modes = files.filter(({ from, to }) => onlyMode(from, to));
    const outcomes = await this.#slices("folder.land.change", modes);
    const copies = modes.filter((_, i) => outcomes[i]?.is === "copy");
    const contents = [...files.filter(({ from, to }) => !onlyMode(from, to)), ...copies];
    for (let at = 0; at < contents.length; at += BATCH) await this.#batch(contents.slice(at, at + BATCH));
  }

  async #batch(items: readonly Landing[]): Promise<void> {
    const sync = items.length <= FEW;
    const staged: { item: Landing; id: string }[] = [];
    try {
      for await (const read of oneAhead(byWeight(items), (slice) => this.#read(slice))) {
        staged.push(...(await this.#stage(read, sync)));
      }
      if (!sync && staged.length > 0) await this.#folder.flush();
      for (const slice of slices(staged)) await this.#place(slice);
    } catch (error) {
      const ids = staged.map(({ id }) => id);
      await this.#folder.call("folder.land.unstage", ids).catch(() => {}); // the first error is the one to tell
      throw error;
    }
  }

  async #place(staged: readonly { item: Landing; id: string }[]): Promise<void> {
    const ids = staged.map(({ id }) => id);
    const outcomes = await this.#folder.call("folder.land.place", { ids, checked: undefined });
    for (const [i, outcome] of outcomes.entries()) {
      const one = staged[i];
      if (one !== undefined)
        this.#report(one.item.key, outcome.is === "unsure" ? await this.#placeChecked(one) : final(outcome));
    }
  }

  async #placeChecked({ item, id }: { item: Landing; id: string }): Promise<Landed> {
    const outcome = await this.#check(item, async ({ checked }) => {
      const [placed] = await this.#folder.call("folder.land.place", { ids: [id], checked });
      return placed ?? BUSY;
    });
    await this.#folder.call("folder.land.unstage", [id]);
    return final(outcome);
  }

  /** The contents of what is small; `gone` is told already. */
  async #read(items: readonly Landing[]): Promise<StageRequest["items"]> {
    const small = items.flatMap(({ to }) => (isSmall(to) ? [to.hash] : []));
    const known = (await this.#options.readSmall?.([...new Set(small)])) ?? NOTHING_KNOWN;
    const read = await Promise.all(items.map(async (item) => ({ item, bytes: await this.#bytes(item, known) })));
    const there = read.filter(({ item, bytes }) => bytes !== "gone" || this.#report(item.key, GONE));
    return there.map(({ item, bytes }) => ({ item, bytes: bytes instanceof Uint8Array ? bytes : undefined }));
  }

  async #stage(ready: StageRequest["items"], sync: boolean): Promise<{ item: Landing; id: string }[]> {
    const outcomes = await this.#folder.call("folder.land.stage", { items: ready, sync });
    const staged: { item: Landing; id: string }[] = [];
    for (const [i, outcome] of outcomes.entries()) {
      const item = ready[i]?.item;
      if (item === undefined) continue;
      const landed = outcome.is === "staged" ? await this.#fill(item, outcome) : final(outcome);
      if (landed === undefined && outcome.is === "staged") staged.push({ item, id: outcome.id });
      else if (landed !== undefined) this.#report(item.key, landed);
    }
    return staged;
  }

  /** Writes a large file into what was staged for it. */
  async #fill(item: Landing, { id, fd }: Staged): Promise<Landed | undefined> {
    if (fd === undefined) return undefined;
    try {
      const source = await this.#options.read(hashOf(item.to));
      if (source !== undefined) await writeFile(fd, source);
      if (source !== undefined) return undefined;
      await this.#folder.call("folder.land.unstage", [id]);
      return GONE;
    } catch (error) {
      await this.#folder.call("folder.land.unstage", [id]);
      return errorCode(error) === "" ? { is: "blocked", code: "content", why: errorText(error) } : blockOf(error);
    } finally {
      await closeFile(fd);
    }
  }

  /** Of a small file or a link; `undefined` for a large one, which is never held whole. */
  async #bytes({ to }: Landing, known: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array | "gone" | undefined> {
    if (!isSmall(to)) return undefined;
    const bytes = known.get(to.hash);
    if (bytes !== undefined) return bytes;
    const source = await this.#options.read(to.hash);
    if (source === undefined) return "gone";
    const parts: Uint8Array[] = [];
    for await (const part of source) parts.push(part);
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }
}

const GONE: Landed = { is: "blocked", code: "content", why: "its content is not there any more" };
const BUSY: Landed = { is: "differs", found: undefined };

function final(outcome: LandedHere | Staged): Landed {
  return outcome.is === "unsure" || outcome.is === "copy" || outcome.is === "staged" ? BUSY : outcome;
}

const NOTHING_KNOWN: ReadonlyMap<string, Uint8Array> = new Map();

function isSmall(entry: Entry | null): entry is Exclude<Entry, { kind: "dir" }> {
  return entry !== null && entry.kind !== "dir" && entry.size <= SMALL_BYTES;
}

function isDir(entry: Entry | null): boolean {
  return entry?.kind === "dir";
}

function onlyMode(from: Entry | null, to: Entry | null): boolean {
  return from?.kind === "file" && to?.kind === "file" && from.hash === to.hash && from.mode !== to.mode;
}

function hashOf(entry: Entry | null): string {
  return entry === null || entry.kind === "dir" ? "" : entry.hash;
}

function* slices<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += SLICE) yield items.slice(at, at + SLICE);
}

function* byWeight(items: readonly Landing[]): Generator<Landing[]> {
  let slice: Landing[] = [];
  let weight = 0;
  for (const item of items) {
    const size = item.to === null || item.to.kind === "dir" ? 0 : Math.min(item.to.size, SLICE_BYTES);
    if (slice.length > 0 && (slice.length >= SLICE || weight + size > SLICE_BYTES)) {
      yield slice;
      slice = [];
      weight = 0;
    }
    slice.push(item);
    weight += size;
  }
  if (slice.length > 0) yield slice;
}

/** What is read of each, in order, with the next one being read while one is worked on. */
async function* oneAhead<Item, Read>(items: Iterable<Item>, read: (item: Item) => Promise<Read>): AsyncGenerator<Read> {
  let next: Promise<Read> | undefined;
  for (const item of items) {
    const before = next;
    next = read(item);
    next.catch(() => {}); // awaited in its turn, unless an earlier one fails
    if (before !== undefined) yield await before;
  }
  if (next !== undefined) yield await next;
}
