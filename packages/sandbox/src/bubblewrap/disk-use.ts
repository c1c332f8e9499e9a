import { execFile } from "node:child_process";
import { lstatSync, readdirSync, statfsSync, statSync } from "node:fs";

/** The unit that `find` counts blocks in. */
const BLOCK_BYTES = 512;
const FEW = 200;
const SLASH = Buffer.from("/");

/** Where a command can write what stays. */
export interface Places {
  readonly folders: readonly string[];
  /** Nobody else writes there, and nothing was there before: the upper directory of its overlay. */
  readonly own: boolean;
}

/** What one command takes of the disk, from when this is made. */
export class DiskUse {
  readonly #places: Places;
  readonly #since = Date.now();
  readonly #freeAtStart: readonly number[];

  constructor(places: Places) {
    this.#places = places;
    this.#freeAtStart = places.folders.map(freeBytes);
  }

  /** How much less room there is than at its start. Others take room and free it too: no more than a hint. */
  lost(): number {
    return Math.max(0, ...this.#places.folders.map((folder, i) => (this.#freeAtStart[i] ?? 0) - freeBytes(folder)));
  }

  /**
   * What it wrote that has a name: everything new takes room, a link and a directory too. A file counts by its size or by
   * its blocks, whichever is more: one with holes is read, kept and landed without them.
   */
  async written(): Promise<number> {
    const { folders, own } = this.#places;
    const few = own ? writtenIfFew(folders) : undefined;
    if (few !== undefined) return few;
    const since = this.#since / 1000;
    const newer = own ? [] : ["-newerct", `@${since}`];
    const lines = await asOwner("find", [...folders, "-xdev", ...newer, "-printf", "%T@ %s %b\n"]);
    let [written, touched] = [0, 0];
    for (const line of lines) {
      const [modified = 0, size = 0, blocks = 0] = line.split(" ").map(Number);
      const bytes = taken(size, blocks);
      if (own || modified >= since) written += bytes;
      else touched += bytes;
    }
    // In place, what only has another mode or name takes nothing; what is only said to be old does, and that shows.
    return written + Math.min(touched, this.lost());
  }

  /** Files without a name take room for as long as a process has them open: `opened` are such processes' folders. */
  async unnamed(opened: readonly string[], areas: readonly string[]): Promise<number> {
    // An overlay may show a file with its own device, or with that of the upper directory.
    const devices = new Set([...areas, ...this.#places.folders].map(deviceOf));
    const lines = await linesOf("find", ["-L", ...opened, "-maxdepth", "1", "-links", "0", "-printf", "%D %i %b\n"]);
    return [...new Set(lines)].reduce((sum, line) => {
      const [device, , blocks] = line.split(" ");
      return devices.has(device) ? sum + Number(blocks) * BLOCK_BYTES : sum;
    }, 0);
  }
}

/** What is in them, looked at here and now; `undefined` where it is more than most commands leave, or can't be seen by us. */
function writtenIfFew(folders: readonly string[]): number | undefined {
  const waiting = folders.map((folder) => Buffer.from(folder));
  let [bytes, seen] = [0, 0];
  try {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const child of readdirSync(folder, { withFileTypes: true, encoding: "buffer" })) {
        if (++seen > FEW) return undefined;
        const path = Buffer.concat([folder, SLASH, child.name]);
        const { size, blocks } = lstatSync(path);
        bytes += taken(size, blocks);
        if (child.isDirectory()) waiting.push(path);
      }
    }
    return bytes;
  } catch {
    return undefined; // it comes and goes, or is closed to its owner: a program of its own finds out
  }
}

function taken(size: number, blocks: number): number {
  return Math.max(size, blocks * BLOCK_BYTES);
}

function freeBytes(folder: string): number {
  try {
    const { bfree, bsize } = statfsSync(folder);
    return bfree * bsize;
  } catch {
    return 0; // no such folder: nothing is written there
  }
}

function deviceOf(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.dev.toString();
}

/** Who isn't root can't look into a directory that is closed even to its owner, but in a user namespace. */
function asOwner(program: string, args: readonly string[]): Promise<string[]> {
  if (process.getuid?.() === 0) return linesOf(program, args);
  return linesOf("unshare", ["--user", "--map-root-user", "--", program, ...args]);
}

/** By a program of its own, which holds up nobody here. Of what comes and goes it complains, and tells the rest. */
async function linesOf(program: string, args: readonly string[]): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(program, args, { maxBuffer: 2 ** 28 }, (_, stdout) => resolve(stdout));
  return (await promise).split("\n").filter((line) => line !== "");
}
