import type { FileHandle } from "node:fs/promises";
import { MAX_SMALL_CONTENT_BYTES } from "@choiros/contract";
import type { ContentSource } from "../contents.ts";

/** The beginning of a source, and an iterator for the rest where it goes on past what counts as small. */
export async function startOf(source: ContentSource): Promise<{ small: Uint8Array; rest?: AsyncIterator<Uint8Array> }> {
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

/** One after the other. A write may take less than it was given. */
export async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  for (let rest = chunks.filter(({ length }) => length > 0); rest.length > 0; ) {
    let { bytesWritten: taken } = await file.writev(rest);
    rest = rest.flatMap((chunk) => {
      const left = chunk.subarray(taken);
      taken = Math.max(0, taken - chunk.length);
      return left.length > 0 ? [left] : [];
    });
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
