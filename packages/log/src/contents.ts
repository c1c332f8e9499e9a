import type { ContentRef, Sha256 } from "@choiros/contract";

/** Bytes by their SHA-256, beside a log. Stored once, however often they are put. */
export interface Contents {
  /** Resolves once the bytes are durable. A source that fails leaves nothing behind. */
  put(source: ContentSource): Promise<ContentRef>;
  /**
   * The bytes as a stream, or `undefined` where there are none. Bytes that aren't what their hash says end in an error.
   * With `from`, those from this place on; of a large content what lies before isn't read.
   */
  get(hash: Sha256, from?: number): Promise<AsyncIterable<Uint8Array> | undefined>;
  has(hash: Sha256): Promise<boolean>;
  /** The bytes of those of these that are small and whole, at once. Whoever misses one asks `get` for it, which says why. */
  getSmall(hashes: readonly Sha256[]): Promise<ReadonlyMap<Sha256, Uint8Array>>;
  /** `has` for many, in their order. */
  hasMany(hashes: readonly Sha256[]): Promise<boolean[]>;
  /** A page of those that are there, after this hash, in order; empty where there are no more. */
  list(after: Sha256 | ""): Promise<ContentRef[]>;
  /** Removes the bytes and remembers that they were removed on purpose. `false` where there were none. */
  drop(hash: Sha256): Promise<boolean>;
  /** Reads the bytes and says how they are. */
  check(hash: Sha256): Promise<ContentState>;
  /** `check` for many, in their order. */
  checkMany(hashes: readonly Sha256[]): Promise<ContentState[]>;
  /**
   * Makes what is stored smaller where it pays: a content by itself, and the one it replaced by what differs. Takes one
   * slice from the beginning of the list and says how far it got: whoever has time in the background calls again with
   * the rest. Nothing else changes by it, and cut off anywhere, nothing is lost.
   */
  pack(versions: readonly Version[]): Promise<Packed>;
}

export type ContentSource = Uint8Array | AsyncIterable<Uint8Array>;

/** `pruned` was removed on purpose; `missing` was never there, or got lost. */
export type ContentState = "present" | "pruned" | "missing" | "damaged";

/** A content, and the one that stood in its place before, where there was one. */
export interface Version {
  readonly hash: Sha256;
  readonly former?: Sha256;
}

export interface Packed {
  /** How many of the versions were dealt with; at least one, unless there were none. */
  readonly done: number;
  /** Bytes that are stored no more. */
  readonly saved: number;
}
