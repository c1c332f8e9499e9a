import { resolve } from "node:path";
import { UsageError } from "../command-error.ts";

/** A file or folder of this machine, in full: a server may have been started somewhere else. */
export function fileArgument(name: string, word: string | undefined): string {
  if (word === undefined || word === "") throw new UsageError(`${name} can't be empty`);
  return resolve(word);
}
