import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { SearchedText, SearchHit, Wanted } from "./search-port.ts";

/** A thread that looks through texts for one pattern. Whoever opens it closes it. */
export class TextSearch {
  readonly #worker: Worker;

  constructor(wanted: Wanted) {
    const entry = new URL("./search-thread.ts", import.meta.url);
    this.#worker = new Worker(entry, { workerData: wanted, resourceLimits: { maxOldGenerationSizeMb: MOST_MB } });
    this.#worker.on("error", () => {}); // whoever looks is told
  }

  /** What is found; `undefined` where it took longer than that, or `signal` ended it. Then it is over with this search. */
  async look(
    texts: readonly SearchedText[],
    ms: number,
    signal: AbortSignal,
  ): Promise<readonly SearchHit[] | undefined> {
    const end = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(ms))]);
    try {
      const answer = once(this.#worker, "message", { signal: end });
      this.#worker.postMessage(texts);
      const [hits] = await answer;
      return hits;
    } catch (error) {
      if (!end.aborted) throw error;
      await this.close();
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

const MOST_MB = 256;
