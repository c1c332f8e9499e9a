import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes a folder that an overlay worked in: the kernel leaves directories there that not even their owner may read. */
export async function removeTree(folder: string): Promise<void> {
  await open(folder);
  await rm(folder, { recursive: true, force: true });
}

async function open(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(async () => {
    await chmod(folder, 0o700).catch(() => {}); // not there: nothing to remove
    return readdir(folder, { withFileTypes: true }).catch(() => []);
  });
  for (const entry of entries) if (entry.isDirectory()) await open(join(folder, entry.name));
}
