import { Worker } from "node:worker_threads";
import { LogError } from "../log-error.ts";
import type { Answer, Call, Failure, Operation, Operations } from "./protocol.ts";

/**
 * The way to the disk's thread. One thread serves every store of the process: a thread per computer would cost
 * megabytes for each, and they share one disk anyway. It starts with the first store and ends with the last.
 */
export class Disk {
  static #shared: Disk | undefined;
  static #nextStore = 1;

  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #stores = 0;
  #outbox: Call[] = [];
  #inbox: Answer[] = [];
  #nextCall = 1;
  #lost: LogError | undefined;

  /** The thread, and a number for the store that is about to be opened there. */
  static take(): { disk: Disk; store: number } {
    Disk.#shared ??= new Disk();
    Disk.#shared.#stores++;
    return { disk: Disk.#shared, store: Disk.#nextStore++ };
  }

  /** The counterpart of `take`, once the store is closed or could not be opened. */
  async give(): Promise<void> {
    if (--this.#stores > 0) return;
    if (Disk.#shared === this) Disk.#shared = undefined;
    await this.#worker.terminate();
  }

  private constructor() {
    this.#worker = new Worker(new URL("./disk-thread.ts", import.meta.url));
    this.#worker.unref(); // only a call under way keeps the process alive
    this.#worker.on("message", (answers: readonly Answer[]) => this.#receive(answers));
    this.#worker.on("error", (error) => this.#lose(error));
    this.#worker.on("exit", () => this.#lose(new Error("the thread ended")));
  }

  call<Op extends Operation>(
    store: number,
    op: Op,
    request: Operations[Op]["request"],
  ): Promise<Operations[Op]["answer"]> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const number = this.#nextCall++;
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(number, { resolve: resolve as (value: unknown) => void, reject }); // answered with this op's answer
      this.#outbox.push({ number, store, op, request });
      if (this.#outbox.length === 1) queueMicrotask(() => this.#send());
      if (this.#outbox.length >= FULL_OUTBOX) this.#send();
    });
  }

  #send(): void {
    if (this.#outbox.length === 0) return;
    const calls = this.#outbox;
    this.#outbox = [];
    try {
      this.#worker.postMessage(calls);
    } catch {
      for (const call of calls) this.#sendAlone(call); // one of them can't be carried over; the others must not suffer
    }
  }

  #sendAlone(call: Call): void {
    try {
      this.#worker.postMessage([call]);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#receive([{ number: call.number, ok: false, failure: { code: "io", message } }]);
    }
  }

  /**
   * Answers are taken up in the loop's next round. Taken up at once, each would bring new calls and these new answers, and
   * the port goes on to deliver as long as there are any: nothing else would get its turn.
   */
  #receive(answers: readonly Answer[]): void {
    if (this.#inbox.length === 0) setImmediate(() => this.#settle());
    this.#inbox.push(...answers);
  }

  #settle(): void {
    const answers = this.#inbox;
    this.#inbox = [];
    for (const answer of answers) {
      const waiting = this.#waiting.get(answer.number);
      this.#waiting.delete(answer.number);
      if (answer.ok) waiting?.resolve(answer.value);
      else waiting?.reject(new DiskFailure(answer.failure));
    }
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #lose(cause: Error): void {
    this.#lost ??= new LogError("io", "the thread that writes to the disk is gone: start again", cause);
    if (Disk.#shared === this) Disk.#shared = undefined;
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }
}

/** A call the thread could not carry out. Its caller knows what was being done and makes a `LogError` or a refusal of it. */
export class DiskFailure extends Error {
  override name = "DiskFailure";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Send what has gathered before there is more of it: the thread commits the first half while the second is prepared. */
const FULL_OUTBOX = 24;
