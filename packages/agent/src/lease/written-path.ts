import { AREAS, HOME_INSIDE, shownPath } from "@choiros/computer";
import { isBelow, Path, pathFromKey, pathKey } from "@choiros/contract";
import { inOneLine, quoted } from "./quoted.ts";

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
    return { why: `'${inOneLine(word)}' is not in the computer: after a leading slash stands ${AREAS.join(", ")}` };
  const path = Path.safeParse(pathFromKey(key));
  if (!path.success || pathKey(path.data) !== key)
    return { why: `'${inOneLine(word)}' can't be a path: no '..', no empty part` };
  return { key };
}

/** What is wrong with a path that a model means as a pattern: read as a name it would cover nothing that is meant. */
export function patternFault(word: string): string | undefined {
  if (!word.includes("*")) return undefined;
  return `'${inOneLine(word)}' is a pattern, which can't be a path here: name files, or a folder, which covers all that is below it`;
}

/** The same the other way round, as people and models are shown it: in one line, quoted where it couldn't be read else. */
export function shownWord(key: string): string {
  return quoted(wordOf(key));
}

/** As it is given, whatever it looks like. */
export function wordOf(key: string): string {
  if (key === ROOT) return "/";
  if (key === WORKSPACE) return ".";
  const word = shownPath(key);
  const written = writtenPath(word);
  return "key" in written && written.key === key ? word : `/${key}`; // what would be read as another place is rooted
}

const [WORKSPACE] = AREAS;
/** A policy may also name what no key leads to. */
const PLACES: readonly string[] = [...AREAS, ".git", ".choir"];
