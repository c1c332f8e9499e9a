import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createZstdDecompress } from "node:zlib";
import { LogError } from "../log-error.ts";
import type { ChunkPlace } from "./chunk-row.ts";
import { CONTENTS_FOLDER } from "./places.ts";
import { FORM } from "./schema.ts";
import { BATCH_BYTES } from "./splitter.ts";
import { unpacked } from "./zstd.ts";

/** The files that chunks lie in. What each of them holds, and whether it counts, is for the list to say. */
export class ChunkFiles {
  readonly #dir: string;
  /** Folders of which this process knows that they are on the disk by name. */
  readonly #lasting = new Set<string>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  async create(name: string): Promise<FileHandle> {
    const path = this.#pathOf(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return open(path, "wx", 0o600);
  }

  /** Its bytes and its name are on the disk. */
  async makeLasting(name: string, file: FileHandle): Promise<void> {
    await file.sync();
    const folder = dirname(this.#pathOf(name));
    await syncFolder(folder);
    if (this.#lasting.has(folder)) return;
    // Whoever made them: a put that failed, or a process that was killed, may have left them without a sync.
    for (const above of [dirname(folder), this.#dir]) await syncFolder(above);
    this.#lasting.add(folder);
  }

  /** For good: after a power cut it isn't back. */
  async remove(name: string): Promise<void> {
    const path = this.#pathOf(name);
    try {
      await rm(path, { force: true });
      await syncFolder(dirname(path));
    } catch (error) {
      if (!isAbsent(error)) throw error; // its folder was never made
    }
  }

  async has(name: string): Promise<boolean> {
    try {
      await stat(this.#pathOf(name));
      return true;
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
  }

  /** The bytes of these chunks, in order. What lies together is read together, and no more than that is in memory. */
  async *read(places: readonly ChunkPlace[]): AsyncGenerator<Uint8Array> {
    for (const group of groupsOf(places)) yield* this.#readGroup(group);
  }

  /** Of each chunk, whether it lies there as these bytes. */
  async areSame(places: readonly ChunkPlace[], bytes: readonly Uint8Array[]): Promise<boolean[]> {
    const same: boolean[] = [];
    for (const group of groupsOf(places)) {
      const expected = bytes.slice(same.length, same.length + group.length);
      if (await this.#isSame(group, expected)) same.push(...group.map(() => true));
      else if (group.length === 1) same.push(false);
      else for (const [i, one] of group.entries()) same.push(await this.#isSame([one], expected.slice(i, i + 1)));
    }
    return same;
  }

  /** The bytes of neighbours as they are stored; fewer where the file is too short. */
  async readStored(group: readonly ChunkPlace[]): Promise<Buffer> {
    const { name, at } = group[0] ?? { name: "", at: 0 };
    const length = group.reduce((sum, { stored }) => sum + (stored ?? 0), 0);
    const file = await open(this.#pathOf(name), "r");
    try {
      const buffer = Buffer.allocUnsafe(length);
      let done = 0;
      for (let got = -1; got !== 0 && done < length; done += got) {
        got = (await file.read(buffer, done, length - done, at + done)).bytesRead;
      }
      return buffer.subarray(0, done);
    } finally {
      await file.close();
    }
  }

  async #isSame(places: readonly ChunkPlace[], expected: readonly Uint8Array[]): Promise<boolean> {
    if (places.some(({ size }, i) => size !== expected[i]?.length)) return false;
    try {
      const [first] = places;
      if (first?.stored === null) return (await whole(this.#readWhole(first))).equals(expected[0] ?? Buffer.of());
      let i = 0;
      for await (const bytes of this.#readGroup(places)) if (!bytes.equals(expected[i++] ?? Buffer.of())) return false;
      return i === places.length;
    } catch {
      return false; // gone, damaged, or not to be read: it is stored anew
    }
  }

  async *#readGroup(places: readonly ChunkPlace[]): AsyncGenerator<Buffer> {
    const [first] = places;
    if (first === undefined) return;
    if (first.stored === null) return yield* this.#readWhole(first);
    const bytes = await this.readStored(places);
    const plain = places.map(({ at, stored, form, size }) => {
      const from = at - first.at;
      const part = bytes.subarray(from, from + (stored ?? 0));
      return form === FORM.plain ? part : unpacked(part, size);
    });
    for (const [i, part] of (await Promise.all(plain)).entries()) {
      if (part.length !== places[i]?.size) throw new DamagedChunk();
      yield part;
    }
  }

  async *#readWhole({ name, form }: ChunkPlace): AsyncGenerator<Buffer> {
    const file = createReadStream(this.#pathOf(name));
    if (form === FORM.plain) return yield* file;
    const plain = createZstdDecompress();
    file.on("error", (error) => plain.destroy(error));
    plain.on("close", () => file.destroy()); // whoever stops half way stops reading too
    yield* file.pipe(plain);
  }

  #pathOf(name: string): string {
    return join(this.#dir, CONTENTS_FOLDER, name.slice(0, 2), name);
  }
}

/** A chunk isn't what the list says. Whoever reads it knows of which content. */
export class DamagedChunk extends LogError {
  constructor() {
    super("damaged", "a chunk is not what was stored");
  }
}

/** Also where something that is no folder stands in its way. */
export function isAbsent(error: unknown): boolean {
  return isSystemError(error) && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/** Those that are neighbours in a file together, up to what may be in memory at a time. */
export function groupsOf(places: readonly ChunkPlace[]): ChunkPlace[][] {
  const groups: ChunkPlace[][] = [];
  let [end, room] = [-1, 0];
  for (const place of places) {
    const { name, at, stored, size } = place;
    const group = groups.at(-1);
    if (group?.[0]?.name === name && stored !== null && at === end && size <= room) group.push(place);
    else {
      groups.push([place]);
      room = BATCH_BYTES;
    }
    end = stored === null ? -1 : at + stored;
    room -= size;
  }
  return groups;
}

async function whole(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(stream));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
