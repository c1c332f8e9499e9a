import { hash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Computer } from "@choiros/computer";
import { hold } from "../promise.ts";

const AREAS = ["workspace", "artifacts", "choiros"];

/** What stands in a computer's folder, told past all of our own code: kind, mode and hash for each path. */
export function walkFolder(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const area of AREAS) walk(root, area, found);
  return found;
}

function walk(root: string, key: string, found: Map<string, string>): void {
  for (const name of readdirSync(join(root, key))) {
    const child = `${key}/${name}`;
    const path = join(root, child);
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o1777).toString(8);
    if (stats.isDirectory()) {
      found.set(child, `dir ${mode}`);
      walk(root, child, found);
    } else if (stats.isSymbolicLink()) found.set(child, `link ${hash("sha256", readlinkSync(path, "buffer"))}`);
    else found.set(child, `file ${mode} ${hash("sha256", readFileSync(path))}`);
  }
}

/** What the computer says should stand there. */
export async function treeOf(computer: Computer, at?: number): Promise<Map<string, string>> {
  const tree = new Map<string, string>();
  for await (const page of computer.files(at === undefined ? {} : { at })) {
    for (const { key, entry } of page) {
      const mode = entry.mode.toString(8);
      if (entry.kind === "dir") tree.set(key, `dir ${mode}`);
      else tree.set(key, entry.kind === "link" ? `link ${entry.hash}` : `file ${mode} ${entry.hash}`);
    }
  }
  return tree;
}

/** The first difference between two trees; `undefined` where they are alike. */
export function difference(is: ReadonlyMap<string, string>, should: ReadonlyMap<string, string>): string | undefined {
  for (const [key, line] of should) if (is.get(key) !== line) return `${key} is ${is.get(key)}, and should be ${line}`;
  for (const [key, line] of is) if (!should.has(key)) return `${key} is ${line}, and should not be there`;
  return undefined;
}

/** The folder has what the log says, byte for byte, and nothing else. */
export async function checkFolder(computer: Computer): Promise<void> {
  const wrong = difference(walkFolder(computer.root), await treeOf(computer));
  hold(wrong === undefined, () => `in the folder ${wrong}`);
}

/** What a crash may leave is gone once the computer is open again. */
export function checkNothingLeft(root: string): void {
  const dir = join(root, ".choir");
  const left = readdirSync(dir).filter((name) => /^verify-|\.new$|\.incomplete$/.test(name));
  for (const folder of ["contents/incoming", "layers", "snapshots"]) {
    left.push(...namesIn(join(dir, folder)).filter((name) => folder !== "snapshots" || name.endsWith(".new")));
  }
  left.push(...unlisted(dir));
  hold(left.length === 0, () => `${left.join(", ")} was left in .choir`);
}

/** Files of large contents that the list doesn't know: nobody would ever remove them. */
function unlisted(dir: string): string[] {
  const folders = namesIn(join(dir, "contents")).filter((name) => name.length === 2);
  const files = folders.flatMap((folder) => namesIn(join(dir, "contents", folder)).map((name) => join(folder, name)));
  const list = new DatabaseSync(join(dir, "contents.sqlite"), { readOnly: true }); // now: a file is noted before it is made
  const known = new Set(
    list
      .prepare("SELECT name FROM file")
      .all()
      .map(({ name }) => name),
  );
  list.close();
  return files.filter((file) => !known.has(basename(file)) && existsSync(join(dir, "contents", file)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // made when it is needed
  }
}
