import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";

/** What is counted, and hit. The numbers are those of faults.c. */
export const Operation = {
  write: 1,
  sync: 2,
  truncate: 4,
  rename: 8,
  create: 16,
  remove: 32,
  link: 64,
  read: 128,
  mode: 256,
  /** Of what is there already. */
  open: 512,
};

/** Whatever changes something. */
export const CHANGING = Object.values(Operation).reduce((sum, one) => sum + one, 0) - Operation.read - Operation.open;

const Fault = { EIO: 1, ENOSPC: 2, short: 3, "kill-before": 4, "kill-halfway": 5, "kill-after": 6 } as const;

export interface FaultOrder {
  /** The operation that is hit, from 1. */
  readonly at: number;
  readonly fault: keyof typeof Fault;
  /** Each one from `at` on, until disarmed; after a short write there is no space then. */
  readonly lasting?: boolean;
  /** Of `Operation`, added up. */
  readonly operations: number;
}

export interface FaultCount {
  readonly operations: number;
  readonly hits: number;
  /** The first one that was hit, as `fdatasync /log.sqlite-wal`. */
  readonly what: string;
}

const SIZE = 256;
const COUNTED = 20;
const WHAT = 32;

/** The file through which a program that runs with `faults.c` is told what to let fail. */
export class FaultControl {
  readonly path: string;
  readonly #fd: number;

  constructor(path: string) {
    this.path = path;
    this.#fd = openSync(path, constants.O_RDWR | constants.O_CREAT); // never cut off: it may be mapped already
    writeSync(this.#fd, new Uint8Array(SIZE), 0, SIZE, 0);
  }

  arm({ at, fault, lasting = false, operations }: FaultOrder): void {
    const order = new Uint32Array([0, at, Fault[fault], lasting ? 1 : 0, operations, 0, 0, 0]);
    const bytes = new Uint8Array(SIZE);
    bytes.set(new Uint8Array(order.buffer));
    writeSync(this.#fd, bytes, 0, SIZE, 0);
    this.#arm(1);
  }

  disarm(): void {
    this.#arm(0);
  }

  /** Until `resume`, nothing fails and nothing is counted. */
  pause(): void {
    this.#arm(0);
  }

  resume(): void {
    this.#arm(1);
  }

  /** Since it was armed. */
  count(): FaultCount {
    const bytes = Buffer.alloc(SIZE);
    readSync(this.#fd, bytes, 0, SIZE, 0);
    const what = bytes.subarray(WHAT).toString("utf8").replace(/\0.*/s, "");
    return { operations: bytes.readUInt32LE(COUNTED), hits: bytes.readUInt32LE(COUNTED + 4), what };
  }

  close(): void {
    closeSync(this.#fd);
  }

  #arm(armed: 0 | 1): void {
    writeSync(this.#fd, new Uint32Array([armed]), 0, 4, 0);
  }
}

/** Compiles `faults.c`. Where there is no compiler, what it says is what has to be put right. */
export function compileFaults(folder: string): string {
  const library = join(folder, "faults.so");
  const source = join(import.meta.dirname, "faults.c");
  try {
    execFileSync("cc", ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, source, "-ldl"]);
  } catch (error) {
    throw new Error("faults.c can't be compiled: `npm test` and `npm run torture` install what it takes (gcc)", {
      cause: error,
    });
  }
  return library;
}

/** For a program whose operations below `watched` are to fail as `control` says. */
export function faultEnvironment(
  library: string,
  watched: string,
  control: string,
  trace?: string,
): Record<string, string> {
  return {
    ...(trace !== undefined && { CHOIR_FAULTS_TRACE: trace }),
    LD_PRELOAD: library,
    CHOIR_FAULTS_FOLDER: watched,
    CHOIR_FAULTS_CONTROL: control,
    UV_USE_IO_URING: "0", // it would go past libc
  };
}
