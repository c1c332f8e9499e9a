import { checkKey, isLikelySecret } from "@choiros/computer";
import type { Entry } from "@choiros/contract";
import type { Need } from "../lease/lease.ts";
import { pathNeed } from "../lease/need.ts";
import { shownWord, writtenPath } from "../lease/written-path.ts";
import type { Context, Fault } from "./tool.ts";

export const PATH_WORDS =
  "A path is relative to the workspace; with a leading slash, from the computer's root (/artifacts/system/theme.json).";

/** The key of something that can be read or written: in an area, not one itself. */
export function keyOf(word: string): { readonly key: string } | Fault {
  const written = writtenPath(word);
  if ("why" in written) return written;
  const why = checkKey(written.key);
  return why === undefined ? written : { why: `${shownWord(written.key)} ${why}` };
}

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
