import { Thread } from "@choiros/log";
import type { ComputerOperations } from "./operations.ts";

/**
 * The way to the thread where computers keep their state and their folders: everything there blocks. One thread serves
 * every computer of the process, as one serves their logs. It starts with the first and ends with the last.
 */
export class ComputerThread extends Thread<ComputerOperations> {
  static #shared: ComputerThread | undefined;
  static #nextTarget = 1;

  #targets = 0;

  /** The thread, and a number for what is about to be opened there. */
  static take(): { thread: ComputerThread; target: number } {
    if (ComputerThread.#shared === undefined || ComputerThread.#shared.lost)
      ComputerThread.#shared = new ComputerThread();
    ComputerThread.#shared.#targets++;
    return { thread: ComputerThread.#shared, target: ComputerThread.#nextTarget++ };
  }

  /** The counterpart of `take`, once that is closed there or could not be opened. */
  async give(): Promise<void> {
    if (--this.#targets > 0) return;
    if (ComputerThread.#shared === this) ComputerThread.#shared = undefined;
    await this.end();
  }

  private constructor() {
    super(new URL("./thread-entry.ts", import.meta.url));
  }
}
