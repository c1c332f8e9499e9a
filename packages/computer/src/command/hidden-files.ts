import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { HOME_INSIDE, type Mount } from "@choiros/sandbox";
import { errorCode } from "../folder/folder-error.ts";
import { readName } from "../folder/names.ts";

/** What a command isn't to see: files and directories that are empty to it. */
export interface Hidden {
  readonly files: readonly string[];
  readonly dirs: readonly string[];
}

export type Hides = (key: string, kind: "file" | "dir") => boolean;

/** Where it lies on the host that a command sees in place of what is hidden. */
export interface Blanks {
  readonly file: string;
  readonly dir: string;
}

/** Something on the disk, and the key by which a command sees it, or would. */
export interface Place {
  readonly key: string;
  readonly path: Buffer;
}

/** A directory as it was right before its names were read. */
export interface Sight extends Place {
  readonly stats: Stats;
  readonly at: number;
}

/** Something that is to be hidden. */
export interface Found {
  readonly key: string;
  readonly kind: "file" | "dir";
  readonly path: Buffer;
}

/**
 * Packages that were fetched, what a program made of a source, and git's objects. People put a file of their own beside
 * them (`.git/credentials`, `venv/.env`): it is found. Deeper down there are too many of others to look at each.
 */
const OF_PROGRAMS = new Set(["node_modules", ".venv", "venv", "__pycache__", ".pnpm-store", ".git"]);

function isLookedInto(dir: string): boolean {
  return !parentOf(dir)
    .split("/")
    .some((part) => OF_PROGRAMS.has(part));
}

export function isLookedAt(key: string): boolean {
  return isLookedInto(parentOf(key));
}

function parentOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf("/")));
}

/**
 * What is to be hidden at these places and below, tracked or ignored. Links aren't followed and not hidden: what they lead to
 * is. Each directory that was looked into is among `looked` from then on; one that is there already isn't looked into again.
 */
export async function findHidden(tops: readonly Place[], hides: Hides, looked: Map<string, Sight>): Promise<Found[]> {
  const found: Found[] = [];
  const left = [...tops];
  while (left.length > 0) {
    const now = left.splice(-AT_ONCE).filter(({ key }) => !looked.has(key));
    for (const { place, is } of await Promise.all(now.map(lookAt))) {
      if (is === "file" && hides(place.key, "file")) found.push({ ...place, kind: "file" });
      if (is === "file" || is === "nothing" || !isLookedInto(place.key)) continue;
      if (is === "shut" || (place.key.includes("/") && hides(place.key, "dir"))) {
        found.push({ ...place, kind: "dir" });
        continue;
      }
      looked.set(place.key, is.sight);
      for (const child of is.children) {
        if (child.isFile && hides(child.key, "file")) found.push({ ...child, kind: "file" });
        if (!child.isFolder) continue;
        if (hides(child.key, "dir")) found.push({ ...child, kind: "dir" });
        else if (isLookedInto(child.key)) left.push(child);
      }
    }
  }
  return found;
}

export function mountsOver({ files, dirs }: Hidden, blanks: Blanks): Mount[] {
  const over = (from: string) => (key: string) => ({ from, to: join(HOME_INSIDE, key), write: false });
  return [...files.map(over(blanks.file)), ...dirs.map(over(blanks.dir))];
}

/** `shut`: it may be opened by whoever owns it, and so by a command. */
async function lookAt({ key, path }: Place) {
  const place = { key, path };
  const at = Date.now();
  try {
    const stats = await lstat(path);
    if (!stats.isDirectory()) return { place, is: stats.isFile() ? "file" : "nothing" } as const;
    const children = await childrenOf(place);
    return { place, is: { sight: { ...place, stats, at }, children } };
  } catch (error) {
    const code = errorCode(error);
    if (code === "EACCES" || code === "EPERM") return { place, is: "shut" } as const;
    if (code === "ENOENT" || code === "ENOTDIR") return { place, is: "nothing" } as const;
    throw error;
  }
}

async function childrenOf({ key, path }: Place) {
  const names = await readdir(path, { withFileTypes: true, encoding: "latin1" });
  return names.map((child) => {
    const { part } = readName(child.name);
    const bytes = Buffer.concat([path, SLASH, Buffer.from(child.name, "latin1")]);
    return { key: `${key}/${part}`, path: bytes, isFile: child.isFile(), isFolder: child.isDirectory() };
  });
}

const AT_ONCE = 32;
const SLASH = Buffer.from("/");
