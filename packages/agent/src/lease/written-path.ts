import { AREAS, HOME_INSIDE, shownPath } from "@choiros/computer";
import { isBelow, Path, pathFromKey, pathKey } from "@choiros/contract";

/** The key of the computer's root: everything is below it. */
export const ROOT = "";

/**
 * The key of a path as somebody wrote it: relative to the workspace, from the computer's root with a leading slash, or as a
 * command inside sees it. `.` is the workspace, `/` the root. It names a place, and says nothing of what stands there.
 */
export function writtenPath(word: string): { readonly key: string } | { readonly why: string } {
  const inside = word === HOME_INSIDE || word.startsWith(`${HOME_INSIDE}/`);
  const text = inside ? word.slice(HOME_INSIDE.length) || "/" : word;
  if (text === "") return { why: "a path can't be empty" };
  const rest = text.replace(/^\/|\/+$/g, "").replace(/^(?:\.\/)+/, "");
  if (text.startsWith("/") && rest === "") return { key: ROOT };
  const key = text.startsWith("/") ? rest : rest === "" || rest === "." ? WORKSPACE : `${WORKSPACE}/${rest}`;
  if (!PLACES.some((place) => key === place || isBelow(key, place)))
    return { why: `'${word}' is not in the computer: after a leading slash stands ${AREAS.join(", ")}` };
  const path = Path.safeParse(pathFromKey(key));
  if (!path.success || pathKey(path.data) !== key) return { why: `'${word}' can't be a path: no '..', no empty part` };
  return { key };
}

/** The same the other way round, as it is shown. */
export function shownWord(key: string): string {
  if (key === ROOT) return "/";
  if (key === WORKSPACE) return ".";
  const word = shownPath(key);
  const written = writtenPath(word);
  return "key" in written && written.key === key ? word : `/${key}`; // what would be read as another place is rooted
}

const [WORKSPACE] = AREAS;
/** A policy may also name what no key leads to. */
const PLACES: readonly string[] = [...AREAS, ".git", ".choir"];
