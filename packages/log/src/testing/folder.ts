import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Every file under a folder with the hash of its bytes, but for the writer's lock and what SQLite makes to look at a file:
 * its shared memory, and a write-ahead log with nothing in it.
 */
export function filesIn(dir: string): Record<string, string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() && !/-shm$|^writer\./.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.endsWith("-wal") || statSync(path).size > 0)
      .sort()
      .map((path) => [path.slice(dir.length + 1), createHash("sha256").update(readFileSync(path)).digest("hex")]),
  );
}
