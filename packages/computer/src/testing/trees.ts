import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { keyFromBytes } from "@choiros/contract";
import type { Computer } from "../computer-port.ts";
import { AREAS } from "../folder/names.ts";

/** What stands at each key, in a form that reads well where two of them differ: `file 644 text`, `dir 755`, `link target`. */
export type Tree = Readonly<Record<string, string>>;

export function fileText(bytes: string | Uint8Array, mode = 0o644): string {
  return `file ${mode.toString(8)} ${bytesText(Buffer.from(bytes))}`;
}

export function dirText(mode = 0o755): string {
  return `dir ${mode.toString(8)}`;
}

export function linkText(target: string | Uint8Array): string {
  return `link ${bytesText(Buffer.from(target))}`;
}

/** What the disk has, read by nothing but Node: the areas of a computer's root, ignored things and all. */
export function diskTree(root: string): Tree {
  const tree: Record<string, string> = {};
  for (const area of AREAS) walk(Buffer.from(`${root}/${area}`), area, tree);
  return sorted(tree);
}

/** What the computer says stood at a moment, bytes and all. */
export async function computerTree(computer: Computer, at?: number): Promise<Tree> {
  const tree: Record<string, string> = {};
  for await (const page of computer.files(at === undefined ? {} : { at })) {
    for (const { key, entry } of page) {
      const found = entry.kind === "dir" ? undefined : await computer.contents.get(entry.hash);
      if (entry.kind === "dir") tree[key] = dirText(entry.mode);
      else if (found === undefined) tree[key] = `${entry.kind} without its content`;
      else {
        const bytes = Buffer.concat(await Array.fromAsync(found));
        tree[key] = entry.kind === "link" ? linkText(bytes) : fileText(bytes, entry.mode);
      }
    }
  }
  return sorted(tree);
}

export function sorted(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function walk(folder: Buffer, key: string, tree: Record<string, string>): void {
  for (const name of readdirSync(folder, { encoding: "buffer" })) {
    const path = Buffer.concat([folder, Buffer.from("/"), name]);
    const inside = `${key}/${keyFromBytes(name)}`;
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) tree[inside] = linkText(readlinkSync(path, { encoding: "buffer" }));
    else if (stats.isFile()) tree[inside] = fileText(readFileSync(path), stats.mode & 0o7777);
    else if (!stats.isDirectory()) tree[inside] = "odd";
    else {
      tree[inside] = dirText(stats.mode & 0o7777);
      walk(path, inside, tree);
    }
  }
}

/** Long ones by their hash: whoever reads a difference wants to see it. */
function bytesText(bytes: Buffer): string {
  if (bytes.length <= 100) return JSON.stringify(bytes.toString("latin1"));
  return `${bytes.length} bytes ${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}`;
}
