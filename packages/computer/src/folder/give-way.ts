import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { parentKey } from "@choiros/contract/path-key";
import { readName } from "./names.ts";
import { AS_THEY_ARE, type Doors, handle, inside, itself, type Place, type Walk } from "./root.ts";
import { Blocked, blockOf, placeOf } from "./steps.ts";

export interface GiveWayOptions {
  /** A folder that nobody else reaches, on the same file system: what gives way is moved there. */
  readonly aside: string;
  /** When the command began, in milliseconds of the disk's clock: what came or changed since isn't deleted. */
  readonly before: number;
  /** Directories that other commands brought whole since: what is in them is as old as it was when they made it. */
  readonly came: ReadonlySet<string>;
}

export interface Failed {
  readonly key: string;
  readonly why: string;
}

/** Moves out of a folder what a command removed there, but for what came or changed since it began. */
export class GivingWay {
  /** What could not be done, each under its own path. */
  readonly failed: Failed[] = [];
  readonly #walk: Walk;
  readonly #doors: Doors;
  readonly #options: GiveWayOptions;
  #count = 0;

  constructor(walk: Walk, doors: Doors | undefined, options: GiveWayOptions) {
    this.#walk = walk;
    this.#doors = doors ?? AS_THEY_ARE;
    this.#options = options;
  }

  /** How many were moved aside. */
  get count(): number {
    return this.#count;
  }

  /** What the system refuses for one path is that path's own. */
  each<Result>(key: string, work: () => Result, otherwise: Result): Result {
    try {
      return work();
    } catch (error) {
      this.failed.push({ key, why: blockOf(error).why });
      return otherwise;
    }
  }

  /** Whether nothing is left at a path. */
  from(key: string): boolean {
    return this.each(key, () => this.#from(key), false);
  }

  #from(key: string): boolean {
    const stats = statsAt(this.#walk, key);
    if (stats === undefined) return true;
    if (this.#stays(key, stats)) return false;
    if (!this.#isNewer(placeOf(this.#walk, key), key, stats)) {
      this.moveAside(key, stats);
      return true;
    }
    if (!stats.isDirectory()) return false;
    const left = childrenOf(this.#walk, key).filter((child) => !this.from(child));
    if (left.length === 0) this.removeEmpty(key);
    return left.length === 0;
  }

  /** To where nobody else reaches it; removed with what else is there. */
  moveAside(key: string, stats: Stats): void {
    const place = placeOf(this.#walk, key);
    // A directory that its owner may not write to can't change its place.
    if (stats.isDirectory() && (stats.mode & 0o200) === 0) handle(place, (fd) => chmodSync(itself(fd), 0o700));
    renameSync(inside(place.dir, place.name), join(this.#options.aside, randomBytes(8).toString("hex")));
    this.#count++;
    if (stats.isDirectory()) this.#walk.reset();
  }

  removeEmpty(key: string): void {
    const { dir, name } = placeOf(this.#walk, key);
    rmdirSync(inside(dir, name));
    this.#count++;
    this.#walk.reset();
  }

  /** Whether it came since, and so all that is in it. */
  #stays(key: string, stats: Stats): boolean {
    const { came, before } = this.#options;
    if (stats.isDirectory() && stats.birthtimeMs >= before) return true;
    if (came.size === 0) return false;
    for (let up: string | undefined = key; up !== undefined; up = parentKey(up)) if (came.has(up)) return true;
    return false;
  }

  /** Whether it, or anything in it, came or changed since; by descriptors, however deep. */
  #isNewer(place: Place, key: string, stats: Stats): boolean {
    if (stats.ctimeMs >= this.#options.before || this.#options.came.has(key)) return true;
    if (!stats.isDirectory()) return false;
    const dir = this.#doors.enter(place, () => key);
    try {
      return readdirSync(itself(dir), { encoding: "latin1" }).some((latin1) => {
        const { name, part } = readName(latin1);
        const found = lstatSync(inside(dir, name), { throwIfNoEntry: false });
        return found !== undefined && this.#isNewer({ dir, name }, `${key}/${part}`, found);
      });
    } finally {
      this.#doors.leave(dir);
    }
  }
}

/** What stands at a path; `undefined` also where what is above it is missing, or no directory. */
export function statsAt(walk: Walk, key: string): Stats | undefined {
  const place = walk.place(key);
  if (!("miss" in place)) return lstatSync(inside(place.dir, place.name), { throwIfNoEntry: false });
  if (place.miss === "nothing" || place.miss === "in-the-way") return undefined;
  throw new Blocked(place.miss, place.why);
}

export function childrenOf(walk: Walk, key: string): string[] {
  const dir = walk.directory(key);
  if (typeof dir !== "number") throw new Blocked(dir.miss, dir.why);
  return readdirSync(itself(dir), { encoding: "latin1" }).map((name) => `${key}/${readName(name).part}`);
}
