import { createHash, hash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ContentRef, MAX_SMALL_CONTENT_BYTES, Sha256 } from "@choiros/contract";
import type { ContentSource, ContentState, Contents } from "../contents.ts";
import { LogError } from "../log-error.ts";
import type { ContentRow } from "./contents-file.ts";
import { type Disk, DiskFailure } from "./disk.ts";
import { failureOf } from "./failure.ts";
import { CONTENTS_FOLDER, INCOMING_FOLDER } from "./places.ts";
import type { Operations } from "./protocol.ts";
import { explain } from "./sqlite-log.ts";

/** Small contents in a table, large ones in a folder. Large ones are streamed: a file of gigabytes never sits in memory. */
export class SqliteContents implements Contents {
  readonly #disk: Disk;
  readonly #store: number;
  readonly #dir: string;
  readonly #turns = new Map<Sha256, Promise<void>>();
  /** Folders of which this process knows that they are on the disk by name. */
  readonly #lasting = new Set<string>();
  #closed = false;

  constructor(disk: Disk, store: number, dir: string) {
    this.#disk = disk;
    this.#store = store;
    this.#dir = dir;
  }

  async put(source: ContentSource): Promise<ContentRef> {
    this.#assertOpen();
    const { small, rest } = await startOf(source);
    if (rest === undefined) return this.#putSmall(small);
    return this.#putLarge(small, rest).catch(async (error) => {
      await rest.return?.(); // also where nothing of it was taken any more
      throw isSystemError(error) ? explain(new DiskFailure(failureOf(error)), "could not store a content") : error;
    });
  }

  async #putSmall(bytes: Uint8Array): Promise<ContentRef> {
    const ref = { hash: hash("sha256", bytes), size: bytes.length };
    await this.#call("change", { kind: "put", ...ref, bytes });
    return ref;
  }

  async #putLarge(start: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<ContentRef> {
    const incoming = join(this.#dir, INCOMING_FOLDER, randomUUID());
    await mkdir(dirname(incoming), { recursive: true, mode: 0o700 });
    try {
      const file = await open(incoming, "wx", 0o600);
      let ref: ContentRef;
      try {
        ref = await spool(file, start, rest);
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#inTurn(ref.hash, () => this.#keep(incoming, ref));
      return ref;
    } finally {
      await rm(incoming, { force: true });
    }
  }

  /** The file gets its name, durably, before the list says that it's there. */
  async #keep(incoming: string, ref: ContentRef): Promise<void> {
    this.#assertOpen();
    const path = this.#pathOf(ref.hash);
    const folder = dirname(path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(incoming, path);
    await syncFolder(folder);
    if (!this.#lasting.has(folder)) {
      // Whoever made them: a put that failed, or a process that was killed, may have left them without a sync.
      for (const above of [dirname(folder), this.#dir]) await syncFolder(above);
      this.#lasting.add(folder);
    }
    await this.#disk.call(this.#store, "change", { kind: "put", ...ref, bytes: null }).catch((error) => {
      throw explain(error, "could not store a content");
    });
  }

  async get(hash: Sha256): Promise<AsyncIterable<Uint8Array> | undefined> {
    const row = await this.#row(hash);
    if (row === undefined || row.dropped !== null) return undefined;
    if (row.bytes !== null) return checkedSmall(hash, row.bytes);
    const size = await sizeOf(this.#pathOf(hash));
    return size === undefined ? undefined : checkedStream(hash, this.#pathOf(hash));
  }

  async has(hash: Sha256): Promise<boolean> {
    const row = await this.#row(hash);
    if (row === undefined || row.dropped !== null) return false;
    return row.bytes !== null || (await sizeOf(this.#pathOf(hash))) !== undefined;
  }

  async drop(hash: Sha256): Promise<boolean> {
    // The list first: cut off in between, the bytes are merely still there, and the next drop or put takes care of them.
    const change = { kind: "drop", hash: Sha256.parse(hash), at: new Date().toISOString() } as const;
    return this.#inTurn(hash, async () => {
      const dropped = await this.#call("change", change);
      await rm(this.#pathOf(hash), { force: true });
      return dropped;
    });
  }

  async check(hash: Sha256): Promise<ContentState> {
    try {
      const row = await this.#row(hash);
      if (row === undefined) return "missing";
      if (row.dropped !== null) return "pruned";
      const stream = await this.get(hash);
      if (stream === undefined) return "missing";
      let size = 0;
      for await (const chunk of stream) size += chunk.length;
      return size === row.size ? "present" : "damaged";
    } catch (error) {
      if (error instanceof LogError && error.code === "damaged") return "damaged";
      throw error;
    }
  }

  /**
   * What isn't being put in its place by now fails, unacknowledged; what is, is waited for: another process may write to
   * the folder then. A put whose source still runs holds nothing up: it writes to a file of its own that nobody names.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#turns.values());
  }

  #row(hash: Sha256): Promise<ContentRow | undefined> {
    return this.#call("content", { hash: Sha256.parse(hash) });
  }

  async #call<Op extends "change" | "content">(
    op: Op,
    request: Operations[Op]["request"],
  ): Promise<Operations[Op]["answer"]> {
    this.#assertOpen();
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

  #pathOf(hash: Sha256): string {
    return join(this.#dir, CONTENTS_FOLDER, hash.slice(0, 2), hash);
  }
}

/** The beginning of a source, and an iterator for the rest where it goes on past what counts as small. */
async function startOf(source: ContentSource): Promise<{ small: Uint8Array; rest?: AsyncIterator<Uint8Array> }> {
  if (source instanceof Uint8Array) {
    if (source.length <= MAX_SMALL_CONTENT_BYTES) return { small: source };
    return { small: source, rest: nothing() };
  }
  const rest = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= MAX_SMALL_CONTENT_BYTES) {
    const next = await rest.next();
    if (next.done === true) return { small: Buffer.concat(chunks) };
    chunks.push(next.value);
    size += next.value.length;
  }
  return { small: Buffer.concat(chunks), rest };
}

/** Writes it all to the file, hashing on the way. A source that is not used up is told so. */
async function spool(file: FileHandle, start: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<ContentRef> {
  const digest = createHash("sha256");
  let size = 0;
  let done = false;
  try {
    for (let chunk: Uint8Array | undefined = start; chunk !== undefined; ) {
      digest.update(chunk);
      size += chunk.length;
      await writeAll(file, chunk);
      const next: IteratorResult<Uint8Array> = await rest.next();
      done = next.done === true;
      chunk = next.done === true ? undefined : next.value;
    }
    return { hash: digest.digest("hex"), size };
  } finally {
    if (!done) await rest.return?.();
  }
}

/** A write may take less than it was given. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, at);
    at += bytesWritten;
  }
}

async function* checkedSmall(expected: Sha256, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (hash("sha256", bytes) !== expected) throw damaged(expected);
  yield bytes;
}

/** Opens the file when the first bytes are asked for: who asks for none must not hold it open, nor be told of its errors. */
async function* checkedStream(expected: Sha256, path: string): AsyncGenerator<Uint8Array> {
  const digest = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) {
      digest.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw isSystemError(error)
      ? explain(new DiskFailure(failureOf(error)), `could not read content ${expected}`)
      : error;
  }
  if (digest.digest("hex") !== expected) throw damaged(expected);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function damaged(hash: Sha256): LogError {
  return new LogError("damaged", `content ${hash} is not what was stored. Run 'choir doctor' to see what can be done`);
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
