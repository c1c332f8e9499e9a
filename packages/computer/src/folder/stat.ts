import { lstatSync, type Stats } from "node:fs";
import type { Entry } from "@choiros/contract";
import { errorCode } from "./folder-error.ts";

/**
 * What the file system says of a file without reading it. The device isn't in it: its number changes with each mount.
 * Times are milliseconds with a fraction: as a number that is exact to 244 ns, finer than what they are compared for.
 */
export interface Stat {
  readonly ino: number;
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
  /** With the file type. */
  readonly mode: number;
  /** When it was looked at. */
  readonly at: number;
}

export function statOf(stats: Stats, at: number): Stat {
  return { ino: stats.ino, size: stats.size, mtime: stats.mtimeMs, ctime: stats.ctimeMs, mode: stats.mode, at };
}

/** What stands at a path. `unreadable`: its directory may not be entered, though it is open to be listed. */
export function standing(path: string | Buffer): Stats | "unreadable" | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) !== "EACCES") throw error;
    return "unreadable";
  }
}

export function sameStat(a: Stat, b: Stat): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.mode === b.mode;
}

/**
 * Whether a later change would show in the times. They are those of the kernel's last tick, which is up to 10 ms back
 * (100 ticks a second, the slowest Linux has): a file written right after we looked may bear the time from before. Twice
 * that, for clocks that differ between processors; a time in the future is never trusted.
 */
export function isSettled(stat: Stat): boolean {
  return Math.max(stat.mtime, stat.ctime) < stat.at - RACY_MS;
}

/** Whether its mode is ours to change. Root needs no mode to be changed. */
export function isOurs(uid: number): boolean {
  return uid === process.geteuid?.() && uid !== 0;
}

export const RACY_MS = 20;

export type Kind = Entry["kind"] | "odd";

export function kindOf(mode: number): Kind {
  const type = mode & TYPE;
  return type === FILE ? "file" : type === LINK ? "link" : type === DIRECTORY ? "dir" : "odd";
}

/** What something that can't be kept is called. */
export function oddKind(mode: number): string {
  return ODD.get(mode & TYPE) ?? "something unknown";
}

/**
 * The mode bits that are kept. Setuid and setgid are not: a file that comes back must not come back with somebody's
 * rights, and a directory inherits setgid from the one above it.
 */
export function keptMode(mode: number): number {
  return mode & 0o1777;
}

export function entryOf(stat: Stat, hash: string | null): Entry | undefined {
  const kind = kindOf(stat.mode);
  const mode = keptMode(stat.mode);
  if (kind === "dir") return { kind, mode };
  return kind === "odd" || hash === null ? undefined : { hash, kind, mode, size: stat.size };
}

const TYPE = 0o170000;
const FILE = 0o100000;
const LINK = 0o120000;
const DIRECTORY = 0o040000;
const ODD = new Map([
  [0o140000, "a socket"],
  [0o010000, "a FIFO"],
  [0o020000, "a character device"],
  [0o060000, "a block device"],
]);
