import type { Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { messageOf } from "@choiros/log";
import { commit, withParents } from "../commit.ts";
import type { ActOptions } from "../computer-port.ts";
import { IGNORE_KEY, Ignored } from "../folder/ignored.ts";
import type { Outcome, Refused } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { readEntry } from "../read-entry.ts";
import type { LocalParts } from "../readable-computer.ts";
import { shownPath } from "../shown-path.ts";
import { isHome, ownFolderFault } from "./our-own.ts";
import { Source } from "./source.ts";
import { refused } from "./write-file.ts";

/**
 * Brings a folder of this machine in. Its contents are stored first, then one event names them all: cut off before that,
 * nothing has happened. Whatever can't be kept, or is ignored, is left out and told.
 */
export async function addFolder(
  parts: LocalParts,
  folder: string,
  to: string,
  options: ActOptions = {},
): Promise<Outcome> {
  const found = await folderAt(folder, parts.root);
  if ("ok" in found) return found;
  const source = new Source(found.path, parts, await ignoredIn(parts), options);
  await source.folder(Buffer.from(found.path), to, found.stats);
  return parts.turns.take(async () => {
    const { notes } = await parts.reconciler.ready([to]);
    if ((await parts.state.entries([to])).has(to)) {
      return refused(`${shownPath(to)} is there already: choose another place with --to, or remove it first`);
    }
    const complete = await withParents(parts, source.changes);
    if ("why" in complete) return refused(complete.why);
    const all = { ...options, notes: [...notes, ...source.left.notes] };
    return commit(parts, { type: "files.changed", extra: { by: "import" } }, complete, all);
  });
}

/** The one that somebody named may be a link; in it, links are links. */
async function folderAt(folder: string, root: string): Promise<{ path: string; stats: Stats } | Refused> {
  try {
    const path = await realpath(folder);
    const stats = await lstat(path);
    if (!stats.isDirectory()) return refused(`${folder} is not a folder`);
    const fault = await ownFolderFault(path, root);
    if (fault !== undefined) return refused(fault);
    const home =
      "is a ChoirOS home: add the workspace of a computer in it, or 'choir export' there and 'choir import' here";
    return (await isHome(Buffer.from(path))) ? refused(`${folder} ${home}`) : { path, stats };
  } catch (error) {
    return refused(`${folder} can't be read: ${messageOf(error)}`, "missing");
  }
}

async function ignoredIn({ state, contents }: Parts): Promise<Ignored> {
  const rules = (await state.entries([IGNORE_KEY])).get(IGNORE_KEY);
  const bytes = rules?.kind === "file" ? await readEntry(contents)(rules) : undefined;
  return new Ignored(bytes === undefined ? "" : Buffer.from(bytes).toString("utf8"));
}
