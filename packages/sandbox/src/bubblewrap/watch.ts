import { readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LimitName, Limits } from "../limits.ts";
import { HOME_INSIDE } from "../sandbox.ts";
import { AREAS, MEMORY_DISKS } from "./arguments.ts";
import type { DiskUse } from "./disk-use.ts";
import type { Group } from "./groups.ts";

const LEAST_MS = 50;
/** So much longer than a look takes, the next one waits: looking costs a twenty-fifth of a core at most. */
const PATIENCE = 25;
/** How often the machine's tasks are counted, which is one small file: a fork bomb can be over before the next look. */
const COUNT_MS = 5;
/** All files are walked through so often at least: the disk doesn't lose room by files with holes, nor by what others free. */
const WALK_MS = 2000;
const TMPFS = 0x01021994;

export interface Watched {
  /** The first process inside. */
  readonly init: number;
  readonly limits: Limits;
  readonly group: Group | undefined;
  readonly disk: DiskUse;
  readonly onReached: (limit: LimitName) => void;
}

/** Looks from time to time whether a command ran into a limit that the kernel doesn't tell of by itself. */
export class Watch {
  readonly #watched: Watched;
  #walked = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #counting: NodeJS.Timeout | undefined;
  /** With so many tasks on the whole machine, this command may be at its limit. */
  #suspicious = Number.POSITIVE_INFINITY;
  #ready = false;
  #ended = false;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#wait(LEAST_MS);
    if (watched.group === undefined && Number.isFinite(watched.limits.processes)) {
      this.#expect(0, tasksOfMachine());
      this.#counting = setInterval(() => this.#count(), COUNT_MS).unref();
    }
  }

  stop(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearInterval(this.#counting);
  }

  #count(): void {
    if (tasksOfMachine() < this.#suspicious || !this.#settled()) return;
    const limit = this.#processesReached();
    if (limit !== undefined) this.#reached(limit);
  }

  /** It had so many tasks, of so many. Once half of what is left to it was begun, by whomever, it is looked at again. */
  #expect(tasks: number, ofAll: number): void {
    this.#suspicious = ofAll + (this.#watched.limits.processes - tasks) / 2;
  }

  #reached(limit: LimitName): void {
    this.stop();
    this.#watched.onReached(limit);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => void this.#look(), ms).unref();
  }

  async #look(): Promise<void> {
    const start = performance.now();
    const limit = this.#settled() ? (this.#processesReached() ?? (await this.#diskReached())) : undefined;
    if (this.#ended) return;
    if (limit !== undefined) return this.#reached(limit);
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
    const all = tasksOfMachine();
    const processes = processesIn(init);
    // Before each of them is looked at, for by then those of a fork bomb may be gone.
    if (group === undefined && processes.length >= limits.processes) return "processes";
    if (processes.some((proc) => openFiles(proc) >= limits.openFiles)) return "open-files";
    if (group !== undefined) return undefined;
    const used = processes.map(usedBy);
    const tasks = used.reduce((sum, { threads }) => sum + threads, 0);
    if (tasks >= limits.processes) return "processes";
    this.#expect(tasks, all);
    const inMemory = MEMORY_DISKS.reduce((sum, path) => sum + usage(`/proc/${init}/root${path}`).used, 0);
    return used.reduce((sum, { memory }) => sum + memory, inMemory) > limits.memoryBytes ? "memory" : undefined;
  }

  async #diskReached(): Promise<LimitName | undefined> {
    const { init, limits, disk } = this.#watched;
    if (!Number.isFinite(limits.diskBytes)) return undefined;
    const disks = MEMORY_DISKS.map((path) => usage(`/proc/${init}/root${path}`));
    if (disks.some(({ full }) => full)) return "disk";
    const inMemory = disks.reduce((sum, { used }) => sum + used, 0);
    // Sooner where the disk lost room: most commands write little.
    const due = performance.now() - this.#walked > WALK_MS;
    if (!due && disk.lost() + inMemory < limits.diskBytes / 2) return undefined;
    const opened = processesIn(init).map((proc) => join(proc, "fd"));
    const areas = AREAS.map((area) => `/proc/${init}/root${join(HOME_INSIDE, area)}`);
    const [written, unnamed] = await Promise.all([disk.written(), disk.unnamed(opened, areas)]);
    this.#walked = performance.now();
    return inMemory + written + unnamed >= limits.diskBytes ? "disk" : undefined;
  }
}

/** Of everybody. As control groups count: a thread is one more. */
function tasksOfMachine(): number {
  return Number(/ \d+\/(\d+) /.exec(readFileSync("/proc/loadavg", "latin1"))?.[1] ?? Number.POSITIVE_INFINITY);
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

function isTmpfs(folder: string): boolean {
  try {
    return statfsSync(folder).type === TMPFS;
  } catch {
    return false; // not there yet
  }
}
