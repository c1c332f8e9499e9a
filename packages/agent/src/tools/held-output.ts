import type { Id } from "@choiros/contract";
import { bounded, MOST_BYTES, wholeEnd, wholeStart } from "./bounded.ts";

/** The beginning and the end of what a command says, while it says it: the whole is kept by the computer. */
export class HeldOutput {
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  #size = 0;

  take(bytes: Uint8Array): void {
    this.#size += bytes.length;
    const room = KEPT - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, bytes.subarray(0, room)]);
    const tail = Buffer.concat([this.#tail, bytes]);
    this.#tail = Buffer.from(tail.subarray(Math.max(0, tail.length - KEPT)));
  }

  /** The end of it, or all where that isn't much. */
  said(): { readonly from: number; readonly bytes: Uint8Array } {
    return { from: this.#size - this.#tail.length, bytes: this.#tail };
  }

  /** It has ended: what it said is to be had elsewhere. */
  release(): void {
    this.#head = Buffer.alloc(0);
    this.#tail = Buffer.alloc(0);
  }

  /** For a model. */
  text(call: Id): string {
    if (this.#size <= KEPT) return bounded(this.#tail.toString("utf8"), call);
    const half = MOST_BYTES / 2;
    const [head, tail] = [wholeEnd(this.#head.subarray(0, half)), wholeStart(this.#tail.subarray(-half))];
    const left = this.#size - head.length - tail.length;
    const gap = `\n… ${left} bytes are left out here: job_output with {"job": "${call}", "offset": ${head.length}} shows them …\n`;
    return `${head.toString("utf8")}${gap}${tail.toString("utf8")}`;
  }
}

const KEPT = 64 * 1024;
