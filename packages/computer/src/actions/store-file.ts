import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type Entry, MAX_SMALL_CONTENT_BYTES } from "@choiros/contract";
import type { Contents } from "@choiros/log";
import { assertSteady, steadyPieces, Torn } from "../folder/large-file.ts";
import { keptMode, kindOf, type Stat, statOf } from "../folder/stat.ts";

/** No link is followed, and what turns out to be a FIFO keeps nobody waiting. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const TRIES = 4;

/** Stores a file as it stood at one moment; `undefined` where it changed each time it was read. */
export async function storeFile(contents: Contents, path: Buffer): Promise<Entry | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const file = await open(path, READ);
    try {
      const stat = statOf(await file.stat(), 0);
      if (kindOf(stat.mode) !== "file") return undefined;
      const small = stat.size <= MAX_SMALL_CONTENT_BYTES;
      const content = await contents.put(small ? await smallFile(file, stat) : steadyPieces(file.fd, stat));
      return { ...content, kind: "file", mode: keptMode(stat.mode) };
    } catch (error) {
      if (!(error instanceof Torn)) throw error; // a source that fails leaves nothing behind
    } finally {
      await file.close();
    }
  }
  return undefined;
}

async function smallFile(file: FileHandle, stat: Stat): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(stat.size + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read) {
    read = (await file.read(buffer, length, buffer.length - length, length)).bytesRead;
  }
  await assertSteady(file.fd, stat, length);
  return buffer.subarray(0, length);
}
