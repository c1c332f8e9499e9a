import { Thread } from "../thread.ts";
import type { DiskOperations } from "./protocol.ts";

/**
 * The way to the disk's thread. One thread serves every store of the process: a thread per computer would cost
 * megabytes for each, and they share one disk anyway. It starts with the first store and ends with the last.
 */
export class Disk extends Thread<DiskOperations> {
  static #shared: Disk | undefined;
  static #nextStore = 1;

  #stores = 0;

  /** The thread, and a number for the store that is about to be opened there. */
  static take(): { disk: Disk; store: number } {
    if (Disk.#shared === undefined || Disk.#shared.lost) Disk.#shared = new Disk();
    Disk.#shared.#stores++;
    return { disk: Disk.#shared, store: Disk.#nextStore++ };
  }

  /** The counterpart of `take`, once the store is closed or could not be opened. */
  async give(): Promise<void> {
    if (--this.#stores > 0) return;
    if (Disk.#shared === this) Disk.#shared = undefined;
    await this.end();
  }

  private constructor() {
    super(new URL("./disk-thread.ts", import.meta.url));
  }
}
