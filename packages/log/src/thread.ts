import { Worker } from "node:worker_threads";
import { LogError, type LogErrorCode } from "./log-error.ts";
import { messageOf } from "./message-of.ts";
import type { RefusalReason } from "./sqlite/refusal.ts";

/** What a thread can be asked to do, and what it answers. */
export type Operations = Record<string, { readonly request: unknown; readonly answer: unknown }>;

/** One call as it crosses over. `target` says which of the things that the thread looks after it is for. */
export type Call<Ops extends Operations, Op extends keyof Ops = keyof Ops> = {
  [Name in Op]: readonly [number: number, target: number, op: Name, request: Ops[Name]["request"]];
}[Op];

export type Answer = readonly [number: number, value: unknown] | readonly [number: number, value: null, Failure];

/** An error as it crosses between threads. */
export interface Failure {
  readonly code: LogErrorCode | RefusalReason;
  readonly message: string;
}

/** A call the thread could not carry out. Its caller knows what was being done and makes a sentence of it. */
export class ThreadFailure extends Error {
  override name = "ThreadFailure";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The way to a thread that waits for the disk, so that nobody else has to. */
export class Thread<Ops extends Operations> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #outbox: Call<Ops>[] = [];
  #inbox: Answer[] = [];
  #nextCall = 1;
  #lost: LogError | undefined;

  constructor(entry: URL) {
    // A file may be opened on one side and closed on the other: tracked, its number would be closed again when the thread
    // ends, whoever has it by then.
    this.#worker = new Worker(entry, { trackUnmanagedFds: false });
    this.#worker.unref(); // only a call under way keeps the process alive
    this.#worker.on("message", (answers: readonly Answer[]) => this.#receive(answers));
    this.#worker.on("error", (error) => this.#lose(error));
    this.#worker.on("exit", () => this.#lose(new Error("the thread ended")));
  }

  get lost(): boolean {
    return this.#lost !== undefined;
  }

  call<Op extends keyof Ops>(target: number, op: Op, request: Ops[Op]["request"]): Promise<Ops[Op]["answer"]> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const number = this.#nextCall++;
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(number, { resolve, reject });
      this.#outbox.push([number, target, op, request]);
      if (this.#outbox.length === 1) queueMicrotask(() => this.#send());
      if (this.#outbox.length >= FULL_OUTBOX) this.#send();
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
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

  #sendAlone(call: Call<Ops>): void {
    try {
      this.#worker.postMessage([call]);
    } catch (error) {
      this.#receive([[call[0], null, { code: "io", message: messageOf(error) }]]);
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
    for (const [number, value, failure] of answers) {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (failure === undefined) waiting?.resolve(value);
      else waiting?.reject(new ThreadFailure(failure));
    }
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #lose(cause: Error): void {
    this.#lost ??= new LogError("io", "the thread that writes to the disk is gone: start again", cause);
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }
}

/** Send what has gathered before there is more of it: the thread commits the first half while the second is prepared. */
const FULL_OUTBOX = 24;
