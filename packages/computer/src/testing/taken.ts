import { parentKey } from "@choiros/contract";
import { isTree } from "./tree-model.ts";
import type { Tree } from "./trees.ts";

/** What is in a file or a link, whatever its mode. */
export function contentOf(text: string | undefined): string | undefined {
  return text?.startsWith("dir ") ? undefined : text?.replace(/^file \d+ /, "");
}

export function isAbove(key: string, other: string): boolean {
  for (let up = parentKey(other); up !== undefined; up = parentKey(up)) if (up === key) return true;
  return false;
}

/** The plain cases of an undo: each path is still as the target left it. Others are for the properties of the plan. */
export function taken(now: Tree, then: Tree, left: Tree, touched: readonly string[]): Tree | undefined {
  if (touched.some((key) => now[key] !== left[key])) return undefined;
  const tree: Record<string, string> = { ...now };
  for (const key of touched) {
    const text = then[key];
    if (text === undefined) delete tree[key];
    else tree[key] = text;
  }
  return isTree(tree) ? tree : undefined;
}
