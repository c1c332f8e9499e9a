import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryName } from "../folder/names.ts";

/** A name that a landing in this computer's folder would have given to what it left half done. */
export function leftOver(root: string): string {
  const cache = new DatabaseSync(join(root, ".choir/seen.sqlite"), { readOnly: true });
  try {
    const secret = cache.prepare("SELECT value FROM meta WHERE name = 'secret'").get()?.value;
    return temporaryName(String(secret));
  } finally {
    cache.close();
  }
}
