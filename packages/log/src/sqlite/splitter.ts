/** No chunk is shorter, but the last one of a content. */
export const MIN_CHUNK_BYTES = 16 * 1024;
/** No chunk is longer. */
export const MAX_CHUNK_BYTES = 256 * 1024;
/** So much is split, and stored, at a time: short enough that nobody else waits for it. */
export const BATCH_BYTES = 1024 * 1024;

/** What a place depends on: older bytes have been shifted out of the 32 bits. */
const WINDOW = 32;
/** One place in 65,536 is an end; the upper bits, for the lower ones depend on fewer bytes. */
const ENDS = 0xffff0000 | 0;

/**
 * Where the chunk that begins at `from` ends; `undefined` where these bytes don't say yet. What the bytes are decides, and
 * not where they stand: after an insertion, the chunks behind it are the same as before. Two stores find the same ends
 * only while the numbers here stay as they are.
 */
export function endOfChunk(bytes: Uint8Array, from: number): number | undefined {
  const last = Math.min(bytes.length, from + MAX_CHUNK_BYTES);
  const least = from + MIN_CHUNK_BYTES;
  let sum = 0;
  let at = least - WINDOW;
  for (; at < least && at < last; at++) sum = ((sum << 1) + (GEAR[bytes[at] ?? 0] ?? 0)) | 0;
  for (; at < last; at++) {
    if ((sum & ENDS) === 0) return at;
    sum = ((sum << 1) + (GEAR[bytes[at] ?? 0] ?? 0)) | 0;
  }
  return last === from + MAX_CHUNK_BYTES ? last : undefined;
}

/**
 * The chunks of a source, some at a time. They lie in two buffers that take turns: they are good until those after the next
 * are asked for. A source that is not used up is told so.
 */
export async function* chunksOf(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let [buffer, other] = [Buffer.allocUnsafeSlow(BATCH_BYTES), Buffer.allocUnsafeSlow(BATCH_BYTES)];
  let [piece, size, done] = [start, 0, false];
  try {
    while (!done || size > 0) {
      while (size < BATCH_BYTES && !done) {
        buffer.set(piece.subarray(0, BATCH_BYTES - size), size);
        const taken = Math.min(piece.length, BATCH_BYTES - size);
        [piece, size] = [piece.subarray(taken), size + taken];
        if (piece.length > 0) continue;
        const next = await rest.next();
        done = next.done === true;
        piece = next.done === true ? piece : next.value;
      }
      const batch = batchOf(buffer.subarray(0, size), done);
      yield batch;
      const used = batch.reduce((sum, chunk) => sum + chunk.length, 0);
      other.set(buffer.subarray(used, size));
      [buffer, other, size] = [other, buffer, size - used];
    }
  } finally {
    if (!done) await rest.return?.();
  }
}

/** The chunks of these bytes. Where nothing comes after them, what is left over is a chunk too. */
function batchOf(bytes: Uint8Array, isEnd: boolean): Uint8Array[] {
  const batch: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = endOfChunk(bytes, at) ?? (isEnd ? bytes.length : undefined);
    if (end === undefined) break;
    batch.push(bytes.subarray(at, end));
    at = end;
  }
  return batch;
}

/** A number for each byte, from a fixed seed: any will do, if they look like chance and never change. */
const GEAR = gear();

function gear(): Int32Array {
  let state = 0x63686f72; // "chor"
  return Int32Array.from({ length: 256 }, () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  });
}
