import { execFile } from "node:child_process";
import { chmodSync, closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { SandboxError } from "../sandbox-error.ts";

const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;

/** The pipes that one command writes to: what it is handed, and this side's ends. */
export interface CommandPipes {
  readonly descriptors: readonly [stdout: number, stderr: number];
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** Once the command has what it is handed. */
  handedOver(): void;
  /** Once nothing of the command runs any more: when all that it wrote is read, another one may have them. */
  free(): void;
  /** Where no command gets them. */
  discard(): void;
}

/**
 * Pipes that a command can open by their names, as in `tee /dev/stderr`. Those that Node makes are sockets, which can't
 * be. They have names on the disk, in a folder that no command sees, and are used again. Not for a command's input: who
 * opens such a pipe once all was written to it waits for ever.
 */
export class Pipes {
  readonly #folder: string;
  readonly #mkfifo: string;
  readonly #free: string[] = [];
  #made = 0;

  constructor(folder: string, mkfifo: string) {
    this.#folder = folder;
    this.#mkfifo = mkfifo;
  }

  async take(): Promise<CommandPipes> {
    const names = this.#free.splice(0, NEEDED);
    if (names.length < NEEDED) names.push(...(await this.#make(NEEDED - names.length)));
    const [first = "", second = ""] = names;
    const [out, err] = [outOf(first), outOf(second)];
    const descriptors = [out.theirs, err.theirs] as const;
    const ours = [out.ours, err.ours];
    const handedOver = () => {
      for (const fd of descriptors) closeSync(fd);
    };
    const closed = Promise.all(ours.map((end) => new Promise((resolve) => end.once("close", resolve))));
    return {
      descriptors,
      stdout: out.ours,
      stderr: err.ours,
      handedOver,
      free: () => void closed.then(() => this.#free.push(...names)),
      discard: () => {
        handedOver();
        for (const end of ours) end.destroy();
      },
    };
  }

  async #make(count: number): Promise<string[]> {
    const names = Array.from({ length: count }, () => join(this.#folder, `pipe-${++this.#made}`));
    try {
      await run(this.#mkfifo, ["-m", "600", ...names]);
      return names;
    } catch (error) {
      throw new SandboxError("start", "The command got no pipes to write to", error);
    }
  }
}

const run = promisify(execFile);
const NEEDED = 2;

/** Only this side's end is one that never waits: a program doesn't expect that of its own. */
function outOf(fifo: string): { theirs: number; ours: Socket } {
  return withBothEnds(fifo, () => {
    const theirs = openSync(fifo, O_WRONLY);
    return { theirs, ours: new Socket({ fd: openSync(fifo, O_RDONLY | O_NONBLOCK), readable: true, writable: false }) };
  });
}

/** Opening one end waits for the other: this is both, for the moment. */
function withBothEnds<Result>(fifo: string, open: () => Result): Result {
  // The command that had it before may have changed its mode.
  chmodSync(fifo, 0o600);
  const both = openSync(fifo, O_RDWR | O_NONBLOCK);
  try {
    return open();
  } finally {
    closeSync(both);
  }
}
