import { readdirSync, type Stats, unlinkSync } from "node:fs";
import { parentKey } from "@choiros/contract/path-key";
import { opened } from "./doors.ts";
import { errorCode } from "./folder-error.ts";
import type { Ignored } from "./ignored.ts";
import { matches } from "./look.ts";
import { AREAS, isTemporary, readName } from "./names.ts";
import { inside, itself, type Miss, type Walk } from "./root.ts";
import type { Seen, SeenPlace, SeenStat } from "./seen.ts";
import { kindOf, oddKind, standing, statOf } from "./stat.ts";

/** What a slice of a scan came upon: paths to look at, and those that can't be captured. */
export interface Scanned {
  /** New, gone, or with another stat than was seen. Directories come before what is in them. */
  readonly keys: readonly string[];
  readonly odd: readonly { readonly key: string; readonly what: string }[];
  readonly unreadable: readonly { readonly key: string; readonly why: string }[];
  readonly visited: number;
  readonly done: boolean;
}

interface Directory {
  readonly key: string;
  readonly names: readonly string[];
  next: number;
  readonly seen: Map<string, SeenStat>;
  /** A new directory is only told of with the first thing in it that isn't ignored. */
  untold: boolean;
}

/** What was seen below a directory that isn't one any more. */
interface Lost {
  readonly gone: string;
  after: SeenPlace | undefined;
}

export interface ScanOptions {
  readonly under: readonly string[] | undefined;
  /** Told of a temporary name, whether a landing is just using it. */
  readonly inUse: (name: string) => boolean;
}

/** A walk over the folder that compares stats and reads nothing. It goes on where it left off, slice by slice. */
export class Scan {
  readonly #seen: Seen;
  readonly #ignored: Ignored;
  readonly #inUse: (name: string) => boolean;
  readonly #stack: (Directory | Lost)[] = [];
  readonly #roots: string[];
  #slice = emptySlice();
  /** The directory that the walk is in. */
  #at: { readonly key: string; readonly fd: number } | undefined;

  constructor(seen: Seen, ignored: Ignored, { under, inUse }: ScanOptions) {
    this.#seen = seen;
    this.#ignored = ignored;
    this.#inUse = inUse;
    this.#roots = [...(under ?? AREAS)].reverse();
  }

  next(walk: Walk, budgetMs: number): Scanned {
    this.#slice = emptySlice();
    this.#at = undefined;
    const end = performance.now() + budgetMs;
    for (let steps = 0; steps % 64 !== 0 || performance.now() < end; steps++) {
      if (this.#slice.keys.length >= MAX_KEYS || !this.#step(walk)) break;
    }
    return { ...this.#slice, done: this.#stack.length === 0 && this.#roots.length === 0 };
  }

  #step(walk: Walk): boolean {
    const top = this.#stack.at(-1);
    if (top === undefined) {
      const root = this.#roots.pop();
      if (root !== undefined) this.#begin(walk, root);
      return root !== undefined;
    }
    if ("gone" in top) this.#tellGone(top);
    else this.#visit(walk, top);
    return true;
  }

  #begin(walk: Walk, key: string): void {
    if (AREAS.some((area) => area === key)) this.#enter(walk, key, false);
    else this.#beginBelow(walk, key);
  }

