import { type FSWatcher, readFileSync, watch } from "node:fs";
import { isBelow } from "@choiros/contract/path-key";
import type { Folder } from "./folder.ts";
import { errorCode, errorText } from "./folder-error.ts";
import { IGNORE_KEY } from "./ignored.ts";
import { closeFile } from "./large-file.ts";
import { AREAS, readName } from "./names.ts";
import { itself } from "./root.ts";

/** What a watcher says. Whoever gets `dirty` scans under these keys; with `lost`, everywhere. */
export type Watched =
  | { readonly is: "dirty"; readonly keys: readonly string[] }
  /** More happened than the system kept count of. */
  | { readonly is: "lost" }
  /** From now on not all is watched: `lost` follows at an interval. */
  | { readonly is: "limited"; readonly why: string }
  | { readonly is: "failed"; readonly why: string };

export interface WatchOptions {
  /** How long it has to be quiet before it is told. Grows while there is no quiet, so that a burst is told in few parts. */
  readonly quietMs?: number;
  /** How often it is `lost` where not all can be watched. */
  readonly intervalMs?: number;
  readonly maxWatches?: number;
  /** Told of each path at once, whatever happened there, before anything is known of it. */
  readonly onName?: (key: string) => void;
}

/**
 * Watches each directory that isn't ignored by itself; Node's own way to watch a tree opens every file in it. A directory
 * is watched before its names are read, so that what comes into it is either read or told.
 */
export class Watcher {
  readonly #folder: Folder;
  readonly #tell: (watched: Watched) => void;
  readonly #quietMs: number;
  readonly #intervalMs: number;
  readonly #maxWatches: number;
  readonly #onName: (key: string) => void;
  readonly #watches = new Map<string, FSWatcher>();
  #dirty = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #interval: NodeJS.Timeout | undefined;
  #waitMs: number;
  #toldAt = 0;
  #closed = false;
  #work: Promise<void> = Promise.resolve();

  private constructor(folder: Folder, tell: (watched: Watched) => void, options: WatchOptions) {
    this.#folder = folder;
    this.#tell = tell;
    this.#quietMs = options.quietMs ?? QUIET_MS;
    this.#waitMs = this.#quietMs;
    this.#intervalMs = options.intervalMs ?? INTERVAL_MS;
    this.#onName = options.onName ?? (() => {});
    this.#maxWatches = options.maxWatches ?? Number.POSITIVE_INFINITY;
  }

  /** Resolves once all of the folder is watched. What changed before is for a scan afterwards. */
  static async start(folder: Folder, tell: (watched: Watched) => void, options: WatchOptions = {}): Promise<Watcher> {
    const watcher = new Watcher(folder, tell, options);
    flood.add(watcher);
    await watcher.#watchAll(AREAS);
    return watcher;
  }

  get directories(): number {
    return this.#watches.size;
  }

