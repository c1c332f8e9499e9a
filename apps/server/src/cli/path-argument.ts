import { AREAS, shownPath } from "@choiros/computer";
import { Path, pathFromKey, pathKey } from "@choiros/contract";
import { UsageError } from "../command-error.ts";

const [WORKSPACE] = AREAS;
/** A byte that isn't UTF-8, in the spelling of keys. */
const ODD_BYTE = /^\/\/[0-9a-f]{2}/;

export const PATH_HELP = [
  "PATH is relative to workspace/; with a leading slash, to the computer's root: /artifacts/system/theme.json.",
  "A byte of a name that isn't UTF-8 is written as two slashes and two hex digits, as 'choir files' prints it: caf//e9.",
];

/** The key of the path that somebody wrote. `area` allows the computer's own folders, too: `.`, `/artifacts`. */
export function pathArgument(word: string, options: { readonly area?: boolean } = {}): string {
  if (word === "") throw new UsageError("a path can't be empty");
  const key = keyOf(word);
  const [area = ""] = key.split("/", 1);
  if (!AREAS.some((one) => one === area)) {
    throw new UsageError(`'${word}' is not in the computer: after a leading slash stands ${AREAS.join(", ")}`);
  }
  if (key === area) {
    if (options.area === true) return key;
    throw new UsageError(`'${word}' is one of the computer's own folders: say what in it`);
  }
  const path = Path.safeParse(pathFromKey(key));
  if (!path.success) throw new UsageError(`'${word}' can't be a path: it ${faultIn(path.error.issues[0])}`);
  if (pathKey(path.data) === key) return key;
  throw new UsageError(`'${word}' has a plainer spelling: '${shownPath(pathKey(path.data))}'`);
}

function keyOf(word: string): string {
  const rooted = word.startsWith("/") && !ODD_BYTE.test(word);
  const rest = (rooted ? word.slice(1) : withoutDots(word)).replace(/\/+$/, "");
  if (rooted) return rest;
  return rest === "" || rest === "." ? WORKSPACE : `${WORKSPACE}/${rest}`;
}

/** `./notes.md` is `notes.md`; but `.//ff` is a name of its own: a dot, and a byte. */
function withoutDots(word: string): string {
  return word.replace(/^(?:\.\/(?!\/[0-9a-f]{2}))+/, "");
}

function faultIn(issue: { readonly message: string; readonly errors?: unknown } | undefined): string {
  // A path is a text or bytes: what the first of the two schemas found is what is wrong with it.
  const errors = issue?.errors;
  const nested: unknown = Array.isArray(errors) ? errors.flat().find(isOwnFault) : undefined;
  return isOwnFault(nested) ? nested.message : (issue?.message ?? "is not one");
}

function isOwnFault(issue: unknown): issue is { message: string } {
  return Object(issue).code === "custom";
}
