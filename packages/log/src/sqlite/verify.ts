import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { VerifyOptions, VerifyReport } from "../log.ts";
import { LogError } from "../log-error.ts";
import type { Failure } from "../thread.ts";
import { LOG_FILE } from "./places.ts";

type Message =
  | { readonly report: VerifyReport }
  | { readonly report?: never; readonly failure: Failure }
  | { readonly report?: never; readonly failure?: never; readonly done: number; readonly total: number };

/** Verifies the log in a store's folder, also one that is too damaged to open. On a thread of its own: it takes a while. */
export async function verifyInThread(dir: string, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { expect, onProgress, signal } = options;
  signal?.throwIfAborted();
  const workerData = { path: join(dir, LOG_FILE), expect };
  const worker = new Worker(new URL("./verify-thread.ts", import.meta.url), { workerData });
  return new Promise<VerifyReport>((resolve, reject) => {
    worker.on("message", (message: Message) => {
      if (message.report !== undefined) resolve(message.report);
      else if (message.failure !== undefined)
        reject(new LogError("disk-full", `can't verify the log in ${dir}: ${message.failure.message}`));
      else onProgress?.(message.done, message.total);
    });
    worker.on("error", reject);
    worker.on("exit", () => reject(new Error("the verification ended before it was done")));
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  }).finally(() => worker.terminate());
}
