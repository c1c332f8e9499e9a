import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, readdirSync, renameSync, type Stats, unlinkSync } from "node:fs";
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

/** The directories at and below these keys that the layer and the folder both have. */
export function sharedDirectories(layer: Root, folder: Root, keys: readonly string[], budgetMs: number) {
  const shared: string[] = [];
  const left = inTime(layer, folder, keys, budgetMs, (from, to, key) => {
    if (typeof from.directory(key) !== "number" || typeof to.directory(key) !== "number") return [];
    shared.push(key);
    return childrenOf(from, key);
  });
  return { shared, left };
}

/** To where nobody else reaches it; removed with what else is there. */
export function moveAside(place: Place, stats: Stats, aside: string): void {
  move(place, stats, join(aside, randomBytes(8).toString("hex")));
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
function carryOne(from: Walk, to: Walk, key: string, { replaced, aside }: CarryRequest): string[] {
  const [source, target] = [from.place(key), to.place(key)];
  if ("miss" in source) return []; // went with its directory
  if ("miss" in target) throw Object.assign(new Error(target.why), { code: target.miss });
  const layered = lstatSync(inside(source.dir, source.name));
  const standing = lstatSync(inside(target.dir, target.name), { throwIfNoEntry: false });
  if (layered.isDirectory() && standing?.isDirectory() && !replaced.has(key)) return childrenOf(from, key);
  const removed = layered.isCharacterDevice() && layered.rdev === 0;
  if (standing !== undefined) moveAside(target, standing, aside);
  if (removed) unlinkSync(inside(source.dir, source.name));
  else move(source, layered, inside(target.dir, target.name), target);
  if (layered.isDirectory()) from.reset();
  if (standing?.isDirectory()) to.reset();
  return [];
}

function childrenOf(walk: Walk, key: string): string[] {
  const dir = walk.directory(key);
  if (typeof dir !== "number") return [];
  return readdirSync(itself(dir), { encoding: "latin1" }).map((name) => `${key}/${readName(name).part}`);
}
