import { chmodSync, closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import { failureOf } from "@choiros/log/failure";
import { errorCode } from "./folder-error.ts";
import { type Doors, handle, itself, type Place, type Root } from "./root.ts";
import type { Seen } from "./seen.ts";
import { isOurs, kindOf } from "./stat.ts";

/**
 * Doors that open to the owner of a directory, whatever its mode is. It has its mode again as soon as the walk is out of
 * it; where we are cut off before, by `shutLeftOpen`.
 */
export class OwnersDoors implements Doors {
  readonly #seen: Pick<Seen, "opening" | "shut">;
  readonly #opened = new Map<number, Opened>();

  constructor(seen: Pick<Seen, "opening" | "shut">) {
    this.#seen = seen;
  }

  /** By a handle: what is opened is what stands there, and no link. */
  enter(place: Place, key: () => string): number {
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

  leave(fd: number): void {
    const opened = this.#opened.get(fd);
    this.#opened.delete(fd);
    try {
      if (opened !== undefined) this.#shut(fd, opened);
    } finally {
      closeSync(fd);
    }
  }

  #open(fd: number, key: () => string): Opened | undefined {
    const { mode, uid } = fstatSync(fd);
    if (kindOf(mode) !== "dir" || (mode & RIGHTS) === RIGHTS || !isOurs(uid)) return undefined;
    const opened = { key: key(), mode: mode & BITS };
    this.#seen.opening(opened.key, opened.mode);
    chmodSync(itself(fd), opened.mode | RIGHTS);
    return opened;
  }

  #shut(fd: number, { key, mode }: Opened): void {
    giveBack(fd, mode);
    try {
      this.#seen.shut(key);
    } catch (error) {
      if (failureOf(error).code !== "disk-full") throw error; // it is found shut when the folder is opened
    }
  }
}

/** Gives the directories their modes back in which a landing was cut off: nobody is to be taken for having changed them. */
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
}

const RIGHTS = 0o700;
const BITS = 0o7777;

/** Unless somebody gave it another one meanwhile. */
function giveBack(fd: number, mode: number): void {
  if ((fstatSync(fd).mode & BITS) === (mode | RIGHTS)) chmodSync(itself(fd), mode);
}
