import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LimitName, Limits } from "../limits.ts";
import { HOME_INSIDE } from "../sandbox.ts";
import { AREAS, MEMORY_DISKS } from "./arguments.ts";
import type { Group } from "./groups.ts";

const LEAST_MS = 50;
/** So much longer than a look takes, the next one waits: looking costs a twenty-fifth of a core at most. */
const PATIENCE = 25;
/** The unit that `find` and `stat` count blocks in. */
const BLOCK_BYTES = 512;
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
    const processes = processesIn(init);
    if (processes.some((proc) => openFiles(proc) >= limits.openFiles)) return "open-files";
    if (group !== undefined) return undefined;
    const used = processes.map(usedBy);
    // As control groups count: a thread is one more.
    if (used.reduce((sum, { threads }) => sum + threads, 0) >= limits.processes) return "processes";
    const inMemory = MEMORY_DISKS.reduce((sum, path) => sum + usage(`/proc/${init}/root${path}`).used, 0);
    return used.reduce((sum, { memory }) => sum + memory, inMemory) > limits.memoryBytes ? "memory" : undefined;
  }

  async #diskReached(): Promise<LimitName | undefined> {
    const { init, limits, places } = this.#watched;
    if (!Number.isFinite(limits.diskBytes)) return undefined;
    const disks = MEMORY_DISKS.map((path) => usage(`/proc/${init}/root${path}`));
    if (disks.some(({ full }) => full)) return "disk";
    const inMemory = disks.reduce((sum, { used }) => sum + used, 0);
    // A walk through all files only where the disk lost room: most commands write little.
    const lost = Math.max(0, ...places.map((place, i) => (this.#freeAtStart[i] ?? 0) - freeBytes(place)));
    if (lost + inMemory < limits.diskBytes / 2) return undefined;
    const written = await writtenBytes(places, this.#since);
    if (inMemory + written > limits.diskBytes) return "disk";
    if (lost <= written) return undefined;
    return inMemory + written + (await unlinkedBytes(init, places)) > limits.diskBytes ? "disk" : undefined;
  }
}

/** By the sandbox's own /proc: its processes, and no others. */
function processesIn(init: number): string[] {
  const proc = `/proc/${init}/root/proc`;
  return namesIn(proc).flatMap((name) => (/^\d+$/.test(name) ? [join(proc, name)] : []));
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

/** Memory that no file stands behind. What several of them share is counted for each. */
function usedBy(proc: string): { threads: number; memory: number } {
  try {
    const status = readFileSync(join(proc, "status"), "latin1");
    const number = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? 0);
    return { threads: number("Threads"), memory: (number("RssAnon") + number("RssShmem")) * 1024 };
  } catch {
    return { threads: 0, memory: 0 }; // it ended meanwhile
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

/** Everything new takes room, a link and a directory too. */
async function writtenBytes(places: readonly string[], since: number): Promise<number> {
  const args = [...places, "-xdev", "-newerct", `@${since / 1000}`, "-printf", "%b\n"];
  // Who isn't root can't look into a directory that is closed even to its owner, but in a user namespace.
  const lines =
    process.getuid?.() === 0
      ? await linesOf("find", args)
      : await linesOf("unshare", ["--user", "--map-root-user", "--", "find", ...args]);
  return lines.reduce((sum, blocks) => sum + Number(blocks) * BLOCK_BYTES, 0);
}

/** Files without a name take room for as long as a process has them open. */
async function unlinkedBytes(init: number, places: readonly string[]): Promise<number> {
  const folders = processesIn(init).map((proc) => join(proc, "fd"));
  const areas = AREAS.map((area) => `/proc/${init}/root${join(HOME_INSIDE, area)}`);
  // An overlay may show a file with its own device, or with that of the upper directory.
  const devices = new Set([...areas, ...places].map(deviceOf));
  const lines = await linesOf("find", ["-L", ...folders, "-maxdepth", "1", "-links", "0", "-printf", "%D %i %b\n"]);
  return [...new Set(lines)].reduce((sum, line) => {
    const [device, , blocks] = line.split(" ");
    return devices.has(device) ? sum + Number(blocks) * BLOCK_BYTES : sum;
  }, 0);
}

function deviceOf(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.dev.toString();
}

/** By a program of its own, which holds up nobody here. Of what comes and goes it complains, and tells the rest. */
async function linesOf(program: string, args: readonly string[]): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(program, args, { maxBuffer: 2 ** 28 }, (_, stdout) => resolve(stdout));
  return (await promise).split("\n").filter((line) => line !== "");
}

function isTmpfs(folder: string): boolean {
  try {
    return statfsSync(folder).type === TMPFS;
  } catch {
    return false; // not there yet
  }
}
