import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { Entry } from "@choiros/contract";
import { errorCode, errorText } from "./folder-error.ts";
import { handle, inside, itself, type Place, type Walk } from "./root.ts";
import { keptMode, kindOf, type Stat, statOf } from "./stat.ts";

/** A path that can't be written, for a reason that is its own. */
export class Blocked extends Error {
  override name = "Blocked";
  readonly code: string;

  constructor(code: string, why: string) {
    super(why);
    this.code = code;
  }
}

/** What the system's refusal means for one path. What isn't the system's is a fault of ours, and goes on. */
export function blockOf(error: unknown): { readonly is: "blocked"; readonly code: string; readonly why: string } {
  const code = errorCode(error);
  if (code === "") throw error;
  return {
    is: "blocked",
    code,
    why: error instanceof Blocked ? error.message : (REASONS.get(code) ?? withoutPaths(errorText(error))),
  };
}

/** Node names the paths it was given behind a comma: ours lead by a descriptor, which says nothing to anybody. */
function withoutPaths(message: string): string {
  return message.replace(/, \w+ '\/proc\/.*$/s, "");
}

export function placeOf(walk: Walk, key: string): Place {
  const place = walk.place(key);
  if ("miss" in place) throw new Blocked(place.miss, place.why);
  return place;
}

/** A file or link beside its place. Without `bytes`: a file to be written by whoever asked, who also closes it. */
export function writeBeside(dir: number, id: string, to: Entry | null, bytes: Uint8Array | undefined, sync: boolean) {
  const path = inside(dir, id);
  if (to?.kind === "link") {
    if (bytes === undefined) throw new Error("a link is made of its target, which is never large");
    symlinkSync(Buffer.from(bytes), path);
    return { ino: lstatSync(path).ino };
  }
  const fd = openSync(path, WRITE_NEW, 0o600);
  try {
    fchmodSync(fd, modeOf(to));
    const { ino } = fstatSync(fd);
    if (bytes === undefined) return { ino, fd };
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    if (sync) fsyncSync(fd);
    closeSync(fd);
    return { ino };
  } catch (error) {
    closeSync(fd);
    unlinkSync(path);
    throw error;
  }
}

/**
 * Gives what stands beside a place its name. Where nothing is believed to be, what appeared there in this very moment is
 * never covered: `false`.
 */
export function giveName({ dir, name }: Place, id: string, ino: number, covers: boolean): Stat | false {
  const path = inside(dir, name);
  const beside = inside(dir, id);
  if (lstatSync(beside).ino !== ino) throw new Blocked("ESTALE", "what was written for it was exchanged");
  if (covers) renameSync(beside, path);
  else if (!linkNew(beside, path)) return false;
  return statOf(lstatSync(path), Date.now());
}

/** `false` where something stands there already. */
function linkNew(beside: string | Buffer, path: string | Buffer): boolean {
  try {
    linkSync(beside, path);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (!NO_LINKS.has(errorCode(error))) throw error;
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
    renameSync(beside, path);
    return true;
  }
  unlinkSync(beside);
  return true;
}

/** `false` where there is still something in it. */
export function removeDirectory({ dir, name }: Place): boolean {
  try {
    rmdirSync(inside(dir, name));
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOTEMPTY" || errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** By a handle on what stands there, so that no link and no other file is meant; `undefined` where it isn't of this kind. */
export function setMode(place: Place, kind: "file" | "dir", mode: number): Stat | undefined {
  return handle(place, (fd) => {
    const stats = fstatSync(fd);
    // A file's other names may stand outside: it gets a copy with the mode instead.
    if (kindOf(stats.mode) !== kind || (kind === "file" && stats.nlink !== 1)) return undefined;
    chmodSync(itself(fd), keptMode(mode) | (kind === "dir" ? stats.mode & SETGID : 0));
    return statOf(fstatSync(fd), Date.now());
  });
}

export function modeOf(entry: Entry | null): number {
  return entry === null ? 0 : keptMode(entry.mode);
}

export function hashOf(entry: Entry | null): string | null {
  return entry === null || entry.kind === "dir" ? null : entry.hash;
}

/** A directory has it from the one above, or from its owner: not ours to take away. */
const SETGID = 0o2000;
const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** What a file system says that has no hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
const REASONS = new Map([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk is full"],
  ["EACCES", "it may not be written"],
  ["EPERM", "it may not be written"],
  ["EROFS", "the disk can't be written to"],
  ["EIO", "the disk refused"],
  ["EISDIR", "a directory is in the way"],
  ["ENOTDIR", "something that is no directory is in the way"],
  ["ENOTEMPTY", "a directory with something in it is in the way"],
  ["EEXIST", "something is in the way"],
  ["ENOENT", "its directory is missing"],
  ["ENAMETOOLONG", "its name is too long for this disk"],
  ["EBUSY", "it is in use by the system"],
]);
