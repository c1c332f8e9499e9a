import { existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { renameDurably, syncFolder } from "./durable.ts";
import { LOG_FILE, SALVAGED_FILE } from "./places.ts";

/**
 * Puts a salvaged log in the place of the damaged one, which is kept in a folder beside it. The salvaged file got its
 * name when it was complete, so wherever this is cut off, the next opening finishes it. Returns where the old one went.
 */
export function finishSalvage(dir: string): string | undefined {
  const salvaged = join(dir, SALVAGED_FILE);
  if (!existsSync(salvaged)) return undefined;
  // Named after the salvage, not after now: a second try must put the rest beside what the first one moved.
  const made = statSync(salvaged).mtime.toISOString();
  const kept = join(dir, `damaged-${made.replaceAll(/[:.]/g, "")}`);
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  // The WAL goes first: left behind, it would be replayed into the new file.
  for (const name of [`${LOG_FILE}-wal`, `${LOG_FILE}-shm`, LOG_FILE]) {
    if (existsSync(join(dir, name))) renameSync(join(dir, name), join(kept, name));
  }
  syncFolder(kept);
  renameDurably(salvaged, join(dir, LOG_FILE));
  return kept;
}
