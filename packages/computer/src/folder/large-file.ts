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

/**
 * As `steadyPieces`, for a file that somebody goes on adding to: what stood there at first, which is all of its beginning.
 * Read twice, so that it counts only where nothing in it was changed meanwhile.
 */
export async function* steadyBeginning(fd: number, before: Stat): AsyncGenerator<Uint8Array> {
  const first = createHash("sha256");
  for await (const piece of beginning(fd, before.size)) first.update(piece);
  const second = createHash("sha256");
  for await (const piece of beginning(fd, before.size)) {
    second.update(piece);
    yield piece;
  }
  const { size } = await stat(fd);
  if (size < before.size || first.digest("hex") !== second.digest("hex")) throw new Torn();
}

async function* beginning(fd: number, length: number): AsyncGenerator<Uint8Array> {
  let left = length;
  for await (const piece of pieces(fd)) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

export async function assertSteady(fd: number, before: Stat, length: number): Promise<void> {
  if (length !== before.size || !(await isUnchanged(fd, before))) throw new Torn();
}

export async function hashOf(source: AsyncIterable<Uint8Array>): Promise<{ hash: string; size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of source) {
    hash.update(piece);
    size += piece.length;
  }
  return { hash: hash.digest("hex"), size };
}

/** Whether nobody wrote to it since. */
async function isUnchanged(fd: number, before: Stat): Promise<boolean> {
  return sameStat(statOf(await stat(fd), before.at), before);
}

/** Resolves once it is on the disk. */
export async function writeFile(fd: number, source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of source) {
    for (let at = 0; at < piece.length; ) at += (await writePiece(fd, piece, at, piece.length - at)).bytesWritten;
  }
  await sync(fd);
}
