import type { Entry } from "@choiros/contract";
import { closeFile, pieces } from "../folder/large-file.ts";
import type { LayerItem } from "../folder/layer.ts";
import type { Timed } from "../folder/set-times.ts";
import { entryOf } from "../folder/stat.ts";
import { sameEntry } from "../merge/merge-entries.ts";
import type { Progress } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { shownPath } from "../shown-path.ts";
import { opaqueAmong } from "./opaque.ts";

/** What a command did on its overlay, against the tree at the moment when it began. */
export interface LayerChanges {
  /** By path, what stood there and what the command left; only where that is something else. In order. */
  readonly changes: ReadonlyMap<string, { readonly base: Entry | null; readonly after: Entry | null }>;
  /** Of the files that the command left, also where it left them as they were. */
  readonly times: readonly Timed[];
  /** Paths to be carried over as they are. */
  readonly ignored: readonly string[];
  /** Directories that were removed, became something else or were made anew. */
  readonly emptied: readonly string[];
  /** Paths that it removed, of which the log knows nothing: what stood there can't be kept. */
  readonly gone: readonly string[];
  readonly notes: readonly string[];
}

export interface ReadLayerOptions {
  /** The overlay's upper layer, with a directory for each area in it. */
  readonly upper: string;
  /** The layer as the folder's thread has it open. */
  readonly layer: number;
  /** The event that the command began after. */
  readonly baseSeq: number;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Reads a layer, and makes the bytes in it durable. Everything in it is as it will stay: nothing runs on it any more. */
export async function readLayer(parts: Parts, options: ReadLayerOptions): Promise<LayerChanges> {
  const reading = new Reading(parts, options);
  await reading.items();
  await reading.removals();
  return reading.result();
}

class Reading {
  readonly #parts: Parts;
  readonly #options: ReadLayerOptions;
  readonly #after = new Map<string, Entry | null>();
  readonly #times: Timed[] = [];
  readonly #ignored: string[] = [];
  readonly #emptied: string[] = [];
  readonly #notes: string[] = [];
  readonly #base = new Map<string, Entry>();

  constructor(parts: Parts, options: ReadLayerOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  async items(): Promise<void> {
    const { layer, upper, onProgress, baseSeq } = this.#options;
    for (let done = false; !done; ) {
      const slice = await this.#parts.folder.call("folder.layer.next", layer);
      const keys = slice.items.map(({ key }) => key);
      for (const [key, entry] of await this.#parts.state.entries(keys, baseSeq)) this.#base.set(key, entry);
      const kept = slice.items.filter((item) => isDirectory(item) && this.#base.get(item.key)?.kind === "dir");
      const opaque = opaqueAmong(
        upper,
        kept.map(({ key }) => key),
      ); // meanwhile bytes go to the disk
      await Promise.all([opaque, ...slice.items.map((item) => this.#item(item))]);
      this.#emptied.push(...(await opaque));
      onProgress?.({ what: "reading what the command did", done: this.#after.size });
      done = slice.done;
    }
  }

  async #item(item: LayerItem): Promise<void> {
    const { key } = item;
    switch (item.is) {
      case "ignored":
        this.#ignored.push(key);
        return;
      case "unkept":
        this.#notes.push(`${shownPath(key)} ${item.why}, and was left out`);
        this.#after.set(key, null); // whatever stood there gave way to it
        return;
      case "gone":
        this.#after.set(key, null);
        return;
      case "large":
        this.#leave(key, await this.#large(item), item.stat.mtime);
        return;
      case "entry":
        if (item.bytes !== undefined && !sameEntry(item.entry, this.#base.get(key) ?? null))
          await this.#parts.contents.put(item.bytes);
        this.#leave(key, item.entry, item.mtime);
    }
  }

  #leave(key: string, entry: Entry, mtime: number): void {
    this.#after.set(key, entry);
    if (entry.kind === "file") this.#times.push({ key, hash: entry.hash, mtime });
  }

  async #large({ key, fd, stat }: LayerItem & { is: "large" }): Promise<Entry> {
    try {
      const { hash, size } = await this.#parts.contents.put(pieces(fd));
      const entry = entryOf({ ...stat, size }, hash);
      if (entry === undefined) throw new Error(`${key} was opened as a file, and is none`);
      return entry;
    } finally {
      await closeFile(fd);
    }
  }

  /** What was below a directory that is gone, is something else now, or was made anew. */
  async removals(): Promise<void> {
    for (const [key, after] of this.#after) {
      if (this.#base.get(key)?.kind === "dir" && after?.kind !== "dir") this.#emptied.push(key);
    }
    for (const key of this.#emptied) await this.#removeBelow(key);
  }

  async #removeBelow(key: string): Promise<void> {
    for await (const page of this.#parts.state.tree({ under: key, at: this.#options.baseSeq })) {
      for (const line of page) {
        if (this.#after.has(line.key)) continue;
        this.#after.set(line.key, null);
        this.#base.set(line.key, line.entry);
      }
    }
  }

  result(): LayerChanges {
    const changes = new Map<string, { base: Entry | null; after: Entry | null }>();
    for (const key of [...this.#after.keys()].sort()) {
      const [base, after] = [this.#base.get(key) ?? null, this.#after.get(key) ?? null];
      if (!sameEntry(base, after)) changes.set(key, { base, after });
    }
    const gone = [...this.#after].flatMap(([key, after]) => (after === null && !this.#base.has(key) ? [key] : []));
    const [ignored, emptied] = [this.#ignored, this.#emptied];
    return { changes, times: this.#times, ignored, emptied, gone, notes: this.#notes };
  }
}

function isDirectory(item: LayerItem): boolean {
  return item.is === "entry" && item.entry.kind === "dir";
}
