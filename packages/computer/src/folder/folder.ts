import type { ContentRef, Entry } from "@choiros/contract";
import { type ContentSource, ThreadFailure } from "@choiros/log";
import { sameEntry } from "../merge/merge-entries.ts";
import { ComputerThread } from "../thread/computer-thread.ts";
import { flush } from "./flush.ts";
import { errorCode, FolderError } from "./folder-error.ts";
import type { FolderOperations } from "./folder-operations.ts";
import { type LandOptions, land } from "./land.ts";
import type { Landed, Landing } from "./landing.ts";
import { closeFile, hashOf, steadyBeginning, steadyPieces, Torn } from "./large-file.ts";
import { AREAS, isTemporary } from "./names.ts";
import type { FoundHere } from "./open-folder.ts";
import type { Scanned } from "./scan.ts";
import type { Mark, Noted, SeenPlace } from "./seen.ts";
import { entryOf, type Stat } from "./stat.ts";

/** What the disk has at a path now, and what was seen there last: where they differ, somebody else changed it. */
export type Looked = { readonly key: string; readonly was: Entry | undefined } & (
  | { readonly is: "nothing" }
  | { readonly is: "entry"; readonly entry: Entry; readonly stat: Stat; readonly same: boolean }
  | { readonly is: "busy" }
  | { readonly is: "odd"; readonly what: string }
  | { readonly is: "unreadable"; readonly why: string }
  | { readonly is: "refused"; readonly why: string }
);

export interface LookOptions {
  /** Stores what isn't as it was seen: its bytes are durable before the entry is given out. */
  readonly keep?: ((source: ContentSource) => Promise<ContentRef>) | undefined;
  /** Reads everything, whatever was seen: to find what changed without a trace. */
  readonly fresh?: boolean;
  readonly onProgress?: (looked: number) => void;
}

/**
 * The folder of a computer on disk: workspace, artifacts, choiros. It waits for the disk on the computer's thread, a slice
 * at a time. Who changed what is the caller's to judge: this says what is there, what was seen, and lands what should be.
 */
export class Folder {
  /** Whether a path that wasn't seen had nothing there. Not so after the cache was lost, until `setComplete`. */
  #complete: boolean;
  #marks: Readonly<Record<Mark, number>>;
  readonly notices: readonly string[];
  readonly #secret: string;
  readonly #path: string;
  readonly #thread: ComputerThread;
  readonly #target: number;

  private constructor(
    path: string,
    thread: ComputerThread,
    target: number,
    opened: FolderOperations["folder.open"]["answer"],
  ) {
    this.#path = path;
    this.#thread = thread;
    this.#target = target;
    this.#complete = opened.complete;
    this.#marks = opened.marks;
    this.notices = opened.notices;
    this.#secret = opened.secret;
  }

  get complete(): boolean {
    return this.#complete;
  }

