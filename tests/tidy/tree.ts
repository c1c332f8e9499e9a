import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";

/** A source tree: the path of each file from the root, and its text; no text where it isn't text. */
export type Tree = ReadonlyMap<string, string>;

/** Looks for one kind of untidiness, and gives a line for each place: the file, what is wrong there, and the rule. */
export type Check = (tree: Tree) => string[];

/** What git has and what it would add: so a new file is looked at before it is committed, and an ignored one never. */
export function readTree(root: string): Tree {
  const listing = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    env: gitEnvironment(),
  });
  const files = listing.split("\0").filter((file) => file !== "" && isFile(join(root, file)));
  return new Map([...new Set(files)].sort().map((file) => [file, textOf(join(root, file))]));
}

/** A git hook points git at the repository it runs for; here it is to look at the folder it is in. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _dir, GIT_INDEX_FILE: _index, GIT_WORK_TREE: _tree, ...env } = process.env;
  return env;
}

export function finding(rule: string, file: string, says: string): string {
  return `${file}: ${says} [${rule}]`;
}

const LANGUAGES = [".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs", ".cjs"];

/** TypeScript or JavaScript, by its name. */
export function isModule(file: string): boolean {
  return LANGUAGES.includes(extname(file));
}

/** Whatever people write and a machine runs. */
export function isCode(file: string, text: string): boolean {
  return isModule(file) || extname(file) === ".css" || text.startsWith("#!");
}

/** A test, or a suite that takes what it tests as its argument. */
export function isTest(file: string): boolean {
  return /\.(?:test|suite)\.tsx?$/.test(file);
}

/** The checks' own text names what they ban, and their tests break every rule. */
export function isTidyItself(file: string): boolean {
  return file.startsWith("tests/tidy/") || file === "tests/tidy.test.ts";
}

/** `packages/log` for what lies in it, `undefined` for what lies in no workspace. */
export function workspaceOf(file: string): string | undefined {
  return /^(?:packages|apps)\/[^/]+(?=\/)/.exec(file)?.[0];
}

/** Every workspace of the tree, with the text of its `package.json`. */
export function workspaces(tree: Tree): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of tree.keys()) {
    const workspace = workspaceOf(file);
    if (workspace !== undefined) found.set(workspace, tree.get(`${workspace}/package.json`) ?? "");
  }
  return found;
}

/** The package's name without the scope: that of its folder. */
export function nameOf(workspace: string): string {
  return basename(workspace);
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function textOf(path: string): string {
  const bytes = readFileSync(path);
  return bytes.includes(0) ? "" : bytes.toString("utf8");
}
