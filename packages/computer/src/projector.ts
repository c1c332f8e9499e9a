import { type Envelope, recognise } from "@choiros/contract";
import { type Contents, type Log, LogError, messageOf } from "@choiros/log";
import { changesOf, hasChanges } from "./change-list.ts";
import type { State } from "./state/state.ts";

/** After a failure: the disk may have room again, or be back. */
const RETRY_MS = [100, 500, 2000, 5000];

/**
 * Follows the log and keeps the state up with it. A state that can't be written for now (a full disk) is tried again and
 * catches up by itself; whoever waits for it meanwhile is told.
 */
export class Projector {
  readonly #log: Log;
  readonly #contents: Contents;
  readonly #state: State;
  readonly #stop = new AbortController();
  readonly #waiting = new Set<{ seq: number; resolve(): void; reject(error: unknown): void }>();
  readonly #running: Promise<void>;

  constructor(log: Log, contents: Contents, state: State) {
    this.#log = log;
    this.#contents = contents;
    this.#state = state;
    this.#running = this.#run();
  }

  /** Resolves when the state has this event; rejects where it can't be written for now. */
  async reached(seq: number): Promise<void> {
    if (this.#state.appliedSeq >= seq) return;
    if (this.#stop.signal.aborted) throw new LogError("closed", "the computer is closed");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add({ seq, resolve, reject });
    return promise;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    this.#fail(new LogError("closed", "the computer is closed"));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        for await (const event of this.#log.subscribe({ from: this.#state.appliedSeq + 1, signal })) {
          await this.#apply(event);
          failures = 0;
        }
        if (!signal.aborted) return; // the log was closed
      } catch (error) {
        const code = error instanceof LogError ? error.code : "io";
        this.#fail(new LogError(code, `the state can't follow the log: ${messageOf(error)}`, error));
        await waited(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, signal);
      }
    }
  }

  async #apply(event: Envelope): Promise<void> {
    const known = recognise(event);
    const changes = known.ok && hasChanges(known.value) ? changesOf(this.#contents, known.value) : undefined;
    await this.#state.apply(changes === undefined ? { event } : { event, changes });
    for (const waiting of this.#waiting) {
      if (waiting.seq > event.seq) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting.clear();
  }
}

async function waited(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
