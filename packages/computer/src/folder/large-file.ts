import { createHash } from "node:crypto";
import { close, fstat, fsync, read, write } from "node:fs";
import { promisify } from "node:util";
import { type Stat, sameStat, statOf } from "./stat.ts";

/** A file that the thread opened and this side reads or writes, a piece at a time: the two share their descriptors. */
const readPiece = promisify(read);
const writePiece = promisify(write);
const stat = promisify(fstat);
const sync = promisify(fsync);
export const closeFile = promisify(close);

const PIECE = 262_144;

/** What stands in a file, in order. Each piece is its own memory: whoever takes it may keep it. */
export async function* pieces(fd: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await readPiece(fd, Buffer.allocUnsafeSlow(PIECE), 0, PIECE, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Somebody wrote to a file while it was read. */
export class Torn extends Error {
  override name = "Torn";
}

/** The same of a file as it stood at one moment; else `Torn`, at its end or as soon as it is longer than it was. */
export async function* steadyPieces(fd: number, before: Stat): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of pieces(fd)) {
    length += piece.length;
    if (length > before.size) break; // it may grow as fast as it is read
    yield piece;
  }
  await assertSteady(fd, before, length);
}

export async function assertSteady(fd: number, before: Stat, length: number): Promise<void> {
  if (length !== before.size || !(await isUnchanged(fd, before))) throw new Torn();
}

export async function hashFile(fd: number, before: Stat): Promise<{ hash: string; size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of steadyPieces(fd, before)) {
    hash.update(piece);
    size += piece.length;
  }
  return { hash: hash.digest("hex"), size };
}

/** Whether nobody wrote to it since. */
export async function isUnchanged(fd: number, before: Stat): Promise<boolean> {
  return sameStat(statOf(await stat(fd), before.at), before);
}

/** Resolves once it is on the disk. */
export async function writeFile(fd: number, source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of source) {
    for (let at = 0; at < piece.length; ) at += (await writePiece(fd, piece, at, piece.length - at)).bytesWritten;
  }
  await sync(fd);
}
