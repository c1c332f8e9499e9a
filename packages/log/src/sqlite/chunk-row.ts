import { FORM } from "./schema.ts";
import { MAX_CHUNK_BYTES } from "./splitter.ts";

/** Where the bytes of a chunk lie. */
export interface ChunkPlace {
  readonly id: number;
  /** Of its file. */
  readonly name: string;
  readonly at: number;
  /** Bytes that it takes there; `null` where it is the whole file. */
  readonly stored: number | null;
  readonly form: typeof FORM.plain | typeof FORM.alone;
  /** Bytes that it is. */
  readonly size: number;
}

/** A chunk as it stands in a content. */
export interface ChunkPart extends ChunkPlace {
  /** Of its bytes. */
  readonly hash: string;
  /** Its place in the content. */
  readonly start: number;
}

/** STRICT holds for what is written. A bit that flipped since must not lead to another folder, nor take all memory. */
export function isChunkPlace(row: unknown): row is ChunkPlace {
  if (typeof row !== "object" || row === null) return false;
  const { id, name, at, stored, form, size }: Partial<Record<keyof ChunkPlace, unknown>> = row;
  if (!isCount(id) || !isCount(at) || !isCount(size) || typeof name !== "string" || !NAME.test(name)) return false;
  if (form !== FORM.plain && form !== FORM.alone) return false;
  return stored === null || (isCount(stored) && stored <= MAX_CHUNK_BYTES && size <= MAX_CHUNK_BYTES);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}

/** As a put names its file; or a content's hash, as version 2 named it. */
const NAME = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}(?:\.zst)?)$/;
