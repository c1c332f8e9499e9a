import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";

/**
 * Removes a folder that nobody else writes to. Where Node can't, the system's own programs do: in directories that their
 * owner may not read, as the kernel leaves them where an overlay worked, and deeper than a path can be long.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await run("chmod", ["-R", "u+rwx", "--", folder]).catch(() => {}); // what it couldn't reach, rm names
    await run("rm", ["-rf", "--", folder]);
  }
}

const run = promisify(execFile);
