import { hash as digest, randomUUID } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { ContentRef } from "@choiros/contract";
import type { ChunkFiles } from "./chunk-files.ts";
import type { FreshChunk } from "./chunk-list.ts";
import type { ChunkPlace } from "./chunk-row.ts";
import { writeAll } from "./content-source.ts";
import type { LargeParts } from "./large-contents.ts";
import { FORM } from "./schema.ts";
import { quicklyPacked } from "./zstd.ts";

/** Packing that saves less than this isn't worth the work of unpacking. */
const PAYS = 0.9;

/** One large content on its way in: what is new of it goes into a file of its own. */
export class LargePut {
  /** Of the put, and of the file. */
  readonly #name = randomUUID();
  readonly #call: LargeParts["call"];
  readonly #assertOpen: LargeParts["assertOpen"];
  readonly #files: ChunkFiles;
  readonly #fresh: FreshChunk[] = [];
  /** As in a `keep`. */
  readonly #parts: number[] = [];
  readonly #sizes: number[] = [];
  readonly #partBy = new Map<string, number>();
  #state: "nothing written" | "begun" | "asked" | "kept" = "nothing written";
  #file: FileHandle | undefined;
  #written = 0;

  constructor({ call, assertOpen }: LargeParts, files: ChunkFiles) {
    this.#call = call;
    this.#assertOpen = assertOpen;
    this.#files = files;
  }

  /** The next chunks. What the store has is read and compared, so that it's whole what is acknowledged; the rest is written. */
  async take(chunks: readonly Uint8Array[]): Promise<void> {
    this.#assertOpen();
    const hashes = chunks.map((chunk) => digest("sha256", chunk));
    const bytesBy = new Map(chunks.map((chunk, i) => [hashes[i] ?? "", chunk]));
    const unseen = [...bytesBy.keys()].filter((hash) => !this.#partBy.has(hash));
    const replacing = unseen.length === 0 ? new Map() : await this.#reuse(unseen, bytesBy);
    const fresh = [...replacing].map(([hash, replaces]) => ({ hash, replaces, bytes: bytesBy.get(hash) ?? NOTHING }));
    if (fresh.length > 0) await this.#write(fresh);
    for (const [i, hash] of hashes.entries()) {
      this.#parts.push(this.#partBy.get(hash) ?? 0);
      this.#sizes.push(chunks[i]?.length ?? 0);
    }
  }

  /** From here on the content is there: its bytes and their name first, then the list. */
  async keep(ref: ContentRef): Promise<void> {
    this.#assertOpen();
    if (this.#file !== undefined) await this.#files.makeLasting(this.#name, this.#file);
    const { hash, size } = ref;
    const [fresh, parts, sizes] = [this.#fresh, this.#parts, this.#sizes];
    if (this.#state === "begun") this.#state = "asked";
    await this.#call("change", { kind: "keep", hash, size, name: this.#name, fresh, parts, sizes });
    this.#state = "kept";
  }

  /** However it went. Says whether there is something to be tidied up: what a put that failed has written, for one. */
  async end(): Promise<boolean> {
    await this.#file?.close();
    if (this.#state === "begun" || this.#state === "asked") await this.#abandon();
    return this.#call("unpin", { put: this.#name });
  }

  /** Where the store is closed by now, the next one may have tidied up before this file was made. */
  async #abandon(): Promise<void> {
    try {
      await this.#call("change", { kind: "abandon", name: this.#name });
    } catch (error) {
      if (this.#state === "begun") await this.#files.remove(this.#name); // else a disk that failed may have kept it after all
      throw error;
    }
  }

  /** Notes which of them are there. The others are given back, with the damaged chunk that each replaces, if it does. */
  async #reuse(hashes: readonly string[], bytesBy: Map<string, Uint8Array>): Promise<Map<string, number | null>> {
    const answer = await this.#call("find", { put: this.#name, hashes });
    const found = hashes.flatMap((hash, i): { hash: string; place: ChunkPlace }[] => {
      const place = answer[i];
      return place ? [{ hash, place }] : [];
    });
    const same = await this.#files.areSame(
      found.map(({ place }) => place),
      found.map(({ hash }) => bytesBy.get(hash) ?? NOTHING),
    );
    const missing = new Map<string, number | null>(hashes.map((hash) => [hash, null]));
    for (const [i, { hash, place }] of found.entries()) {
      if (same[i] !== true) missing.set(hash, place.id);
      else if (missing.delete(hash)) this.#partBy.set(hash, place.id);
    }
    return missing;
  }

  async #write(fresh: readonly { hash: string; replaces: number | null; bytes: Uint8Array }[]): Promise<void> {
    const packed = await packedWherePays(fresh.map(({ bytes }) => bytes));
    this.#file ??= await this.#begin();
    await writeAll(this.#file, packed);
    for (const [i, { hash, replaces, bytes }] of fresh.entries()) {
      const stored = packed[i]?.length ?? 0;
      const form = packed[i] === bytes ? FORM.plain : FORM.alone;
      this.#fresh.push({ hash, replaces, size: bytes.length, at: this.#written, stored, form });
      this.#partBy.set(hash, -this.#fresh.length);
      this.#written += stored;
    }
  }

  /** Noted before it is made: cut off, the next opening knows of it. */
  async #begin(): Promise<FileHandle> {
    await this.#call("change", { kind: "begin", name: this.#name });
    this.#state = "begun";
    return this.#files.create(this.#name);
  }
}

const NOTHING = new Uint8Array(0);

/** Where the first doesn't get smaller, its neighbours are not tried. */
async function packedWherePays(chunks: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const [first = NOTHING, ...others] = chunks;
  const tried = await packedIfPays(first);
  if (tried === first) return [...chunks];
  return [tried, ...(await Promise.all(others.map(packedIfPays)))];
}

async function packedIfPays(chunk: Uint8Array): Promise<Uint8Array> {
  const packed = await quicklyPacked(chunk);
  return packed.length <= chunk.length * PAYS ? packed : chunk;
}
