import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LimitName, Limits } from "../limits.ts";
import { HOME_INSIDE } from "../sandbox.ts";
import { MEMORY_DISKS } from "./arguments.ts";
import type { Group } from "./groups.ts";

const LEAST_MS = 50;
/** So much longer than a look takes, the next one waits: looking costs a twenty-fifth of a core at most. */
const PATIENCE = 25;
const PAGE_BYTES = 4096;
const TMPFS = 0x01021994;

export interface Watched {
  /** The first process inside. */
  readonly init: number;
  readonly limits: Limits;
  readonly group: Group | undefined;
  /** What it can write to that stays: the upper directory, or the folder's areas. */
  readonly places: readonly string[];
  readonly onReached: (limit: LimitName) => void;
}

/** Looks from time to time whether a command ran into a limit that the kernel doesn't tell of by itself. */
export class Watch {
  readonly #watched: Watched;
  readonly #since = Date.now();
  readonly #freeAtStart: readonly number[];
  #timer: NodeJS.Timeout | undefined;
  #ready = false;
  #ended = false;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#freeAtStart = watched.places.map(freeBytes);
    this.#wait(LEAST_MS);
  }

  stop(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => void this.#look(), ms).unref();
  }

  async #look(): Promise<void> {
    const start = performance.now();
    const limit = this.#settled() ? (this.#processesReached() ?? (await this.#diskReached())) : undefined;
    if (this.#ended) return;
    if (limit !== undefined) return this.#watched.onReached(limit);
    this.#wait(Math.max(LEAST_MS, (performance.now() - start) * PATIENCE));
  }

  /** Until bubblewrap is done, the root of its first process is still the host's. */
  #settled(): boolean {
    const home = `/proc/${this.#watched.init}/root${HOME_INSIDE}`;
    this.#ready ||= isTmpfs(home);
    return this.#ready;
  }

  #processesReached(): LimitName | undefined {
    const { init, limits, group } = this.#watched;
    const told = group?.reached();
    if (told !== undefined) return told;
    // The sandbox's own /proc: its processes, and no others.
    const proc = `/proc/${init}/root/proc`;
    const pids = namesIn(proc).filter((name) => /^\d+$/.test(name));
    if (pids.some((pid) => openFiles(join(proc, pid)) >= limits.openFiles)) return "open-files";
    if (group !== undefined) return undefined;
    if (pids.length >= limits.processes) return "processes";
    const memory = pids.reduce((sum, pid) => sum + ownMemory(join(proc, pid)), 0);
    return memory > limits.memoryBytes ? "memory" : undefined;
  }

  async #diskReached(): Promise<LimitName | undefined> {
    const { init, limits, places } = this.#watched;
    if (!Number.isFinite(limits.diskBytes)) return undefined;
    const disks = MEMORY_DISKS.map((path) => usage(`/proc/${init}/root${path}`));
    if (disks.some(({ full }) => full)) return "disk";
    const inMemory = disks.reduce((sum, { used }) => sum + used, 0);
    // A walk through all files only where the disk lost room: most commands write little.
    const lost = places.map((place, i) => (this.#freeAtStart[i] ?? 0) - freeBytes(place));
    if (Math.max(0, ...lost) + inMemory < limits.diskBytes / 2) return undefined;
    return inMemory + (await writtenBytes(places, this.#since)) > limits.diskBytes ? "disk" : undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it ended meanwhile
  }
}

function openFiles(proc: string): number {
  try {
    // Since Linux 6.2 the size is the count; before, it is 0.
    return statSync(join(proc, "fd")).size || namesIn(join(proc, "fd")).length;
  } catch {
    return 0; // it ended meanwhile
  }
}

/** What it doesn't share with others. */
function ownMemory(proc: string): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(join(proc, "statm"), "latin1").split(" ").map(Number);
    return (resident - shared) * PAGE_BYTES;
  } catch {
    return 0; // it ended meanwhile
  }
}

function usage(folder: string): { used: number; full: boolean } {
  try {
    const { blocks, bfree, bsize } = statfsSync(folder);
    return { used: (blocks - bfree) * bsize, full: blocks > 0 && bfree === 0 };
  } catch {
    return { used: 0, full: false }; // it ended meanwhile
  }
}

function freeBytes(folder: string): number {
  try {
    const { bfree, bsize } = statfsSync(folder);
    return bfree * bsize;
  } catch {
    return 0; // no such folder: nothing is written there
  }
}

/** By a program of its own, which follows no link and holds up nobody here. */
async function writtenBytes(places: readonly string[], since: number): Promise<number> {
  const args = [...places, "-xdev", "-type", "f", "-newerct", `@${since / 1000}`, "-printf", "%b\n"];
  try {
    const { stdout } = await promisify(execFile)("find", args, { maxBuffer: 2 ** 28 });
    return stdout.split("\n").reduce((sum, blocks) => sum + Number(blocks) * 512, 0);
  } catch {
    return 0; // files that come and go make it complain: the next look counts again
  }
}

function isTmpfs(folder: string): boolean {
  try {
    return statfsSync(folder).type === TMPFS;
  } catch {
    return false; // not there yet
  }
}
