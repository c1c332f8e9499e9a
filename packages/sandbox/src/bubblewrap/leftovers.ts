import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { clearGroup } from "./group-files.ts";
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
