import { type KeyChange, type PathChange, pathKey, recognise } from "@choiros/contract";
import type { Moment } from "../../desk/socket.ts";

/** How many files these events changed, as far as they name them. */
export function filesIn(edits: readonly Moment[]): number {
  const long = edits.reduce((sum, { event: { payload } }) => sum + (Number(payload.count) || 0), 0);
  return new Set(keysIn(edits)).size + long;
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
