import { posix } from "node:path";
import { type Check, finding, nameOf, type Tree, workspaces } from "./tree.ts";

/** What the checks need to know of a `package.json`. */
export interface Manifest {
  readonly dependencies: readonly string[];
  /** `"."` and other subpaths, and the file that each stands for. */
  readonly exports: ReadonlyMap<string, string>;
}

export const SCOPE = "@choiros/";

/** Other ways to say what a package gives out. There is to be one. */
const OTHER_ENTRIES = ["browser", "main", "module", "types", "typesVersions", "typings"];

/** Every workspace is private, made of ES modules, named after its folder, and gives out what `exports` says: no more. */
export const manifests: Check = (tree) =>
  [...workspaces(tree)].flatMap(([workspace, text]) =>
    faults(tree, workspace, text).map((says) => finding("manifests", `${workspace}/package.json`, says)),
  );

export function manifestOf(tree: Tree, workspace: string): Manifest {
  const json = parsed(tree.get(`${workspace}/package.json`) ?? "");
  return { dependencies: Object.keys(Object(json?.dependencies)), exports: exportsOf(json, workspace) };
}

function faults(tree: Tree, workspace: string, text: string): string[] {
  const json = parsed(text);
  if (json === undefined) return ["is missing, or not a JSON object"];
  const wrong: string[] = [];
  const name = SCOPE + nameOf(workspace);
  if (json.name !== name) wrong.push(`must have the name ${name}, after its folder`);
  if (json.private !== true) wrong.push('must be "private": true');
  if (json.type !== "module") wrong.push('must be "type": "module"');
  for (const field of OTHER_ENTRIES.filter((field) => field in json)) wrong.push(`must not have ${field}: use exports`);
  const exports = exportsOf(json, workspace);
  if (!("exports" in json)) wrong.push("must have exports");
  for (const file of exports.values()) if (!tree.has(file)) wrong.push(`exports ${file}, which doesn't exist`);
  return wrong;
}

function exportsOf(json: Readonly<Record<string, unknown>> | undefined, workspace: string): Map<string, string> {
  const entries = Object.entries(Object(typeof json?.exports === "string" ? { ".": json.exports } : json?.exports));
  return new Map(
    entries.flatMap(([subpath, file]): [string, string][] =>
      typeof file === "string" ? [[subpath, posix.join(workspace, file)]] : [],
    ),
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    // An object that came from JSON has nothing but string keys.
    return typeof json === "object" && json !== null ? (json as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined; // not JSON: that is the answer, not an error
  }
}
