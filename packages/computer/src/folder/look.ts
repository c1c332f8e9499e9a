import { createHash } from "node:crypto";
import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import type { Entry } from "@choiros/contract";
import { sameEntry } from "../merge/merge-entries.ts";
import { errorCode } from "./folder-error.ts";
import { handle, inside, itself, type Miss, type Place, type Walk } from "./root.ts";
import type { SeenRow, SeenStat } from "./seen.ts";
import { entryOf, isOurs, kindOf, oddKind, type Stat, sameStat, statOf } from "./stat.ts";

/** What the disk has at a path now. */
export type Found =
  | { readonly is: "nothing" }
  | {
      readonly is: "entry";
      readonly entry: Entry;
      readonly stat: Stat;
      /** It is what was seen there last. */
      readonly same: boolean;
      readonly bytes?: Uint8Array;
    }
  /** Opened for reading, for whoever asked to read and to close. */
  | { readonly is: "large"; readonly stat: Stat; readonly fd: number }
  /** It changed each time it was read. */
  | { readonly is: "busy" }
  | { readonly is: "odd"; readonly what: string }
  | { readonly is: "unreadable"; readonly why: string }
  | { readonly is: "refused"; readonly why: string };

export const SMALL_BYTES = 65_536;
const TRIES = 4;

/** A file of ours that we may not read, opened all the same, for whoever asked to read and to close. */
export interface Locked {
  readonly is: "locked";
  readonly fd: number;
  readonly size: number;
  readonly known: Entry | undefined;
}

/** One look. A file is only read where its stat isn't the one that was seen. */
export function lookAt(walk: Walk, key: string, row: SeenRow | undefined, bytes: boolean): Found {
  const found = lookUnlessLocked(walk, key, row, bytes);
  return found.is === "locked" ? readLocked(found, bytes) : found;
}

export function lookUnlessLocked(walk: Walk, key: string, row: SeenRow | undefined, bytes: boolean): Found | Locked {
  const place = walk.place(key);
  return "miss" in place ? missed(place) : tried(() => attempt(place, row, bytes));
}

export function readLocked({ fd, known }: Locked, bytes: boolean): Found {
  return closing(fd, () => tried(() => readOpened(fd, statOf(fstatSync(fd), Date.now()), known, bytes)));
}

/** Whether what stands there is what was seen, as far as that can be told without reading it. */
export function matches(row: SeenStat | undefined, stat: Stat): boolean {
  if (row === undefined) return false;
  if (kindOf(stat.mode) === "dir") return row.stat.mode === stat.mode;
  return row.sure && sameStat(row.stat, stat);
}

/** What stands in a file, in memory that the next reading takes again; one byte more than is small where it is large. */
export function readSmall(fd: number): Buffer {
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read) {
    read = readSync(fd, buffer, length, buffer.length - length, length);
  }
  return buffer.subarray(0, length);
}

/** What an error means that comes of something else standing there than a moment ago. */
const CHANGED = new Set(["ENOENT", "ELOOP", "ENXIO", "EINVAL", "ENOTDIR"]);
/** Also what not even its owner can open, on a disk that can't be written to. */
const SHUT = new Set(["EACCES", "EPERM", "EROFS"]);
/** Never through a link, never waiting for the other end of a FIFO, never a terminal for our own. */
export const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const buffer = Buffer.allocUnsafeSlow(SMALL_BYTES + 1);

function missed({ miss, why }: Miss): Found {
  if (miss === "refused") return { is: "refused", why };
  return miss === "unreadable" ? { is: "unreadable", why } : { is: "nothing" };
}

function tried<Result extends Found | Locked>(work: () => Result | undefined): Result | Found {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const found = work();
      if (found !== undefined) return found;
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENAMETOOLONG") return { is: "refused", why: "its name is too long" };
      if (SHUT.has(code)) return { is: "unreadable", why: "it may not be read" };
      if (code === "EIO") return { is: "unreadable", why: "the disk can't read it" };
      if (!CHANGED.has(code)) throw error;
    }
  }
  return { is: "busy" };
}

function attempt(place: Place, row: SeenRow | undefined, bytes: boolean): Found | Locked | undefined {
  const path = inside(place.dir, place.name);
  const at = Date.now();
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { is: "nothing" };
  const stat = statOf(stats, at);
  const known = row && entryOf(row.stat, row.hash);
  if (known !== undefined && matches(row, stat)) return { is: "entry", entry: known, stat, same: true };
  const kind = kindOf(stat.mode);
  if (kind === "odd") return { is: "odd", what: oddKind(stat.mode) };
  if (kind === "file") return readFile(place, stat, known, bytes);
  return kind === "dir" ? entryFound(stat, null, known) : readLink(path, stat, known, bytes);
}

/** `undefined` where it changed meanwhile, here and below. */
function readFile(place: Place, stat: Stat, known: Entry | undefined, bytes: boolean): Found | Locked | undefined {
  const unlocked = (stat.mode & 0o400) === 0 ? openLocked(place, stat) : "not ours";
  if (typeof unlocked === "number") return { is: "locked", fd: unlocked, size: stat.size, known };
  if (unlocked === undefined) return undefined;
  const fd = openSync(inside(place.dir, place.name), READ);
  return closing(fd, () => readOpened(fd, stat, known, bytes));
}

function readOpened(fd: number, stat: Stat, known: Entry | undefined, bytes: boolean): Found | undefined {
  if (!sameStat(statOf(fstatSync(fd), stat.at), stat)) return undefined;
  if (stat.size > SMALL_BYTES) return { is: "large", stat, fd };
  const content = readSmall(fd);
  if (content.length !== stat.size || !sameStat(statOf(fstatSync(fd), stat.at), stat)) return undefined;
  return entryFound(stat, content, known, bytes);
}

/** Unless it is handed out with what was found. */
function closing<Result extends Found | undefined>(fd: number, work: () => Result): Result {
  let found: Result | undefined;
  try {
    found = work();
    return found;
  } finally {
    if (found?.is !== "large") closeSync(fd);
  }
}

function openLocked(place: Place, before: Stat): number | "not ours" | undefined {
  return handle(place, (locked) => {
    const stats = fstatSync(locked);
    if (!sameStat(statOf(stats, before.at), before)) return undefined;
    return isOurs(stats.uid) ? openUnlocked(locked, stats.mode & 0o7777) : "not ours";
  });
}

/** It has its rights again as soon as it is open. */
function openUnlocked(locked: number, mode: number): number {
  chmodSync(itself(locked), mode | 0o400);
  try {
    return openSync(itself(locked), READ & ~constants.O_NOFOLLOW); // the handle leads to the file itself, and no further
  } finally {
    chmodSync(itself(locked), mode);
  }
}

function readLink(path: string | Buffer, stat: Stat, known: Entry | undefined, bytes: boolean): Found | undefined {
  const target = readlinkSync(path, "buffer");
  const again = lstatSync(path, { throwIfNoEntry: false });
  if (again === undefined || !sameStat(statOf(again, stat.at), stat) || target.length !== stat.size) return undefined;
  return entryFound(stat, target, known, bytes);
}

function entryFound(stat: Stat, content: Buffer | null, known: Entry | undefined, bytes = false): Found {
  const entry = entryOf(stat, content && createHash("sha256").update(content).digest("hex"));
  if (entry === undefined) throw new Error("a file, link or directory always makes an entry");
  const same = sameEntry(entry, known);
  return bytes && content !== null && !same
    ? { is: "entry", entry, stat, same, bytes: new Uint8Array(content) }
    : { is: "entry", entry, stat, same };
}
