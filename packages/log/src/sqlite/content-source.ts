import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { type ContentRef, MAX_SMALL_CONTENT_BYTES } from "@choiros/contract";
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

/** Writes it all to the file, hashing on the way. A source that is not used up is told so. */
export async function spool(file: FileHandle, start: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<ContentRef> {
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
export async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, at);
    at += bytesWritten;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
