import { posix } from "node:path";
import { manifestOf, SCOPE } from "./manifests.ts";
import { importsOf } from "./syntax.ts";
import { type Check, finding, isModule, nameOf, type Tree, workspaces } from "./tree.ts";

/** No file needs itself to load. Types may know each other: they are gone by then. */
export const cycles: Check = (tree) => {
  const graph = graphOf(tree);
  const done = new Set<string>();
  const found: string[] = [];

  const walk = (file: string, way: readonly string[]) => {
    if (way.includes(file)) {
      const circle = [...way.slice(way.indexOf(file)), file];
      found.push(finding("cycles", file, `imports itself in a circle: ${circle.join(" -> ")}`));
    }
    if (done.has(file)) return;
    done.add(file);
    for (const next of graph.get(file) ?? []) walk(next, [...way, file]);
  };

  for (const file of graph.keys()) walk(file, []);
  return found;
};

function graphOf(tree: Tree): Map<string, Set<string>> {
  const entries = entriesOf(tree);
  const graph = new Map<string, Set<string>>();
  for (const [file, text] of tree) {
    if (!isModule(file)) continue;
    const targets = importsOf(file, text)
      .filter((imported) => !imported.typeOnly)
      .map(({ specifier }) => entries.get(specifier) ?? posix.join(posix.dirname(file), specifier));
    graph.set(file, new Set(targets.filter((target) => tree.has(target) && isModule(target))));
  }
  return graph;
}

/** The file behind each name by which a package can be imported. */
function entriesOf(tree: Tree): Map<string, string> {
  const entries = new Map<string, string>();
  for (const workspace of workspaces(tree).keys()) {
    for (const [subpath, file] of manifestOf(tree, workspace).exports) {
      entries.set(posix.join(SCOPE + nameOf(workspace), subpath), file);
    }
  }
  return entries;
}
