import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, type Stats, unlinkSync } from "node:fs";
import { join } from "node:path";
import { errorCode, errorText } from "./folder-error.ts";
import { readName } from "./names.ts";
import { handle, inside, itself, type Place, type Root, type Walk } from "./root.ts";

export interface CarryRequest {
  readonly keys: readonly string[];
  /** Directories that the layer has in place of those in the folder; any other is what was changed in them. */
  readonly replaced: ReadonlySet<string>;
  /** A folder that nobody else reaches, on the same file system: what gives way is moved there. */
  readonly aside: string;
  /** When the command began, in milliseconds of the disk's clock: what came or changed since isn't deleted. */
  readonly before: number;
}

/** What is left to do, and what could not be done. */
export interface Carried {
  readonly left: readonly string[];
  readonly failed: readonly { readonly key: string; readonly why: string }[];
}

/**
 * Brings what is ignored from a layer into the folder: by rename, so that its size doesn't matter. What stands in its
 * place is first moved aside, where nobody can exchange it for a link while it is removed.
 */
export function carryOver(layer: Root, folder: Root, request: CarryRequest, budgetMs: number): Carried {
  const failed: { key: string; why: string }[] = [];
  const left = inTime(layer, folder, request.keys, budgetMs, (from, to, key) => {
    try {
      return carryOne(from, to, key, request);
    } catch (error) {
      if (errorCode(error) === "") throw error;
      failed.push({ key, why: errorText(error) });
      return [];
    }
  });
  return { left, failed };
}

/** The layer's directories at these keys, and below them those that the folder has, too. */
export function sharedDirectories(layer: Root, folder: Root, keys: readonly string[], budgetMs: number) {
  const shared: string[] = [];
  const left = inTime(layer, folder, keys, budgetMs, (from, to, key) => {
    if (typeof from.directory(key) !== "number") return [];
    shared.push(key);
    return typeof to.directory(key) === "number" ? childrenOf(from, key) : [];
  });
  return { shared, left };
}

/** To where nobody else reaches it; removed with what else is there. */
function moveAside(place: Place, stats: Stats, aside: string): void {
  move(place, stats, join(aside, randomBytes(8).toString("hex")));
}

/** Moves aside what stands at a path, but for what came or changed since. Whether nothing is left there. */
export function giveWay(walk: Walk, key: string, request: Pick<CarryRequest, "aside" | "before">): boolean {
  const place = walk.place(key);
  const stats = statsAt(walk, key);
  if ("miss" in place || stats === undefined) return true;
  if (!isNewer(walk, key, stats, request.before)) {
    moveAside(place, stats, request.aside);
    if (stats.isDirectory()) walk.reset();
    return true;
  }
  if (!stats.isDirectory()) return false;
  const left = childrenOf(walk, key).filter((child) => !giveWay(walk, child, request));
  if (left.length > 0) return false;
  const now = walk.place(key);
  if (!("miss" in now)) rmdirSync(inside(now.dir, now.name));
  walk.reset();
  return true;
}

/** Whether it, or anything in it, came or changed since. */
function isNewer(walk: Walk, key: string, stats: Stats, before: number): boolean {
  if (stats.ctimeMs >= before) return true;
  if (!stats.isDirectory()) return false;
  return childrenOf(walk, key).some((child) => {
    const found = statsAt(walk, child);
    return found !== undefined && isNewer(walk, child, found, before);
  });
}

/** A directory that its owner may not write to can't change its place: it may meanwhile. */
function move(from: Place, stats: Stats, to: string | Buffer, then?: Place): void {
  const isShut = stats.isDirectory() && (stats.mode & 0o200) === 0;
  const setMode = (place: Place, mode: number) => handle(place, (fd) => chmodSync(itself(fd), mode));
  if (isShut) setMode(from, stats.mode | 0o200);
  renameSync(inside(from.dir, from.name), to);
  if (isShut && then !== undefined) setMode(then, stats.mode);
}

/** Does the work for each key, and then for those it comes to; gives back what there was no time for. */
function inTime(
  layer: Root,
  folder: Root,
  keys: readonly string[],
  budgetMs: number,
  work: (from: Walk, to: Walk, key: string) => readonly string[],
): string[] {
  const end = performance.now() + budgetMs;
  const left = [...keys];
  layer.walk((from) =>
    folder.walk((to) => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) {
        left.push(...work(from, to, key));
        if (performance.now() > end) break;
      }
    }),
  );
  return left;
}

/** The keys below it that are to be carried over one by one. */
function carryOne(from: Walk, to: Walk, key: string, request: CarryRequest): string[] {
  const source = from.place(key);
  if ("miss" in source) return []; // went with its directory
  const layered = lstatSync(inside(source.dir, source.name));
  const standing = statsAt(to, key);
  const isMerged = layered.isDirectory() && !request.replaced.has(key);
  if (isMerged && standing?.isDirectory()) return childrenOf(from, key);
  if (isWhiteout(layered)) {
    giveWay(to, key, request);
    unlinkSync(inside(source.dir, source.name));
    return [];
  }
  if (standing?.isDirectory() && !giveWay(to, key, request)) {
    if (layered.isDirectory()) return childrenOf(from, key); // beside what came since
    throw Object.assign(new Error("somebody put something into it"), { code: "ENOTEMPTY" });
  }
  if (isMerged) dropWhiteouts(from, key); // what they took away went with the directory itself
  carry(from, to, key, layered, request);
  return [];
}

function carry(from: Walk, to: Walk, key: string, layered: Stats, { aside }: CarryRequest): void {
  const [source, target] = [from.place(key), to.place(key)];
  for (const place of [source, target]) {
    if ("miss" in place) throw Object.assign(new Error(place.why), { code: place.miss });
  }
  if ("miss" in source || "miss" in target) return;
  const standing = lstatSync(inside(target.dir, target.name), { throwIfNoEntry: false });
  if (standing !== undefined) moveAside(target, standing, aside);
  move(source, layered, inside(target.dir, target.name), target);
  if (layered.isDirectory()) from.reset();
}

/** How an overlay notes that something is no more. */
function isWhiteout(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0;
}

function dropWhiteouts(walk: Walk, key: string): void {
  for (const child of childrenOf(walk, key)) {
    const place = walk.place(child);
    if ("miss" in place) continue;
    const stats = lstatSync(inside(place.dir, place.name));
    if (isWhiteout(stats)) unlinkSync(inside(place.dir, place.name));
    else if (stats.isDirectory()) dropWhiteouts(walk, child);
  }
}

function statsAt(walk: Walk, key: string): Stats | undefined {
  const place = walk.place(key);
  return "miss" in place ? undefined : lstatSync(inside(place.dir, place.name), { throwIfNoEntry: false });
}

function childrenOf(walk: Walk, key: string): string[] {
  const dir = walk.directory(key);
  if (typeof dir !== "number") return [];
  return readdirSync(itself(dir), { encoding: "latin1" }).map((name) => `${key}/${readName(name).part}`);
}
