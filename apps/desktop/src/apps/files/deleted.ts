import { type Entry, isBelow, type KnownEvent, parentKey, pathKey, recognise } from "@choiros/contract";
import type { DeskApi } from "../../desk/api.ts";

/** What stood in a folder, and the event that took it away. */
export interface Deleted {
  readonly key: string;
  readonly entry: Entry;
  readonly seq: number;
  readonly ts: string;
  readonly source: string;
  readonly type: string;
  /** By which means, where the event says so. */
  readonly by?: unknown;
}

interface Change {
  readonly key: string;
  readonly before: Entry | null;
  readonly after: Entry | null;
}

/** So many events are looked through at a time. */
export const STRETCH = 20_000;
/** Only with these does something go; what one move took is elsewhere. */
const TYPES = ["file.delete", "dir.delete", "files.changed", "undo"];

/** What was deleted from a folder within these events, the last first, each path once. */
export async function deletedIn(
  desk: Pick<DeskApi, "events" | "files">,
  folder: string,
  { from, to, signal }: { readonly from: number; readonly to: number; readonly signal: AbortSignal },
): Promise<readonly Deleted[]> {
  const events: KnownEvent[] = [];
  await desk.events(
    { key: folder, newest: true, from, to, type: TYPES },
    {
      signal,
      onItem({ event }) {
        const known = recognise(event);
        if (known.ok) events.push(known.value);
      },
    },
  );
  const found = new Map<string, Deleted>();
  for (const event of events) {
    const { payload, seq, source, ts, type } = event;
    const by = "by" in payload ? { by: payload.by } : {};
    for (const { key, before } of gone(await changesOf(desk, event, folder, signal), folder))
      if (before !== null && !found.has(key)) found.set(key, { key, entry: before, seq, source, ts, type, ...by });
  }
  return [...found.values()];
}

/** A long list doesn't stand in its event: of that the server tells what lies here. */
async function changesOf(
  { files }: Pick<DeskApi, "files">,
  { payload, seq }: KnownEvent,
  folder: string,
  signal: AbortSignal,
): Promise<readonly Change[]> {
  if ("changes" in payload)
    return payload.changes.flatMap((change) => ("path" in change ? { ...change, key: pathKey(change.path) } : []));
  const changes: Change[] = [];
  await files.diff(
    { from: seq - 1, to: seq, key: folder },
    { signal, onItem: ({ change }) => "key" in change && changes.push(change) },
  );
  return changes;
}

/** What went from right here, and isn't elsewhere since with the same bytes: that was moved. */
function gone(changes: readonly Change[], folder: string): readonly Change[] {
  const came = new Set(changes.flatMap(({ before, after }) => (before === null ? hashOf(after) : [])));
  const went = changes.filter(({ after }) => after === null);
  const isMoved = ({ before }: Change) => hashOf(before).some((hash) => came.has(hash));
  return went.filter((change) => {
    if (parentKey(change.key) !== folder) return false;
    const files = went.filter(({ key, before }) => isBelow(key, change.key) && before?.kind !== "dir");
    return change.before?.kind === "dir" ? files.length === 0 || !files.every(isMoved) : !isMoved(change);
  });
}

function hashOf(entry: Entry | null): readonly string[] {
  return entry === null || entry.kind === "dir" ? [] : [entry.hash];
}
