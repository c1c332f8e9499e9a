import { type Contents, LogError } from "@choiros/log";
import type { ReadEntry } from "./merge/merge-entries.ts";

/** The bytes of a file's version, for a merge or a diff; `undefined` where they are gone or damaged. */
export function readEntry(contents: Contents): ReadEntry {
  return async ({ hash }) => {
    const bytes = await contents.get(hash);
    return bytes === undefined ? undefined : Array.fromAsync(bytes).then(Buffer.concat, unlessDamaged);
  };
}

/** Better no merge, and both versions, than no way to go on. */
function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof LogError && error.code === "damaged")) throw error;
}
