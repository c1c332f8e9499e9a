import { existsSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { FolderLock } from "./folder-lock.ts";

/** Where a store is made of a copy, beside its place. */
export function draftOf(dir: string): string {
  return `${dir}.importing`;
}

/** Removes what was cut off. Where it is still at work, that is a `Refusal`, as held. */
export async function clearDraft(dir: string): Promise<void> {
  const draft = draftOf(dir);
  if (!existsSync(draft)) return;
  new FolderLock(draft, "import").release();
  await rm(draft, { recursive: true, force: true });
}

/** The folders above a path that aren't there, from the bottom up. */
export function missingAbove(path: string): string[] {
  const missing: string[] = [];
  for (let at = dirname(path); !existsSync(at); at = dirname(at)) missing.push(at);
  return missing;
}

/** Takes folders away again that were made for nothing, unless somebody put something there. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => {}); // not empty any more: then it is somebody's
}
