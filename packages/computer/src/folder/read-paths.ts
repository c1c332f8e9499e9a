import { closeSync, fstatSync, lstatSync, openSync, readlinkSync } from "node:fs";
import { errorCode } from "./folder-error.ts";
import { READ, readSmall, SMALL_BYTES } from "./look.ts";
import { keptMode, oddKind, sameStat, statOf } from "./stat.ts";

/** What stands at a path of this machine, outside of any computer. */
export type PathRead =
  /** As it stood at one moment. Of a link, `bytes` are where it leads. */
  | { readonly is: "file" | "link"; readonly mode: number; readonly bytes: Uint8Array }
  /** For whoever asked to read, a piece at a time: it is too large, or changed while it was read. */
  | { readonly is: "unread" }
  | { readonly is: "odd"; readonly what: string }
  /** `code` is the system's. */
  | { readonly is: "failed"; readonly code: string };

/** As many of the paths, from the first on, as fit into a slice. */
export function readPaths(paths: readonly Uint8Array[], budgetMs: number): PathRead[] {
  const end = performance.now() + budgetMs;
  const all: PathRead[] = [];
  let weight = 0;
  for (const path of paths) {
    const read = readPath(Buffer.from(path));
    all.push(read);
    weight += "bytes" in read ? read.bytes.length : 0;
    if (weight >= MAX_BYTES || performance.now() > end) break;
  }
  return all;
}

const MAX_BYTES = 4_194_304;
/** One that can't be read, or isn't there any more, or a link or a socket stands in its place. */
export const FAILURES = new Set(["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ELOOP", "ENXIO"]);

function readPath(path: Buffer): PathRead {
  try {
    const stats = lstatSync(path);
    const mode = keptMode(stats.mode);
    if (stats.isSymbolicLink()) return { is: "link", mode, bytes: new Uint8Array(readlinkSync(path, "buffer")) };
    if (!stats.isFile()) return { is: "odd", what: oddKind(stats.mode) };
    return stats.size > SMALL_BYTES ? { is: "unread" } : readFile(path);
  } catch (error) {
    const code = errorCode(error);
    if (!FAILURES.has(code)) throw error;
    return { is: "failed", code };
  }
}

function readFile(path: Buffer): PathRead {
  const fd = openSync(path, READ);
  try {
    const stat = statOf(fstatSync(fd), 0);
    const bytes = readSmall(fd);
    if (bytes.length !== stat.size || !sameStat(statOf(fstatSync(fd), 0), stat)) return { is: "unread" };
    return { is: "file", mode: keptMode(stat.mode), bytes: new Uint8Array(bytes) };
  } finally {
    closeSync(fd);
  }
}