  /** Whether a name is one that a landing of ours gave for a moment. */
  isOurs(name: string): boolean {
    return isTemporary(name, this.#secret);
  }

  /** Makes the areas where they are missing. */
  static async open(path: string): Promise<Folder> {
    const { thread, target } = ComputerThread.take();
    try {
      return new Folder(path, thread, target, await thread.call(target, "folder.open", { path }));
    } catch (error) {
      await thread.give();
      throw failed(`opening the folder ${path}`, error);
    }
  }

  async close(): Promise<void> {
    await this.call("folder.close", {});
    await this.#thread.give();
  }

  /** What is there now, in the order of the keys. */
  async look(keys: readonly string[], { keep, fresh = false, onProgress }: LookOptions = {}): Promise<Looked[]> {
    const looked: Looked[] = [];
    while (looked.length < keys.length) {
      const rest = keys.slice(looked.length, looked.length + MAX_LOOKS);
      const found = await this.call("folder.look", { keys: rest, bytes: keep !== undefined, fresh });
      looked.push(...(await Promise.all(found.map((one, i) => this.#looked(rest[i] ?? "", one, keep)))));
      onProgress?.(looked.length);
    }
    return looked;
  }

  /** Says that what was looked at is captured: from now on it is what was seen. */
  async note(items: readonly Looked[]): Promise<void> {
    const noted = items.flatMap((item): Noted[] => {
      if (item.is === "nothing") return [{ key: item.key, seen: null }];
      if (item.is !== "entry") return [];
      const hash = item.entry.kind === "dir" ? null : item.entry.hash;
      return [{ key: item.key, seen: { hash, stat: item.stat } }];
    });
    for (let at = 0; at < noted.length; at += MAX_NOTES) {
      await this.call("folder.note", noted.slice(at, at + MAX_NOTES));
    }
  }

  /** What was seen at these paths when we last looked or landed there. */
  async seen(keys: readonly string[]): Promise<(Entry | undefined)[]> {
    const seen: (Entry | undefined)[] = [];
    for (let at = 0; at < keys.length; at += MAX_LOOKS) {
      for (const entry of await this.call("folder.seen", keys.slice(at, at + MAX_LOOKS))) seen.push(entry);
    }
    return seen;
  }

  /** Every path where something was seen, in pages. */
  async *seenKeys(): AsyncGenerator<string[]> {
    for (const under of AREAS) {
      for (let after: SeenPlace | undefined; ; ) {
        const page = await this.call("folder.seen.page", { under, after });
        if (page.length === 0) break;
        yield page.map(([dir, name]) => `${dir}/${name}`);
        after = page.at(-1);
      }
    }
  }

  /** Says that every path was looked at and noted since the cache was made. */
  setComplete(): Promise<undefined> {
    this.#complete = true;
    return this.call("folder.complete", {});
  }

  /** The last event up to which the folder has all that the log says, or has noted why not. */
  get synced(): number {
    return this.#marks.synced;
  }

  setSynced(seq: number): Promise<undefined> {
    return this.#mark("synced", seq);
  }

  /** The last event up to which contents were made smaller. */
  get packed(): number {
    return this.#marks.packed;
  }

  setPacked(seq: number): Promise<undefined> {
    return this.#mark("packed", seq);
  }

  #mark(name: Mark, seq: number): Promise<undefined> {
    this.#marks = { ...this.#marks, [name]: seq };
    return this.call("folder.mark", { name, seq });
  }

  /** Slices of what isn't as it was seen, under these paths or everywhere. Whoever stops early ends it. */
  async *scan({ under }: { readonly under?: readonly string[] } = {}): AsyncGenerator<Scanned> {
    const scan = await this.call("folder.scan.begin", { under });
    try {
      for (let done = false; !done; ) {
        const slice = await this.call("folder.scan.next", scan);
        done = slice.done;
        yield slice;
      }
    } finally {
      await this.call("folder.scan.end", scan);
    }
  }

  /** Outcomes in the order of the items. Each path is its own: one that is blocked, or differs, holds up no other. */
  land(items: readonly Landing[], options: LandOptions): Promise<Landed[]> {
    return land(this, items, options);
  }

  /** Moves a directory with all that is in it, also what is ignored. */
  moveDirectory(from: string, to: string): Promise<Landed> {
    return this.call("folder.move", { from, to });
  }

  /** Resolves once all that was landed would survive a power cut. */
  flush(): Promise<void> {
    return flush(this.#path);
  }

  /** One slice on the thread. */
  async call<Op extends keyof FolderOperations>(
    op: Op,
    request: FolderOperations[Op]["request"],
  ): Promise<FolderOperations[Op]["answer"]> {
    try {
      return await this.#thread.call(this.#target, op, request);
    } catch (error) {
      throw failed(`${op} in the folder ${this.#path}`, error);
    }
  }

  async #looked(key: string, found: FoundHere, keep: LookOptions["keep"]): Promise<Looked> {
    if (found.is === "large") return this.#lookedAtLarge(key, found, keep);
    if (found.is !== "entry") return { key, ...found };
    const { is, entry, stat, same, was, bytes } = found;
    if (bytes !== undefined && keep !== undefined) await keep(bytes);
    return { key, is, entry, stat, same, was };
  }

  /** Read once more where it changed meanwhile; a file that somebody is still writing is for the next look. */
  async #lookedAtLarge(key: string, first: FoundHere & { is: "large" }, keep: LookOptions["keep"]): Promise<Looked> {
    const { was } = first;
    let found: FoundHere = first;
    for (let tries = 0; tries < LARGE_TRIES; tries++) {
      if (found.is !== "large") return this.#looked(key, found, keep);
      const { fd, stat } = found;
      try {
        // The first time as it is; then as it was when it was first looked at, should somebody only add to it.
        const source = tries === 0 ? steadyPieces(fd, stat) : steadyBeginning(fd, stat);
        const { hash } = await (keep ?? hashOf)(source);
        const entry = entryOf(stat, hash);
        if (entry === undefined) throw new Error(`${key} was opened as a file, and is none`);
        return await this.#settled({ key, is: "entry", entry, stat, same: sameEntry(entry, was), was });
      } catch (error) {
        if (error instanceof Error && "syscall" in error && errorCode(error) === "EIO")
          return { key, is: "unreadable", why: "the disk can't read it", was };
        if (!(error instanceof Torn)) throw error; // and where it is torn, nothing was stored
      } finally {
        await closeFile(fd);
      }
      [found = first] = await this.call("folder.look", { keys: [key], bytes: keep !== undefined });
    }
    if (found.is === "large") await closeFile(found.fd);
    return { key, is: "busy", was };
  }

  /** A large file that is as it was seen needn't be read again as long as its stat stays. */
  async #settled(looked: Looked & { is: "entry" }): Promise<Looked> {
    if (looked.same) await this.note([looked]);
    return looked;
  }
}

const MAX_LOOKS = 1_000;
const MAX_NOTES = 1_000;
const LARGE_TRIES = 3;

function failed(doing: string, error: unknown): FolderError {
  const why = error instanceof Error ? error.message : String(error);
  return new FolderError(`${doing} failed: ${why}`, error instanceof ThreadFailure ? error.failure : error);
}
