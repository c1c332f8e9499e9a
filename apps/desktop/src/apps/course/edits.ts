import { type KeyChange, type PathChange, pathKey, recognise } from "@choiros/contract";
import type { Moment } from "../../desk/socket.ts";
import type { TakenBack } from "../../desk/undos.ts";

/** How many files these events changed, as far as they name them; without what is taken back of each. */
export function filesIn(edits: readonly Moment[], takenOf: (edit: Moment) => TakenBack | undefined = () => undefined) {
  const standing = edits.map((edit) => ({ edit, taken: takenOf(edit) })).filter(({ taken }) => taken?.isWhole !== true);
  const long = standing.reduce((sum, { edit }) => sum + (Number(edit.event.payload.count) || 0), 0);
  const keys = standing.flatMap(({ edit, taken }) => keysIn([edit]).filter((key) => taken?.but.includes(key) ?? true));
  return new Set(keys).size + long;
}

/** The keys of files, as far as the events name them. */
export function keysIn(edits: readonly Moment[]): string[] {
  return edits.flatMap(({ event }) => {
    const known = recognise(event);
    if (!known.ok || !("changes" in known.value.payload)) return [];
    return [...known.value.payload.changes].flatMap((change) => (isFile(change) ? [pathKey(change.path)] : []));
  });
}

/** Folders that come and go with files are no work of their own. */
function isFile(change: KeyChange | PathChange): change is PathChange {
  return "path" in change && (change.after ?? change.before)?.kind !== "dir";
}
