import { setImmediate as soon, setTimeout as wait } from "node:timers/promises";
import { signalOf } from "../command.ts";
import type { LimitName, Limits } from "../limits.ts";
import type { Ended } from "../sandbox.ts";
import { SandboxError } from "../sandbox-error.ts";
import { DiskUse, type Places } from "./disk-use.ts";
import type { Group } from "./groups.ts";
import { startOf } from "./owner.ts";
import type { Status } from "./status.ts";
import { Watch } from "./watch.ts";

/** A process that was started, and what is known of it. */
export interface Child {
  readonly pid: number;
  /** With its exit code, or nothing where a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Once the first process inside is there, or the whole is over. */
  readonly begun: Promise<void>;
  status(): Status;
  /** What it had to say where it never came to start the command. */
  complaint(): string;
}

export interface LifeOptions {
  readonly child: Child;
  readonly limits: Limits;
  readonly group: Group | undefined;
  readonly places: Places;
  /** After everything, however it ended. */
  readonly cleanUp: () => void;
}

/** As a shell tells it. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;
/** In the words of the C library, which are always these: the chain has no other language. */
const NOTHING_THERE = /: No such file or directory$/;
const QUICK_LOOKS = 20;

/** One command from its start to its end. */
export class Life {
  readonly ended: Promise<Ended>;
  readonly #options: LifeOptions;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #disk: DiskUse;
  #watch: Watch | undefined;
  #init: Init | undefined;
  #over = false;
  #why: "killed" | LimitName | undefined;

  constructor(options: LifeOptions) {
    this.#options = options;
    this.#disk = new DiskUse(options.places);
    const { timeMs } = options.limits;
    // Longer than a timer can wait is no limit.
    if (timeMs < 2 ** 31) this.#timer = setTimeout(() => this.stop("time"), timeMs).unref();
    this.ended = this.#live();
    this.ended.catch(() => {}); // told to whoever asks
  }

  /** Resolves once something runs inside. */
  async begun(): Promise<void> {
    await this.#options.child.begun;
    if (this.#init === undefined) await this.ended;
  }

  async kill(): Promise<void> {
    this.stop("killed");
    await this.ended.catch(() => {}); // not even started: nothing of it runs
  }

  /**
   * The first process inside takes all others with it. Where it isn't there yet, what would start it ends. Nothing where
   * it has ended: the numbers may be others' by then.
   */
  stop(why: "killed" | LimitName): void {
    if (this.#over) return;
    this.#why ??= why;
    if (this.#init === undefined) tryKill(this.#options.child.pid);
    else if (isThere(this.#init)) tryKill(this.#init.pid);
  }

  async #live(): Promise<Ended> {
    const { child, limits, group, cleanUp } = this.#options;
    try {
      await child.begun;
      const { init } = child.status();
      if (init !== undefined) {
        this.#init = { pid: init, start: startOf(init) };
        const disk = this.#disk;
        this.#watch = new Watch({ init, limits, group, disk, onReached: (limit) => this.stop(limit) });
        if (this.#why !== undefined) tryKill(init);
      }
      const exit = await child.exited;
      this.#over = true;
      await this.#gone();
      if (this.#init !== undefined && this.#why === undefined && (await this.#leftTooMuch())) this.#why = "disk";
      return this.#result(child.status().exit ?? null, exit);
    } finally {
      clearTimeout(this.#timer);
      this.#watch?.stop();
      group?.remove();
      cleanUp();
    }
  }

  /** Bubblewrap may be over a moment before the last process inside. */
  async #gone(): Promise<void> {
    const init = this.#init;
    for (let looks = 0; init !== undefined && isThere(init); looks++) {
      tryKill(init.pid);
      await (looks < QUICK_LOOKS ? soon() : wait(1));
    }
  }

  /** What was written between the last look and the end, which may be all of it. */
  async #leftTooMuch(): Promise<boolean> {
    const { diskBytes } = this.#options.limits;
    return Number.isFinite(diskBytes) && (await this.#disk.written()) >= diskBytes;
  }

  #result(exit: number | null, code: number | null): Ended {
    const { child, group } = this.#options;
    const engine = "bubblewrap";
    const limit = this.#why === undefined ? group?.reached() : this.#why;
    if (limit === "killed") return { how: "killed", exit: null, engine };
    if (limit !== undefined) return { how: "limit", exit: null, limit, engine };
    if (exit !== null) return { how: "exited", exit, ...signalOf(exit), engine };
    const complaint = child.complaint().trim();
    if (/execvp .*: |failed to execute/.test(complaint)) {
      return { how: "exited", exit: NOTHING_THERE.test(complaint) ? NOT_FOUND : NOT_RUNNABLE, engine };
    }
    if (this.#init !== undefined && code === null) return { how: "killed", exit: null, engine };
    const why = complaint || (code === null ? "a signal ended it" : `it ended with ${code}`);
    throw new SandboxError("start", `The command could not be started in a sandbox: ${why}`);
  }
}

/** The first process inside, so that no other can be taken for it. */
interface Init {
  readonly pid: number;
  readonly start: string | undefined;
}

function isThere({ pid, start }: Init): boolean {
  return start !== undefined && startOf(pid) === start;
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it ended by itself
  }
}
