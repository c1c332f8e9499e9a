import { Worker } from "node:worker_threads";
import { listSnapshots, removeSnapshot } from "./snapshot-file.ts";
import type { Applied } from "./state-file.ts";

export type SnapshotJob =
  | { readonly folder: string; readonly state: string }
  | { readonly folder: string; readonly seq: number };

/** After so many events a snapshot is worth its while; at the end, when nobody waits, after fewer. */
const EVENTS_BETWEEN = 20_000;
const EVENTS_AT_CLOSE = 2000;

/** Takes snapshots of one state, on a thread that lives as long as it takes: the one that everybody shares goes on. */
export class Snapshots {
  readonly #folder: string;
  readonly #state: string;
  readonly #report: (trouble: string) => void;
  #last: number;
  #taking: Promise<void> | undefined;

  constructor(folder: string, state: string, report: (trouble: string) => void) {
    this.#folder = folder;
    this.#state = state;
    this.#report = report;
    this.#last = listSnapshots(folder)[0] ?? 0;
  }

  /** Takes one in the background where enough has happened since the last. */
  note(seq: number): void {
    if (this.#taking === undefined && seq - this.#last >= EVENTS_BETWEEN) void this.take(seq);
  }

  async atClose(seq: number): Promise<void> {
    await this.#taking;
    if (seq - this.#last >= EVENTS_AT_CLOSE) await this.take(seq);
  }

  async removeAll(): Promise<void> {
    await this.#taking;
    for (const seq of listSnapshots(this.#folder)) removeSnapshot(this.#folder, seq);
    this.#last = 0;
  }

  /** Takes one now. It is only there to save time: where that fails, it is said, and tried after as many events again. */
  async take(seq: number): Promise<void> {
    this.#last = seq;
    this.#taking = inThread({ folder: this.#folder, state: this.#state }).then(
      () => {},
      (error: unknown) =>
        this.#report(`no snapshot of the state could be taken: ${error instanceof Error ? error.message : error}`),
    );
    await this.#taking;
    this.#taking = undefined;
  }
}

/** Whether a snapshot is what was taken, and after which event. */
export function checkInThread(folder: string, seq: number): Promise<Applied | { readonly wrong: string }> {
  return inThread({ folder, seq });
}

function inThread(job: SnapshotJob): Promise<Applied | { readonly wrong: string }> {
  const worker = new Worker(new URL("./snapshot-thread.ts", import.meta.url), { workerData: job });
  return new Promise<Applied | { readonly wrong: string }>((resolve, reject) => {
    worker.on("message", resolve);
    worker.on("error", reject);
    worker.on("exit", () => reject(new Error("the thread ended before it was done")));
  }).finally(() => worker.terminate());
}
