import type { Readable } from "node:stream";

const HEAD_BYTES = 2000;

/** What a command writes, counted where it is read: nobody reads, nothing piles up here. */
export class Output {
  readonly #most: number;
  readonly #onOver: () => void;
  #total = 0;

  constructor(most: number, onOver: () => void) {
    this.#most = most;
    this.#onOver = onOver;
  }

  of(stream: Readable): Stream {
    return new Stream(stream, (chunk) => this.#count(chunk));
  }

  /** As much of it as the limit allows. */
  #count(chunk: Uint8Array): Uint8Array {
    const room = Math.max(0, this.#most - this.#total);
    this.#total += chunk.length;
    if (chunk.length <= room) return chunk;
    this.#onOver();
    return chunk.subarray(0, room);
  }
}

export class Stream implements AsyncIterable<Uint8Array> {
  readonly #stream: Readable;
  readonly #count: (chunk: Uint8Array) => Uint8Array;
  #head = "";

  constructor(stream: Readable, count: (chunk: Uint8Array) => Uint8Array) {
    this.#stream = stream;
    this.#count = count;
    // Without a listener Node throws away what nobody has read when the process ends.
    stream.on("readable", () => {});
    stream.on("error", () => {}); // told to whoever reads
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#stream) {
      this.#keepHead(chunk);
      const allowed = this.#count(chunk);
      if (allowed.length > 0) yield allowed;
      if (allowed.length < chunk.length) return;
    }
  }

  /** How it began, whether somebody reads it or not. */
  head(): string {
    const unread: Buffer | null = this.#stream.readableEnded || this.#stream.destroyed ? null : this.#stream.read();
    if (unread !== null) {
      this.#keepHead(unread);
      this.#stream.unshift(unread);
    }
    return this.#head;
  }

  #keepHead(chunk: Buffer): void {
    if (this.#head.length < HEAD_BYTES) this.#head += chunk.toString("utf8", 0, HEAD_BYTES);
  }
}