  /** The directories above may be new, and only be told of with this. */
  #beginBelow(walk: Walk, key: string): void {
    const above: Directory[] = [];
    for (let up = parentKey(key); up?.includes("/") && this.#seen.get(up) === undefined; up = parentKey(up)) {
      above.unshift({ key: up, names: [], next: 0, seen: new Map(), untold: true });
    }
    this.#stack.push(...above);
    const place = walk.place(key);
    this.#at = undefined;
    const stats = "miss" in place ? place.miss : standing(inside(place.dir, place.name));
    if (stats === "unreadable") this.#unreadable(key, false);
    else if (typeof stats !== "string") this.#meet(walk, key, stats, this.#seen.get(key));
    else if (stats !== "refused") this.#lose(key);
  }

  #visit(walk: Walk, directory: Directory): void {
    const latin1 = directory.names[directory.next++];
    if (latin1 === undefined) {
      this.#leave(directory);
      return;
    }
    const dir = this.#directory(walk, directory.key);
    if (typeof dir !== "number") return; // gone since: whoever looks at what was told finds out
    const { name, part } = readName(latin1);
    const row = directory.seen.get(part);
    directory.seen.delete(part);
    const stats = standing(inside(dir, name));
    if (stats === "unreadable") {
      this.#unreadable(directory.key, false);
      this.#stack.pop(); // it may be listed, and no more
    } else this.#meet(walk, `${directory.key}/${part}`, stats, row);
  }

  #meet(walk: Walk, key: string, stats: Stats | undefined, row: SeenStat | undefined): void {
    this.#slice.visited++;
    if (stats === undefined) {
      if (row !== undefined) this.#lose(key);
      return;
    }
    const kind = kindOf(stats.mode);
    if (row === undefined && this.#ignored.has(key, kind === "dir")) return;
    if (kind === "odd") {
      this.#slice.odd.push({ key, what: oddKind(stats.mode) });
      this.#tellAbove();
    }
    const isNew = row === undefined && (kind === "dir" || kind === "odd"); // the one is told later, the other never
    if (!isNew && !matches(row, statOf(stats, 0))) this.#tell(key);
    if (kind === "dir") this.#enter(walk, key, row === undefined);
    else if (row !== undefined && kindOf(row.stat.mode) === "dir") this.#stack.push({ gone: key, after: undefined });
  }

  #enter(walk: Walk, key: string, untold: boolean): void {
    const dir = this.#directory(walk, key);
    if (typeof dir !== "number") {
      if (dir.miss === "unreadable") this.#unreadable(key, untold);
      else if (dir.miss === "refused") this.#unreadable(key, false, dir.why);
      else this.#lose(key);
      return;
    }
    const names = this.#names(dir, key, untold);
    if (names === undefined) return;
    this.#stack.push({ key, names, next: 0, seen: this.#seen.in(key), untold });
    if (names.length === 0) this.#tellAbove();
  }

  #names(dir: number, key: string, untold: boolean): string[] | undefined {
    try {
      const names = readdirSync(itself(dir), { encoding: "latin1" });
      return names.filter((name) => !isTemporary(name, this.#seen.secret) || this.#sweep(dir, name));
    } catch (error) {
      if (errorCode(error) !== "EACCES" && errorCode(error) !== "EIO") throw error;
      this.#unreadable(key, untold);
      return undefined;
    }
  }

  #directory(walk: Walk, key: string): number | Miss {
    if (this.#at?.key === key) return this.#at.fd;
    const fd = walk.directory(key);
    this.#at = typeof fd === "number" ? { key, fd } : undefined;
    return fd;
  }

  #leave(directory: Directory): void {
    this.#stack.pop();
    for (const part of directory.seen.keys()) this.#lose(`${directory.key}/${part}`);
  }

  /** Nothing stands there any more, nor below it. An area is no entry itself. */
  #lose(key: string): void {
    if (this.#seen.get(key) !== undefined) this.#tell(key);
    if (this.#seen.below(key, undefined, 1).length > 0) this.#stack.push({ gone: key, after: undefined });
  }

  #tellGone(lost: Lost): void {
    const rows = this.#seen.below(lost.gone, lost.after, 500);
    for (const [dir, name] of rows) this.#slice.keys.push(`${dir}/${name}`);
    lost.after = rows.at(-1);
    if (rows.length < 500) this.#stack.splice(this.#stack.indexOf(lost), 1);
  }

  #tell(key: string): void {
    this.#tellAbove();
    this.#slice.keys.push(key);
  }

  /** The new directories above, top down. */
  #tellAbove(): void {
    for (const directory of this.#stack) {
      if ("gone" in directory || !directory.untold) continue;
      directory.untold = false;
      this.#slice.keys.push(directory.key);
    }
  }

  #unreadable(key: string, untold: boolean, why = "it may not be read"): void {
    this.#tellAbove();
    if (untold) this.#slice.keys.push(key);
    this.#slice.unreadable.push({ key, why });
  }

  /** Removes what a landing left that was cut off. Never worth telling. */
  #sweep(dir: number, name: string): false {
    if (this.#inUse(name)) return false;
    try {
      opened(dir, () => unlinkSync(inside(dir, name)));
    } catch (error) {
      if (!LEAVE.has(errorCode(error))) throw error;
    }
    return false;
  }
}

const MAX_KEYS = 2_000;
const LEAVE = new Set(["ENOENT", "EISDIR", "EPERM", "EACCES", "EROFS"]);

function emptySlice() {
  return {
    keys: [] as string[],
    odd: [] as { key: string; what: string }[],
    unreadable: [] as { key: string; why: string }[],
    visited: 0,
  };
}
