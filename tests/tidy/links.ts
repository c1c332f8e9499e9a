import { posix } from "node:path";
import { anchorsOf, type Link, linksOf } from "./markdown.ts";
import { lineAt } from "./syntax.ts";
import { type Check, finding, type Tree } from "./tree.ts";

/** Each link between files leads somewhere: to a file or folder, and to a heading or line in it. */
export const links: Check = (tree) =>
  [...tree]
    .filter(([file]) => file.endsWith(".md"))
    .flatMap(([file, text]) =>
      linksOf(text).flatMap((link) => {
        const fault = faultOf(tree, file, link);
        return fault === undefined ? [] : [finding("links", `${file}:${lineAt(text, link.offset)}`, fault)];
      }),
    );

function faultOf(tree: Tree, file: string, { target }: Link): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return undefined; // the web's to keep, not ours
  if (target === "") return "has a link to nothing";
  const [path = "", anchor] = target.split("#", 2);
  const found = path === "" ? file : resolve(file, path);
  if (found === undefined || !exists(tree, found)) return `links to ${target}, which doesn't exist`;
  if (anchor === undefined || hasAnchor(tree.get(found) ?? "", found, anchor)) return undefined;
  return `links to ${target}, but ${found} has no #${anchor}`;
}

/** The path from the root; `undefined` where it can't be read as one. */
function resolve(file: string, path: string): string | undefined {
  const from = path.startsWith("/") ? "." : posix.dirname(file);
  try {
    return posix.join(from, decodeURIComponent(path)).replace(/\/$/, "");
  } catch {
    return undefined; // a stray '%': that is the answer, not an error
  }
}

function exists(tree: Tree, path: string): boolean {
  if (path === "." || tree.has(path)) return true;
  return [...tree.keys()].some((file) => file.startsWith(`${path}/`));
}

function hasAnchor(text: string, file: string, anchor: string): boolean {
  if (file.endsWith(".md")) return anchorsOf(text).has(anchor);
  const lines = /^L(\d+)(?:-L(\d+))?$/.exec(anchor);
  return lines !== null && Number(lines[2] ?? lines[1]) <= text.split("\n").length;
}
