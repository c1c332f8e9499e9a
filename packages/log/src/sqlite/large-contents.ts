import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import type { ContentRef, Sha256 } from "@choiros/contract";
import { LogError } from "../log-error.ts";
import { ThreadFailure } from "../thread.ts";
import { spool, writeAll } from "./content-source.ts";
import { failureOf } from "./failure.ts";
import { CONTENTS_FOLDER, INCOMING_FOLDER } from "./places.ts";
import { explain } from "./sqlite-log.ts";
import { compressed } from "./zstd.ts";

/** How a large content's file is written: as the bytes came, or compressed. */
export type LargeForm = "plain" | "zstd";

/** Packing that saves less than this isn't worth the work of unpacking. */
const PAYS = 0.9;
const SAMPLE_BYTES = 256 * 1024;

/** The files of the large contents. What each of them is, and whether it counts, is for the list to say. */
export class LargeContents {
  readonly #dir: string;
  /** Folders of which this process knows that they are on the disk by name. */
  readonly #lasting = new Set<string>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Writes it all to a file that nobody names yet, hands that over to be kept, and clears away what is left of it. */
  async spool(
    start: Uint8Array,
    rest: AsyncIterator<Uint8Array>,
    keep: (incoming: string, ref: ContentRef) => Promise<void>,
  ): Promise<ContentRef> {
    return this.#incoming(
      (file) => spool(file, start, rest),
      async (incoming, ref) => {
        await keep(incoming, ref);
        return ref;
      },
    );
  }

  /** The file gets its name, durably. */
  async name(incoming: string, hash: Sha256, form: LargeForm): Promise<void> {
    const path = this.#pathOf(hash, form);
    const folder = dirname(path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(incoming, path);
    await syncFolder(folder);
    if (this.#lasting.has(folder)) return;
    // Whoever made them: a put that failed, or a process that was killed, may have left them without a sync.
    for (const above of [dirname(folder), this.#dir]) await syncFolder(above);
    this.#lasting.add(folder);
  }

  async remove(hash: Sha256, ...forms: LargeForm[]): Promise<void> {
    for (const form of forms) await rm(this.#pathOf(hash, form), { force: true });
  }

  async sizeOf(hash: Sha256, form: LargeForm): Promise<number | undefined> {
    try {
      return (await stat(this.#pathOf(hash, form))).size;
    } catch (error) {
      if (isSystemError(error) && error.code === "ENOENT") return undefined;
      throw error;
    }
  }

  /**
   * Opens the file when the first bytes are asked for: who asks for none must not hold it open, nor be told of its errors.
   * By then it may have been packed, so the form is asked for then, and again where the file was gone.
   */
  async *stream(hash: Sha256, formNow: () => Promise<LargeForm | undefined>): AsyncGenerator<Uint8Array> {
    const digest = createHash("sha256");
    try {
      for await (const chunk of await this.#open(hash, formNow)) {
        digest.update(chunk);
        yield chunk;
      }
    } catch (error) {
      if (isZstdError(error)) throw damaged(hash);
      throw isSystemError(error)
        ? explain(new ThreadFailure(failureOf(error)), `could not read content ${hash}`)
        : error;
    }
    if (digest.digest("hex") !== hash) throw damaged(hash);
  }

  /** Compresses it beside itself, reads that back, and hands it over to be kept. `undefined` where it doesn't pay. */
  async pack(
    hash: Sha256,
    size: number,
    goOn: () => void,
    keep: (incoming: string) => Promise<void>,
  ): Promise<{ saved: number } | undefined> {
    if (!(await this.#seemsToPay(hash))) return undefined;
    const source = createReadStream(this.#pathOf(hash, "plain")).pipe(createZstdCompress());
    return this.#incoming(
      async (file) => {
        let written = 0;
        for await (const chunk of source) {
          goOn();
          written += chunk.length;
          await writeAll(file, chunk);
        }
        return written;
      },
      async (incoming, written) => {
        if (written > size * PAYS) return undefined;
        const digest = createHash("sha256");
        for await (const chunk of unpacked(incoming)) {
          goOn();
          digest.update(chunk);
        }
        if (digest.digest("hex") !== hash) return undefined; // damaged before: `check` tells, packing doesn't hide it
        await keep(incoming);
        return { saved: size - written };
      },
    );
  }

  async #seemsToPay(hash: Sha256): Promise<boolean> {
    const file = await open(this.#pathOf(hash, "plain"), "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
      return (await compressed(buffer.subarray(0, bytesRead))).length <= bytesRead * PAYS;
    } finally {
      await file.close();
    }
  }

  async #incoming<T, R>(
    write: (file: FileHandle) => Promise<T>,
    keep: (incoming: string, written: T) => Promise<R>,
  ): Promise<R> {
    const incoming = join(this.#dir, INCOMING_FOLDER, randomUUID());
    await mkdir(dirname(incoming), { recursive: true, mode: 0o700 });
    try {
      const file = await open(incoming, "wx", 0o600);
      let written: T;
      try {
        written = await write(file);
        await file.sync();
      } finally {
        await file.close();
      }
      return await keep(incoming, written);
    } finally {
      await rm(incoming, { force: true });
    }
  }

  async #open(hash: Sha256, formNow: () => Promise<LargeForm | undefined>): Promise<AsyncIterable<Uint8Array>> {
    for (let last: LargeForm | undefined; ; ) {
      const form = await formNow();
      if (form === undefined || form === last) throw new LogError("io", `content ${hash} was removed meanwhile`);
      last = form;
      if ((await this.sizeOf(hash, form)) === undefined) continue; // packed, or put again, since the list was asked
      return form === "zstd" ? unpacked(this.#pathOf(hash, form)) : createReadStream(this.#pathOf(hash, form));
    }
  }

  #pathOf(hash: Sha256, form: LargeForm): string {
    return join(this.#dir, CONTENTS_FOLDER, hash.slice(0, 2), form === "zstd" ? `${hash}.zst` : hash);
  }
}

export function damaged(hash: Sha256): LogError {
  return new LogError("damaged", `content ${hash} is not what was stored. Run 'choir doctor' to see what can be done`);
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/** One that ends too early has its error from zlib. */
function isZstdError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(?:ZSTD|Z)_/.test(String(error.code));
}

function unpacked(path: string): AsyncIterable<Uint8Array> {
  const file = createReadStream(path);
  const plain = createZstdDecompress();
  file.on("error", (error) => plain.destroy(error));
  plain.on("close", () => file.destroy()); // whoever stops half way stops reading too
  return file.pipe(plain);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
