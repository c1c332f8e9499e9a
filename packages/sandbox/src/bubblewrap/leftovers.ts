import { readlinkSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { childrenOf, clearGroup } from "./group-files.ts";
import { isAlive } from "./owner.ts";
import { removeTree } from "./remove-tree.ts";

/** Sandboxes have their folders in `runDir`, named after the process that made them. */
export const FOLDER_PREFIX = "sandbox-";
/** In such a folder: the control groups that belong to it, one a line. */
export const GROUPS_FILE = "groups";

/** Removes what sandboxes left behind whose server was killed. Those of a server that runs are let alone. */
export async function clearLeftovers(runDir: string): Promise<void> {
  for (const name of await readdir(runDir)) {
    const owner = /^sandbox-(\d+-\d+)-/.exec(name)?.[1];
    if (owner === undefined || isAlive(owner)) continue;
    const groups = await readFile(join(runDir, name, GROUPS_FILE), "utf8").catch(() => "");
    for (const folder of groups.split("\n")) if (folder !== "") clearGroup(folder);
    await removeTree(join(runDir, name));
  }
}

/** What the control groups of a sandbox are called. Who is alive can be told only where processes have the same numbers. */
export function groupName(folder: string): string {
  return `${groupPrefix()}${basename(folder)}`;
}

/** The same for groups, by those that stand beside ours: the folder that names them may be gone with its home. */
export function clearLeftGroups(ours: readonly string[]): void {
  const prefix = `${groupPrefix()}${FOLDER_PREFIX}`;
  for (const parent of new Set(ours.map(dirname))) {
    for (const name of childrenOf(parent)) {
      if (!name.startsWith(prefix)) continue;
      const owner = /^(\d+-\d+)-/.exec(name.slice(prefix.length))?.[1];
      if (owner !== undefined && !isAlive(owner)) clearGroup(join(parent, name));
    }
  }
}

function groupPrefix(): string {
  return `choiros-${/\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0]}-`;
}