  /** Nothing is told after it. */
  async close(): Promise<void> {
    this.#closed = true;
    flood.delete(this);
    clearTimeout(this.#timer);
    clearInterval(this.#interval);
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    await this.#work;
  }

  /** The system's queue may have run over: nobody knows what else happened. */
  lose(): void {
    this.#dirty.clear();
    this.#work = this.#work.then(() => this.#rewatch());
  }

  async #rewatch(): Promise<void> {
    if (this.#closed) return;
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    await this.#watchAll(AREAS);
    if (!this.#closed) this.#tell({ is: "lost" });
  }

  /** These and all below them, level by level. */
  async #watchAll(keys: readonly string[]): Promise<void> {
    try {
      for (let level = keys; level.length > 0 && !this.#closed; ) {
        const next: string[] = [];
        for (let at = 0; at < level.length; at += SLICE) {
          const slice = level.slice(at, at + SLICE);
          const watched = await this.#watch(slice);
          next.push(...(await this.#folder.call("folder.directories.in", watched)));
        }
        level = next;
      }
    } catch (error) {
      if (!this.#closed) this.#tell({ is: "failed", why: errorText(error) });
    }
  }

  async #watch(keys: readonly string[]): Promise<string[]> {
    const fds = await this.#folder.call("folder.directories.open", keys);
    const watched: string[] = [];
    for (const [i, fd] of fds.entries()) {
      const key = keys[i];
      if (fd === undefined || key === undefined) continue;
      if (!this.#closed && this.#watchOne(key, fd)) watched.push(key);
      await closeFile(fd);
    }
    return watched;
  }

  /** By its descriptor: no link put there meanwhile leads to another directory. */
  #watchOne(key: string, fd: number): boolean {
    this.#watches.get(key)?.close();
    this.#watches.delete(key);
    if (this.#watches.size >= this.#maxWatches) return this.#limit("no more directories are to be watched");
    try {
      const options = { encoding: "latin1", persistent: false } as const;
      // What happens to the directory itself is told under the end of its path: so it has no name, and nobody's file has it.
      const watcher = watch(`${itself(fd)}/`, options, (_, name) => this.#happened(key, name));
      watcher.on("error", (error) => this.#tell({ is: "failed", why: `watching ${key}: ${error.message}` }));
      this.#watches.set(key, watcher);
      return true;
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOSPC" || code === "EMFILE")
        return this.#limit("the system's limit of watched directories is reached");
      if (code === "ENOENT") return false;
      if (code === "EACCES") return true; // it shuts out its owner: only what is below it is watched
      throw error;
    }
  }

  #limit(why: string): false {
    if (this.#interval !== undefined) return false;
    this.#interval = setInterval(() => this.#tell({ is: "lost" }), this.#intervalMs).unref();
    this.#tell({ is: "limited", why });
    return false;
  }

  #happened(directory: string, name: string | null): void {
    flood.count();
    if (this.#closed || name === null || name === "") return;
    const { part } = readName(name);
    if (this.#folder.isOurs(part)) return;
    const key = `${directory}/${part}`;
    this.#dirty.add(key);
    this.#onName(key);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#quiet(), this.#waitMs);
  }

  #quiet(): void {
    const keys = [...this.#dirty];
    this.#dirty = new Set();
    if (keys.length === 0) return;
    const now = performance.now();
    const hurried = keys.length >= BURST && now - this.#toldAt < this.#waitMs * 4;
    this.#waitMs = hurried ? Math.min(this.#waitMs * 2, MAX_QUIET_MS) : this.#quietMs;
    this.#toldAt = now;
    this.#work = this.#work.then(() => this.#report(keys));
  }

  /** What is a directory now is watched first, and told after. What comes of our own looks isn't: it would go on for ever. */
  async #report(happened: readonly string[]): Promise<void> {
    const keys = await this.#touched(happened);
    if (this.#closed || keys.length === 0) return;
    if (keys.includes(IGNORE_KEY)) {
      await this.#rewatch(); // what was ignored may be no more, anywhere
      return;
    }
    for (const key of keys) this.#unwatch(key);
    await this.#watchAll(keys);
    if (!this.#closed) this.#tell({ is: "dirty", keys });
  }

  async #touched(keys: readonly string[]): Promise<readonly string[]> {
    try {
      return await this.#folder.call("folder.directories.touched", keys);
    } catch (error) {
      if (!this.#closed) this.#tell({ is: "failed", why: errorText(error) });
      return keys;
    }
  }

  #unwatch(key: string): void {
    if (!this.#watches.has(key)) return;
    for (const [watched, watch] of this.#watches) {
      if (watched !== key && !isBelow(watched, key)) continue;
      watch.close();
      this.#watches.delete(watched);
    }
  }
}

/**
 * An editor writes a file, or a new one and renames it, within a millisecond or two: shorter, and half of that would be told;
 * longer, and a person's edit would wait for nothing.
 */
const QUIET_MS = 5;
const MAX_QUIET_MS = 80;
/** Fewer are somebody who saves often, and is not made to wait. */
const BURST = 20;
const INTERVAL_MS = 10_000;
const SLICE = 100;

/**
 * Linux keeps 16,384 events that nobody took yet and drops the rest; libuv takes no notice of that. Whatever was dropped,
 * a full queue came before it, and it is read in one go: so that many events in one round of the loop mean that some may be
 * missing. All watchers of the process share one queue. Half of it is the mark, for some are for watches that are closed.
 */
class Flood {
  readonly #watchers = new Set<Watcher>();
  readonly #limit = queueLength() / 2;
  #events = 0;

  add(watcher: Watcher): void {
    this.#watchers.add(watcher);
  }

  delete(watcher: Watcher): void {
    this.#watchers.delete(watcher);
  }

  count(): void {
    if (this.#events++ > 0) return;
    setImmediate(() => {
      const events = this.#events;
      this.#events = 0;
      if (events >= this.#limit) for (const watcher of this.#watchers) watcher.lose();
    });
  }
}

function queueLength(): number {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "latin1")) || 16_384;
  } catch {
    return 16_384; // what Linux comes with
  }
}

const flood = new Flood();
