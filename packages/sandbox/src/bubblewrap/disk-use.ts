import { execFile } from "node:child_process";
import { readdirSync, statfsSync, statSync } from "node:fs";

/** The unit that `find` counts blocks in. */
const BLOCK_BYTES = 512;

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
    if (own && folders.every(isEmpty)) return 0;
    const since = this.#since / 1000;
    const newer = own ? [] : ["-newerct", `@${since}`];
    const lines = await asOwner("find", [...folders, "-xdev", ...newer, "-printf", "%T@ %s %b\n"]);
    let [written, touched] = [0, 0];
    for (const line of lines) {
      const [modified = 0, size = 0, blocks = 0] = line.split(" ").map(Number);
      const bytes = Math.max(size, blocks * BLOCK_BYTES);
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

function isEmpty(folder: string): boolean {
  return readdirSync(folder).length === 0;
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
