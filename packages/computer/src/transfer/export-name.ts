import { link, lstat, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { LogError } from "@choiros/log";
import { errorCode } from "../folder/folder-error.ts";
import { kindOf, oddKind } from "../folder/stat.ts";

/** An export is never written over anything: what is there may be the only copy of what it holds. */
export async function assertFree(file: string): Promise<void> {
  const folder = dirname(file);
  const above = await stat(folder).catch(unlessMissing);
  if (above === undefined) throw new LogError("misuse", `there is no folder ${folder}: make it first`);
  if (!above.isDirectory()) throw new LogError("misuse", `${folder} is not a folder`);
  const there = await lstat(file).catch(unlessMissing); // never opened: a FIFO would wait for a reader
  if (there === undefined) return;
  if (kindOf(there.mode) === "odd")
    throw new LogError("misuse", `${file} is ${oddKind(there.mode)}: name a file instead`);
  throw taken(file);
}

function unlessMissing(error: unknown): undefined {
  if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") throw error;
}

function taken(file: string): LogError {
  return new LogError("misuse", `${file} is there already: choose another name, or remove it first`);
}

/** Gives a file that is complete its name, durably; refused where something has that name by now. */
export async function giveName(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
    await rm(draft);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw taken(file);
    if (!NO_LINKS.has(errorCode(error))) throw error;
    await takeName(draft, file);
  }
  const folder = await open(dirname(file), "r");
  await folder.sync().finally(() => folder.close());
}

/**
 * For a file system without hard links. The name is taken with an empty file first, which fails where there is one, and
 * what is renamed over is our own. Cut off in between, that empty file stays; nobody else's is ever covered.
 */
async function takeName(draft: string, file: string): Promise<void> {
  const own = await open(file, "wx", 0o600).catch((error: unknown) => {
    throw errorCode(error) === "EEXIST" ? taken(file) : error;
  });
  await own.close();
  await rename(draft, file);
}

const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
