import { chmodSync, closeSync, constants, fchmodSync, fstatSync, openSync, type Stats } from "node:fs";
import { failureOf } from "@choiros/log/failure";
import { errorCode } from "./folder-error.ts";
import { DIRECTORY, type Doors, handle, inside, itself, type Place, type Root } from "./root.ts";
import type { Seen } from "./seen.ts";
import { isOurs, kindOf, type Stat, sameStat, statOf } from "./stat.ts";

/** What the owner of a directory needs to look into it, and to change what is in it. */
export const TO_LOOK = 0o500;
export const TO_LAND = 0o700;

/** How we left the directories that shut out their own owner, by their inode. */
export type Left = Map<number, Stat>;

/**
 * Doors that open to the owner of a directory, whatever its mode is. It has its mode again as soon as the walk is out of
 * it; where we are cut off before, by `shutLeftOpen`.
 */
export class OwnersDoors implements Doors {
  readonly #seen: Pick<Seen, "opening" | "shut">;
  readonly #needed: number;
  readonly #left: Left;
  readonly #opened = new Map<number, Opened>();

  constructor(seen: Pick<Seen, "opening" | "shut">, needed: number, left: Left) {
    this.#seen = seen;
    this.#needed = needed;
    this.#left = left;
  }

  enter(place: Place, key: () => string): number {
    return this.#enterOpen(place) ?? this.#enterShut(place, key);
  }

  leave(fd: number): void {
    const opened = this.#opened.get(fd);
    this.#opened.delete(fd);
    try {
      if (opened !== undefined) this.#shut(fd, opened);
    } finally {
      closeSync(fd);
    }
  }

  /** As nearly all are. */
  #enterOpen(place: Place): number | undefined {
    const fd = openUnlessShut(place);
    if (fd === undefined || !this.#isShut(fstatSync(fd))) return fd;
    closeSync(fd);
    return undefined;
  }

  /** By a handle: what is opened is what stands there, and no link. */
  #enterShut(place: Place, key: () => string): number {
    return handle(place, (fd) => {
      const opened = this.#open(fd, key);
      try {
        const dir = openSync(itself(fd), constants.O_RDONLY | constants.O_DIRECTORY);
        if (opened !== undefined) this.#opened.set(dir, opened);
        return dir;
      } catch (error) {
        if (opened !== undefined) this.#shut(fd, opened);
        throw error;
      }
    });
  }

  #open(fd: number, key: () => string): Opened | undefined {
    const stats = fstatSync(fd);
    if (!this.#isShut(stats)) return undefined;
    const opened = { key: key(), mode: stats.mode & BITS };
    this.#seen.opening(opened.key, opened.mode);
    try {
      chmodSync(itself(fd), opened.mode | RIGHTS);
    } catch (error) {
      if (!STUCK.has(errorCode(error))) throw error;
      this.#seen.shut(opened.key);
      return undefined; // it is as it is
    }
    return { ...opened, since: fstatSync(fd) };
  }

  #isShut({ mode, uid }: Stats): boolean {
    return kindOf(mode) === "dir" && (mode & this.#needed) !== this.#needed && isOurs(uid);
  }

  #shut(fd: number, { key, mode, since }: Opened): void {
    const now = fstatSync(fd);
    // A mode that somebody gave it meanwhile is their wish, also where it is the one that it has from us.
    if (this.#needed !== TO_LOOK || !hasNewMode(now, since)) giveBack(fd, mode);
    if ((mode & TO_LOOK) !== TO_LOOK) this.#left.set(now.ino, statOf(fstatSync(fd), 0));
    try {
      this.#seen.shut(key);
    } catch (error) {
      if (failureOf(error).code !== "disk-full") throw error; // it is found shut when the folder is opened
    }
  }
}

/** Whether nobody touched a directory that shuts out its owner since we did: a watcher hears of that as of any change. */
export function isAsLeft(left: Left, stats: Stats): boolean {
  const ours = left.get(stats.ino);
  return ours !== undefined && sameStat(ours, statOf(stats, 0)) && (stats.mode & TO_LOOK) !== TO_LOOK;
}

/** Gives the directories their modes back in which we were cut off: nobody is to be taken for having changed them. */
export function shutLeftOpen(root: Root, seen: Seen): void {
  const lowestFirst = seen.leftOpen().toSorted((a, b) => b.key.length - a.key.length);
  for (const { key, mode } of lowestFirst) {
    root.walk((walk) => {
      const fd = walk.directory(key);
      try {
        if (typeof fd === "number") giveBack(fd, mode);
      } catch (error) {
        if (errorCode(error) === "") throw error; // it is somebody else's by now
      }
    });
    seen.shut(key);
  }
}

/** For one step in a directory. */
export function opened(fd: number, step: () => void): void {
  const { mode, uid } = fstatSync(fd);
  const isShut = (mode & RIGHTS) !== RIGHTS && isOurs(uid);
  if (isShut) fchmodSync(fd, (mode & BITS) | RIGHTS);
  try {
    step();
  } finally {
    if (isShut) fchmodSync(fd, mode & BITS);
  }
}

interface Opened {
  readonly key: string;
  readonly mode: number;
  readonly since: Stats;
}

const RIGHTS = 0o700;
const BITS = 0o7777;
/** What the system says where not even its owner can change a mode. */
const STUCK = new Set(["EPERM", "EACCES", "EROFS"]);

function openUnlessShut({ dir, name }: Place): number | undefined {
  try {
    return openSync(inside(dir, name), DIRECTORY);
  } catch (error) {
    if (errorCode(error) !== "EACCES") throw error;
    return undefined;
  }
}

/**
 * As far as times tell: what comes into a directory, or leaves it, gives it another `mtime` as well. Not in a landing,
 * which may have moved the directory itself.
 */
function hasNewMode(now: Stats, since: Stats): boolean {
  return now.ctimeMs !== since.ctimeMs && now.mtimeMs === since.mtimeMs;
}

/** Unless somebody gave it another one meanwhile. */
function giveBack(fd: number, mode: number): void {
  if ((fstatSync(fd).mode & BITS) === (mode | RIGHTS)) chmodSync(itself(fd), mode);
}
