import { hash } from "node:crypto";
import { type ContentRef, Sha256 } from "@choiros/contract";
import type { ContentSource, ContentState, Contents, Packed, Version } from "../contents.ts";
import { LogError } from "../log-error.ts";
import { ThreadFailure } from "../thread.ts";
import { isSystemError } from "./chunk-files.ts";
import { startOf } from "./content-source.ts";
import type { KeptContent } from "./contents-file.ts";
import type { Disk } from "./disk.ts";
import { explain } from "./explain.ts";
import { failureOf } from "./failure.ts";
import { damaged, LargeContents } from "./large-contents.ts";
import { Packing } from "./packing.ts";
import type { DiskOperations } from "./protocol.ts";
import { SmallPuts } from "./small-puts.ts";

/** Small contents in a table, large ones in chunks in a folder. Large ones are streamed: a file of gigabytes never sits in memory. */
export class SqliteContents implements Contents {
  readonly #disk: Disk;
  readonly #store: number;
  readonly #large: LargeContents;
  readonly #packing: Packing;
  readonly #puts = new SmallPuts((puts) => this.#call("changes", puts));
  readonly #turns = new Map<Sha256, Promise<void>>();
  #closed = false;

  constructor(disk: Disk, store: number, dir: string) {
    this.#disk = disk;
    this.#store = store;
    this.#large = new LargeContents({
      dir,
      call: (op, request) => this.#ask(op, request),
      assertOpen: () => this.#assertOpen(),
      inTurn: (hash, work) => this.#inTurn(hash, work),
    });
    this.#packing = new Packing({
      kept: (hash, bytes) => this.#kept(hash, bytes),
      change: (change) => this.#call("change", change),
    });
  }

  async put(source: ContentSource): Promise<ContentRef> {
    this.#assertOpen();
    const { small, rest } = await startOf(source);
    if (rest === undefined) return this.#putSmall(small);
    return this.#large.put(small, rest).catch(async (error) => {
      await rest.return?.(); // also where nothing of it was taken any more
      throw isSystemError(error) ? explain(new ThreadFailure(failureOf(error)), "could not store a content") : error;
    });
  }

  async #putSmall(bytes: Uint8Array): Promise<ContentRef> {
    const ref = { hash: hash("sha256", bytes), size: bytes.length };
    await this.#puts.put({ kind: "put", ...ref, bytes });
    return ref;
  }

  async get(hash: Sha256, from = 0): Promise<AsyncIterable<Uint8Array> | undefined> {
    const kept = await this.#kept(hash, true);
    if (kept === undefined || kept.dropped !== null) return undefined;
    if (kept.bytes !== null) return checkedSmall(hash, kept.bytes, from);
    return (await this.#large.has(hash)) ? this.#large.stream(hash, kept.size, from) : undefined;
  }

  async has(hash: Sha256): Promise<boolean> {
    const kept = await this.#kept(hash, false);
    if (kept === undefined || kept.dropped !== null) return false;
    return kept.small || this.#large.has(hash);
  }

  async getSmall(hashes: readonly Sha256[]): Promise<ReadonlyMap<Sha256, Uint8Array>> {
    const found = await this.#call("bytes", hashes.map(parsed));
    return new Map(hashes.flatMap((hash, i) => (found[i] ? [[hash, found[i]]] : [])));
  }

  async hasMany(hashes: readonly Sha256[]): Promise<boolean[]> {
    const states = await this.#call("states", { hashes: hashes.map(parsed), read: false });
    return Promise.all(states.map((state, i) => (state === "large" ? this.has(hashes[i] ?? "") : state === "present")));
  }

  async list(after: Sha256 | ""): Promise<ContentRef[]> {
    return this.#call("list", { after: after === "" ? "" : Sha256.parse(after) });
  }

  async drop(hash: Sha256): Promise<boolean> {
    // The list first: cut off in between, the bytes are merely still there, and the next opening removes them.
    const change = { kind: "drop", hash: Sha256.parse(hash), at: new Date().toISOString() } as const;
    return this.#inTurn(hash, async () => {
      const dropped = await this.#call("change", change);
      await this.#large.tidy();
      return dropped;
    });
  }

  async check(hash: Sha256): Promise<ContentState> {
    try {
      const kept = await this.#kept(hash, false);
      if (kept === undefined) return "missing";
      if (kept.dropped !== null) return "pruned";
      const stream = await this.get(hash);
      if (stream === undefined) return "missing";
      let size = 0;
      for await (const chunk of stream) size += chunk.length;
      return size === kept.size ? "present" : "damaged";
    } catch (error) {
      if (error instanceof LogError && error.code === "damaged") return "damaged";
      throw error;
    }
  }

  async checkMany(hashes: readonly Sha256[]): Promise<ContentState[]> {
    const states: ContentState[] = [];
    for (const [i, state] of (await this.#call("states", { hashes: hashes.map(parsed), read: true })).entries()) {
      states.push(state === "large" ? await this.check(hashes[i] ?? "") : state);
    }
    return states;
  }

  /** Of a copy's contents: what was removed there on purpose. Not part of the port: nothing is removed here. */
  async notePruned({ hash, size }: ContentRef): Promise<void> {
    const at = new Date().toISOString();
    await this.#call("change", { kind: "pruned", hash: Sha256.parse(hash), size, at });
  }

  async pack(versions: readonly Version[]): Promise<Packed> {
    this.#assertOpen();
    const packed = await this.#packing.slice(versions);
    if (packed.saved > 0) await this.#call("trim", {});
    return packed;
  }

  /**
   * What isn't being put in its place by now fails, unacknowledged; what is, is waited for: another process may write to
   * the folder then. A put whose source still runs holds nothing up: it writes to a file of its own that nobody names.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#turns.values());
    await this.#large.close();
  }

  /** Removes what a crash has left, before the first put. Not part of the port. */
  tidy(): Promise<void> {
    return this.#large.tidy();
  }

  #kept(hash: Sha256, bytes: boolean): Promise<KeptContent | undefined> {
    return this.#call("content", { hash: Sha256.parse(hash), bytes });
  }

  async #call<Op extends keyof DiskOperations>(
    op: Op,
    request: DiskOperations[Op]["request"],
  ): Promise<DiskOperations[Op]["answer"]> {
    this.#assertOpen();
    return this.#ask(op, request);
  }

  /** Also while it closes: what is begun is brought to its end. */
  async #ask<Op extends keyof DiskOperations>(
    op: Op,
    request: DiskOperations[Op]["request"],
  ): Promise<DiskOperations[Op]["answer"]> {
    try {
      return await this.#disk.call(this.#store, op, request);
    } catch (error) {
      throw explain(error, "could not reach the contents");
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw new LogError("closed", "these contents are closed");
  }

  /** One after the other for one hash: a drop that overtakes a put would remove what was just acknowledged. */
  async #inTurn<T>(hash: Sha256, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(hash);
    const turn = (before ?? Promise.resolve()).then(work);
    const settled = turn.then(
      () => {},
      () => {}, // whoever waits for this turn reports it; the next one only needs its end
    );
    this.#turns.set(hash, settled);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(hash) === settled) this.#turns.delete(hash);
    }
  }
}

function parsed(hash: Sha256): Sha256 {
  return Sha256.parse(hash);
}

async function* checkedSmall(expected: Sha256, bytes: Uint8Array, from: number): AsyncGenerator<Uint8Array> {
  if (hash("sha256", bytes) !== expected) throw damaged(expected);
  yield bytes.subarray(from);
}
