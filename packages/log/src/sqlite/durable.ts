import { closeSync, fsyncSync, mkdirSync, openSync, renameSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Renames a file that is on the disk already, and makes the name durable too. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Makes a folder, and those above it that are missing, each with its name on the disk. */
export function makeFolderDurably(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 }) ?? path;
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made)) syncFolder(dirname(made));
}

/** A name in a folder is only there after a power cut once the folder was synced. */
export function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
