import type { Sha256 } from "@choiros/contract";
import { ComputerThread } from "../thread/computer-thread.ts";
import { explain } from "./explain.ts";
import { PAGE, SLICE } from "./sizes.ts";
import type { Applied } from "./state-file.ts";
import type { StateOperations } from "./state-operations.ts";
import type { HashCursor } from "./state-reader.ts";
import { type TreeLine, treeLines } from "./state-rows.ts";

/** A state as it stands after one event, while it goes on: for who reads all of it, and would hold up everybody. */
export class FrozenState {
  /** The last event that is in it. */
  readonly seq: number;
  readonly #path: string;
  readonly #thread: ComputerThread;
  readonly #target: number;

  static async open(path: string): Promise<FrozenState> {
    const { thread, target } = ComputerThread.take();
    try {
      return new FrozenState(path, thread, target, await thread.call(target, "state.freeze", { path }));
    } catch (error) {
      await thread.give();
      throw explain(error, `${path} can't be read`);
    }
  }

  private constructor(path: string, thread: ComputerThread, target: number, { seq }: Applied) {
    this.seq = seq;
    this.#path = path;
    this.#thread = thread;
    this.#target = target;
  }

  /** SHA-256 over all that stands and stood: the same for every state that the same events made. */
  async hash(signal?: AbortSignal): Promise<Sha256> {
    for (let after: HashCursor | undefined; ; ) {
      signal?.throwIfAborted();
      const slice = await this.#call("state.frozen.hash", { after, limit: SLICE });
      if ("digest" in slice) return slice.digest;
      after = slice.next;
    }
  }

  /** What stands, in order of the keys' bytes. */
  async *lines(): AsyncGenerator<TreeLine> {
    for (let after: string | undefined; ; ) {
      const page = await this.#call("state.frozen.tree", { at: undefined, under: undefined, after, limit: PAGE });
      const lines = treeLines(page);
      yield* lines;
      if (lines.length < PAGE) return;
      after = lines.at(-1)?.key;
    }
  }

  async close(): Promise<void> {
    try {
      await this.#call("state.thaw", {});
    } finally {
      await this.#thread.give();
    }
  }

  async #call<Op extends keyof StateOperations>(
    op: Op,
    request: StateOperations[Op]["request"],
  ): Promise<StateOperations[Op]["answer"]> {
    try {
      return await this.#thread.call(this.#target, op, request);
    } catch (error) {
      throw explain(error, `could not read the state in ${this.#path}`);
    }
  }
}
