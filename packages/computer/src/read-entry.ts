import type { Contents } from "@choiros/log";
import type { ReadEntry } from "./merge/merge-entries.ts";

/** The bytes of a file's version, for a merge or a diff; `undefined` where they are gone. */
export function readEntry(contents: Contents): ReadEntry {
  return async ({ hash }) => {
    const bytes = await contents.get(hash);
    return bytes === undefined ? undefined : Buffer.concat(await Array.fromAsync(bytes));
  };
}
