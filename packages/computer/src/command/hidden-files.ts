import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { HOME_INSIDE, type Mount } from "@choiros/sandbox";
import { errorCode } from "../folder/folder-error.ts";
import { AREAS, readName } from "../folder/names.ts";
import { shownPath } from "../shown-path.ts";

/** What a command isn't to see: files and directories that are empty to it. */
export interface Hidden {
  readonly files: readonly string[];
  readonly dirs: readonly string[];
}

/** Where it lies on the host that a command sees in place of what is hidden. */
export interface Blanks {
  readonly file: string;
  readonly dir: string;
}

/** More of them would keep the sandbox busy for seconds before each command. */
const MAX_HIDDEN = 500;

/** Packages that were fetched, and what a program made of a source: nobody keeps a secret of their own there. */
const NOT_LOOKED_INTO = new Set(["node_modules", ".venv", "venv", "__pycache__", ".pnpm-store", ".git"]);

/**
 * Files on the disk that are to be hidden, tracked or ignored. Links aren't followed and not hidden: what they lead to is.
 * One that can't be hidden is told, for then nothing may run.
 */
export async function findHidden(
  root: string,
  hides: (key: string, kind: "file" | "dir") => boolean,
): Promise<Hidden | { readonly why: string }> {
  const files: string[] = [];
  const dirs: string[] = [];
  const folders: Folder[] = AREAS.map((key) => ({ key, path: Buffer.from(join(root, key)) }));
  while (folders.length > 0) {
    const now = folders.splice(-AT_ONCE);
    const found = await Promise.all(now.map(async (folder) => ({ folder, children: await childrenOf(folder) })));
    for (const { folder, children } of found) {
      if (children === "shut") dirs.push(folder.key);
      if (!Array.isArray(children)) continue;
      for (const child of children) {
        if (child.isFile && hides(child.key, "file")) files.push(child.key);
        if (!child.isFolder) continue;
        if (hides(child.key, "dir")) dirs.push(child.key);
        else if (!NOT_LOOKED_INTO.has(child.name)) folders.push(child);
      }
    }
  }
  const all = [...files, ...dirs];
  const odd = all.find((key) => key.includes("//"));
  if (odd !== undefined)
    return { why: `${shownPath(odd)} would have to be hidden from it, and its name isn't text: rename it` };
  if (all.length > MAX_HIDDEN)
    return {
      why: `${all.length} files would have to be hidden from it (${shownPath(all[0] ?? "")} and others): at most ${MAX_HIDDEN} can be`,
    };
  return { files, dirs };
}

export function mountsOver({ files, dirs }: Hidden, blanks: Blanks): Mount[] {
  const over = (from: string) => (key: string) => ({ from, to: join(HOME_INSIDE, key), write: false });
  return [...files.map(over(blanks.file)), ...dirs.map(over(blanks.dir))];
}

interface Folder {
  readonly key: string;
  readonly path: Buffer;
}

/** `shut`: it may be opened by whoever owns it, and so by a command. */
async function childrenOf({ key, path }: Folder) {
  try {
    const names = await readdir(path, { withFileTypes: true, encoding: "latin1" });
    return names.map((child) => {
      const { part } = readName(child.name);
      const bytes = Buffer.concat([path, SLASH, Buffer.from(child.name, "latin1")]);
      return { key: `${key}/${part}`, name: part, path: bytes, isFile: child.isFile(), isFolder: child.isDirectory() };
    });
  } catch (error) {
    const code = errorCode(error);
    if (code === "EACCES" || code === "EPERM") return "shut";
    if (code === "ENOENT" || code === "ENOTDIR") return "gone";
    throw error;
  }
}

const AT_ONCE = 32;
const SLASH = Buffer.from("/");
