import { fstatSync, utimesSync } from "node:fs";
import { errorCode } from "./folder-error.ts";
import { handle, itself, type Walk } from "./root.ts";
import type { Noted, Seen } from "./seen.ts";
import { type Stat, sameStat, statOf } from "./stat.ts";

/** When a file was last written by somebody whose work is in the folder by now, and what it was then. */
export interface Timed {
  readonly key: string;
  readonly hash: string;
  /** As in `Stat`. */
  readonly mtime: number;
}

/** Gives files their times, each where just that stands which had it. What else there is has a time of its own. */
export function setTimes(walk: Walk, seen: Seen, items: readonly Timed[]): void {
  const noted: Noted[] = [];
  for (const { key, hash, mtime } of items) {
    const row = seen.get(key);
    if (row?.hash !== hash || row.stat.mtime === mtime) continue;
    const stat = setTime(walk, key, row.stat, mtime);
    if (stat !== undefined) noted.push({ key, seen: { hash, stat } });
  }
  if (noted.length > 0) seen.note(noted);
}

/** `undefined` where something else stands there, or it may not be done: then it keeps the time it has. */
function setTime(walk: Walk, key: string, expected: Stat, mtime: number): Stat | undefined {
  const place = walk.place(key);
  if ("miss" in place) return undefined;
  try {
    return handle(place, (fd) => {
      const stats = fstatSync(fd);
      if (!sameStat(statOf(stats, 0), expected)) return undefined;
      utimesSync(itself(fd), stats.atimeMs / 1000, mtime / 1000);
      return statOf(fstatSync(fd), Date.now());
    });
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return undefined;
  }
}
