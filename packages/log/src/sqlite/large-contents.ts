import { createHash } from "node:crypto";
import type { ContentRef, Sha256 } from "@choiros/contract";
import { LogError } from "../log-error.ts";
import { ThreadFailure } from "../thread.ts";
import { ChunkFiles, DamagedChunk, isAbsent, isSystemError } from "./chunk-files.ts";
import type { ChunkPart, ChunkPlace } from "./chunk-row.ts";
import { explain } from "./explain.ts";
import { failureOf } from "./failure.ts";
import { LargePut } from "./large-put.ts";
import type { DiskOperations } from "./protocol.ts";
import { chunksOf } from "./splitter.ts";
import { sweep } from "./sweep.ts";

/** What large contents need of the contents around them. */
export interface LargeParts {
  readonly dir: string;
  /** Also while the store closes. */
  call<Op extends "change" | "chunksAt" | "filesOf" | "find" | "unpin" | "untidy" | "plan">(
    op: Op,
    request: DiskOperations[Op]["request"],
  ): Promise<DiskOperations[Op]["answer"]>;
  assertOpen(): void;
  /** What is begun there is waited for when the store closes. */
  inTurn<T>(hash: Sha256, work: () => Promise<T>): Promise<T>;
}

/** Contents that are split into chunks, which lie in files. Chunks that several have in common are stored once. */
export class LargeContents {
  readonly #parts: LargeParts;
  readonly #files: ChunkFiles;
  #tidying: Promise<void> = Promise.resolve();

  constructor(parts: LargeParts) {
    this.#parts = parts;
    this.#files = new ChunkFiles(parts.dir);
  }

  async put(start: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<ContentRef> {
    const put = new LargePut(this.#parts, this.#files);
    try {
      const ref = await spool(put, start, rest);
      await this.#parts.inTurn(ref.hash, () => put.keep(ref));
      return ref;
    } finally {
      // What can't be tidied up now is noted in the list, and is taken care of later. It's no reason for a put to fail.
      if (await put.end().catch(() => false)) await this.tidy().catch(() => {});
    }
  }

  /** Whether every file of it is there. */
  async has(hash: Sha256): Promise<boolean> {
    const names = await this.#parts.call("filesOf", { hash });
    for (const name of names) if (!(await this.#files.has(name))) return false;
    return names.length > 0;
  }

  /** Opens a file when bytes in it are asked for: who asks for none must not hold it open, nor be told of its errors. */
  async *stream(hash: Sha256, size: number, from = 0): AsyncGenerator<Uint8Array> {
    const digest = createHash("sha256");
    let done = from;
    for (let absent: string | undefined; done < size; ) {
      this.#parts.assertOpen();
      const before = done;
      const page = await this.#parts.call("chunksAt", { hash, from: done });
      if (page === undefined || (absent !== undefined && absent === page[0]?.name)) throw removed(hash);
      const start = page[0]?.start;
      if (start === undefined) throw damaged(hash);
      try {
        const pieces = from === 0 ? this.#files.read(page) : checked(page, this.#files.read(page));
        for await (const bytes of after(done - start, pieces)) {
          done += bytes.length;
          if (done > size) throw damaged(hash);
          if (from === 0) digest.update(bytes);
          yield bytes;
        }
        if (done === before) throw damaged(hash); // or it would be asked for again and again
      } catch (error) {
        if (!isAbsent(error)) throw ofContent(hash, error);
        absent = nameAt(page, done - start); // others may have made it move: the list knows where to
      }
    }
    if (from === 0 && digest.digest("hex") !== hash) throw damaged(hash);
  }

  /** Removes what the list says is to go, one after the other. Cut off anywhere, the next time goes on with it. */
  tidy(): Promise<void> {
    const tidied = this.#tidying
      .then(() => sweep(this.#parts, this.#files))
      .catch((error) => {
        throw asOurs(error, "could not remove what was dropped");
      });
    this.#tidying = tidied.catch(() => {}); // whoever waits for it reports it; the next one only needs its end
    return tidied;
  }

  async close(): Promise<void> {
    await this.#tidying;
  }
}

/** Splits and stores it all, hashing on the way. While some is stored, the next is read and split. */
async function spool(put: LargePut, start: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<ContentRef> {
  const digest = createHash("sha256");
  let size = 0;
  let before: Promise<void> = Promise.resolve();
  try {
    for await (const chunks of chunksOf(start, rest)) {
      for (const chunk of chunks) {
        digest.update(chunk);
        size += chunk.length;
      }
      await before;
      before = put.take(chunks);
      before.catch(() => {}); // told when it is awaited
    }
    await before;
  } finally {
    await before.catch(() => {}); // nothing of it goes on once this is over
  }
  return { hash: digest.digest("hex"), size };
}

/** Each chunk against its own hash: whoever begins in the middle can't know the hash of it all. */
async function* checked(page: readonly ChunkPart[], pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [i, size, digest] = [0, 0, createHash("sha256")];
  for await (const bytes of pieces) {
    digest.update(bytes);
    size += bytes.length;
    if (size >= (page[i]?.size ?? 0)) {
      if (digest.digest("hex") !== page[i]?.hash) throw new DamagedChunk();
      [i, size, digest] = [i + 1, 0, createHash("sha256")];
    }
    yield bytes;
  }
}

async function* after(skip: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = skip;
  for await (const bytes of pieces) {
    if (bytes.length > left) yield bytes.subarray(left);
    left = Math.max(0, left - bytes.length);
  }
}

export function damaged(hash: Sha256): LogError {
  return new LogError("damaged", `content ${hash} is not what was stored. Run 'choir doctor' to see what can be done`);
}

function removed(hash: Sha256): LogError {
  return new LogError("io", `content ${hash} was removed meanwhile`);
}

function ofContent(hash: Sha256, error: unknown): unknown {
  if (error instanceof DamagedChunk || isZstdError(error)) return damaged(hash);
  return asOurs(error, `could not read content ${hash}`);
}

function asOurs(error: unknown, doing: string): unknown {
  return isSystemError(error) ? explain(new ThreadFailure(failureOf(error)), doing) : error;
}

/** The file of the chunk that begins there. */
function nameAt(page: readonly ChunkPlace[], place: number): string | undefined {
  let at = 0;
  return page.find(({ size }) => {
    at += size;
    return at > place;
  })?.name;
}

/** One that ends too early has its error from zlib; one that is longer than it should be, from the buffer it should fit. */
function isZstdError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(?:ZSTD|Z)_|^ERR_BUFFER_TOO_LARGE$/.test(String(error.code));
}
