import { checkKey } from "@choiros/computer";
import { type Entry, isLikelySecret } from "@choiros/contract";
import { z } from "zod";
import type { Need } from "../lease/lease.ts";
import { pathNeed } from "../lease/need.ts";
import { patternFault, shownWord, writtenPath } from "../lease/written-path.ts";
import type { Context, Fault } from "./tool.ts";

export const PATH_WORDS =
  "A path is relative to the workspace; with a leading slash, from the computer's root (/artifacts/system/theme.json). One that is shown in quotes is written as JSON is: give it without them.";

/** What no event tells of may be on the disk all the same. */
export const UNKEPT = "what is ignored (node_modules, build output) only bash sees";

/** The key of something that can be read or written: in an area, not one itself. */
export function keyOf(word: string): { readonly key: string } | Fault {
  const written = writtenPath(word);
  if ("why" in written) return written;
  const why = checkKey(written.key);
  return why === undefined ? written : { why: `${shownWord(written.key)} ${why}` };
}

/** Paths as a model names them; or what is wrong with one. */
export function keysOf(words: readonly string[]): string[] | Fault {
  const keys: string[] = [];
  for (const word of words) {
    const pattern = patternFault(word);
    if (pattern !== undefined) return { why: pattern };
    const written = writtenPath(word);
    if ("why" in written) return written;
    keys.push(written.key);
  }
  return keys;
}

/** For what can't be known before it is done. */
export const EditsInput = z
  .array(z.string())
  .max(20)
  .optional()
  .describe("Paths beyond the lease that it must change; the user is asked.");

/** What it takes to see what is in a file. */
export function readNeeds(key: string): Need[] {
  return isLikelySecret(key) ? [pathNeed("read", key), pathNeed("secret", key)] : [pathNeed("read", key)];
}

export function editNeeds(key: string): Need[] {
  return [pathNeed("edit", key)];
}

/** Whether something may be shown among other things, without asking anybody. */
export function maySee(key: string, kind: Entry["kind"], { may }: Pick<Context, "may">): boolean {
  if (!may({ kind: "read", what: key })) return false;
  return kind === "dir" || !isLikelySecret(key) || may({ kind: "secret", what: key });
}
