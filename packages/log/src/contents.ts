import type { ContentRef, Sha256 } from "@choiros/contract";

/** Bytes by their SHA-256, beside a log. Stored once, however often they are put. */
export interface Contents {
  /** Resolves once the bytes are durable. A source that fails leaves nothing behind. */
  put(source: ContentSource): Promise<ContentRef>;
  /** The bytes as a stream, or `undefined` where there are none. Bytes that aren't what their hash says end in an error. */
  get(hash: Sha256): Promise<AsyncIterable<Uint8Array> | undefined>;
  has(hash: Sha256): Promise<boolean>;
  /** Removes the bytes and remembers that they were removed on purpose. `false` where there were none. */
  drop(hash: Sha256): Promise<boolean>;
  /** Reads the bytes and says how they are. */
  check(hash: Sha256): Promise<ContentState>;
}

export type ContentSource = Uint8Array | AsyncIterable<Uint8Array>;

/** `pruned` was removed on purpose; `missing` was never there, or got lost. */
export type ContentState = "present" | "pruned" | "missing" | "damaged";
