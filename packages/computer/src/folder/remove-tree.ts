import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes a folder that nobody else writes to, also with directories in it that their owner may not read. */
export async function removeTree(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EACCES" && error.code !== "EPERM") throw error;
    await makeWritable(folder);
    await rm(folder, { recursive: true, force: true });
  });
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const child of await readdir(folder, { withFileTypes: true })) {
    if (child.isDirectory()) await makeWritable(join(folder, child.name));
  }
}
