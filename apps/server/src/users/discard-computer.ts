import { randomUUID } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { UserId } from "@choiros/contract";
import { FolderLock } from "@choiros/log";
import { CommandError } from "../command-error.ts";
import type { Home } from "../home.ts";

/** Removes a computer's folder, in which nobody writes. It is no computer from the first step on. */
export function discardComputer(home: Home, id: UserId): void {
  const lock = new FolderLock(home.storeOf(id), "choir user remove");
  const aside = join(home.path, "users", `.${id}.${randomUUID()}`);
  try {
    renameSync(home.rootOf(id), aside);
  } finally {
    lock.release();
  }
  try {
    rmSync(aside, { recursive: true, force: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`not all of its folder could be removed: ${why}. What is left is in ${aside}`);
  }
}
