import { basename, join } from "node:path";
import { isBarrel } from "./syntax.ts";
import { type Check, finding, isCode, isModule, type Tree, workspaces } from "./tree.ts";

/** Names for a heap. They say nothing about what is inside, so everything gets put there. */
const HEAPS = /(?:^|-)(?:utils?|helpers?|managers?|services?|common|misc|libs?)$/;
const KEBAB = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Files and folders have kebab-case names that say what is inside, and only a package's own entries are barrels. */
export const names: Check = (tree) => [...badNames(tree), ...barrels(tree)];

function badNames(tree: Tree): string[] {
  const stems = [...tree].filter(([file, text]) => isCode(file, text)).map(([file]): Named => [file, stemOf(file)]);
  const folders = [...foldersOf(tree)].map((folder): Named => [folder, basename(folder)]);
  return [...folders, ...stems].flatMap(([path, name]) => {
    if (HEAPS.test(name)) return [finding("names", path, `is named ${name}: name it after what is inside`)];
    if (!KEBAB.test(name)) return [finding("names", path, `is named ${name}: names are in kebab-case`)];
    return [];
  });
}

type Named = [path: string, name: string];

function barrels(tree: Tree): string[] {
  const indexes = new Set([...workspaces(tree).keys()].flatMap((workspace) => entriesOf(tree, workspace)));
  return [...tree]
    .filter(([file, text]) => isModule(file) && !indexes.has(file) && isBarrel(file, text))
    .map(([file]) => finding("names", file, "only passes on what others export: import them where they are"));
}

/** What a package lets others import: its `index.ts`, and whatever else its manifest names. */
function entriesOf(tree: Tree, workspace: string): string[] {
  const manifest: { exports?: Record<string, string> } = JSON.parse(tree.get(`${workspace}/package.json`) ?? "{}");
  const named = Object.values(manifest.exports ?? {}).map((entry) => join(workspace, entry));
  return [`${workspace}/src/index.ts`, ...named];
}

/** `event-log` of `src/event-log.int.test.ts`. */
function stemOf(file: string): string {
  return basename(file).replace(/(?<=.)\..*$/, "");
}

function foldersOf(tree: Tree): Set<string> {
  const folders = new Set<string>();
  for (const file of tree.keys()) {
    const parts = file.split("/");
    for (let count = 1; count < parts.length; count++) folders.add(parts.slice(0, count).join("/"));
  }
  return folders;
}
