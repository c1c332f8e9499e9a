import { lstatSync, readdirSync, rmdirSync } from "node:fs";
import { giveWay } from "./carry-over.ts";
import { readName } from "./names.ts";
import { inside, itself, type Walk } from "./root.ts";

export interface ClearRequest {
  /** Directories that a command removed, or made anew. */
  readonly keys: readonly string[];
  /** When it began, in milliseconds: what came or changed since stays. */
  readonly before: number;
  readonly aside: string;
}

/** What stands at a path of the folder by now, as the log has it. */
export interface Standing {
  isTracked(key: string): boolean;
  isIgnored(key: string, isDirectory: boolean): boolean;
}

/**
 * Moves aside what a command removed along with these directories, though the log doesn't know of it: what is ignored, or
 * can't be kept. A directory that only held such things goes too.
 */
export function clearAway(walk: Walk, { keys, before, aside }: ClearRequest, standing: Standing): void {
  for (const key of keys) {
    if (!clearIn(walk, key) || standing.isTracked(key)) continue;
    removeEmpty(walk, key);
  }

  /** Whether it held something, and holds nothing any more. */
  function clearIn(walk: Walk, key: string): boolean {
    const dir = walk.directory(key);
    if (typeof dir !== "number") return false;
    const children = readdirSync(itself(dir), { encoding: "latin1" }).map((name) => `${key}/${readName(name).part}`);
    return children.filter((child) => !clearOne(walk, child)).length === 0 && children.length > 0;
  }

  function clearOne(walk: Walk, key: string): boolean {
    const place = walk.place(key);
    if ("miss" in place) return false;
    const stats = lstatSync(inside(place.dir, place.name));
    const isDirectory = stats.isDirectory();
    if (standing.isTracked(key)) {
      if (isDirectory) clearIn(walk, key);
      return false;
    }
    const isOdd = !isDirectory && !stats.isFile() && !stats.isSymbolicLink();
    if (isOdd || standing.isIgnored(key, isDirectory)) {
      return giveWay(walk, key, { before, aside });
    }
    if (!isDirectory || !clearIn(walk, key)) return false;
    removeEmpty(walk, key);
    return true;
  }
}

function removeEmpty(walk: Walk, key: string): void {
  const place = walk.place(key);
  if ("miss" in place) return;
  rmdirSync(inside(place.dir, place.name));
  walk.reset();
}
