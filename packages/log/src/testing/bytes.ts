import { createCipheriv, createHash } from "node:crypto";
import type { Contents } from "../contents.ts";

/** Bytes that look like chance, and are the same for the same seed. */
export function bytesOf(size: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let i = 0, state = seed * 2654435761; i < size; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

/** The same, without a period and quicker: no stretch of it comes twice, and nothing makes it smaller. */
export function chance(size: number, seed: string): Buffer {
  const key = createHash("sha256").update(seed).digest();
  return createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(size));
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** In pieces of this size, as a source would give them. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** Fails after so many bytes. */
export async function* failing(size: number): AsyncGenerator<Uint8Array> {
  yield* inPieces(bytesOf(size), 10_000);
  throw new Error("the source broke");
}

/** All of a content, or `undefined` where there is none. */
export async function bytesIn(contents: Contents, hash: string): Promise<Buffer | undefined> {
  const stream = await contents.get(hash);
  return stream === undefined ? undefined : Buffer.concat(await Array.fromAsync(stream));
}
