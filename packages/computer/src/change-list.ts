import {
  type ContentRef,
  type KeyChange,
  type KnownEvent,
  MAX_INLINE_CHANGES,
  type PathChange,
  pathFromKey,
  pathKey,
} from "@choiros/contract";
import { type Contents, changeLines, LogError } from "@choiros/log";
import type { Change } from "./outcome.ts";

/** The changes of an event as its payload carries them. */
export type Carried =
  | { readonly changes: readonly (PathChange | KeyChange)[] }
  | { readonly count: number; readonly list: ContentRef };

/**
 * Changes in the form an event takes: in it, or as a content of their own, which is durable before the event names it.
 * Such a list is a JSON array with one change a line, so that it can be written and read without having it all in memory.
 */
export async function carry(contents: Contents, changes: readonly Change[]): Promise<Carried> {
  if (changes.length <= MAX_INLINE_CHANGES) {
    const carried = changes.map(carriedChange);
    if (JSON.stringify(carried).length <= MAX_INLINE_CHARACTERS) return { changes: carried };
  }
  const list = await contents.put(listOf(changes));
  return { count: changes.length, list };
}

/** A hundred changes of long paths would make an event larger than it may be. */
const MAX_INLINE_CHARACTERS = 128 * 1024;

/** Changes in one slice. */
const SLICE = 1000;

async function* listOf(changes: readonly Change[]): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < changes.length; at += SLICE) {
    const lines = changes.slice(at, at + SLICE).map((change) => JSON.stringify(carriedChange(change)));
    yield Buffer.from(`${at === 0 ? "[\n" : ",\n"}${lines.join(",\n")}`);
  }
  yield Buffer.from(changes.length === 0 ? "[]" : "\n]");
}

/** Whether an event has a list of changes at all. */
export function hasChanges(event: KnownEvent): boolean {
  return "changes" in event.payload || "list" in event.payload;
}

/** What an event changed, in its own order, in slices. */
export async function* changesOf(contents: Contents, event: KnownEvent): AsyncGenerator<readonly Change[]> {
  const { payload } = event;
  if ("changes" in payload) yield payload.changes.map(plainChange);
  else if ("list" in payload) yield* readList(contents, payload.list, event.seq);
}

async function* readList(contents: Contents, list: ContentRef, seq: number): AsyncGenerator<readonly Change[]> {
  const bytes = await contents.get(list.hash);
  if (bytes === undefined) throw new LogError("damaged", `the list of what event ${seq} changed is gone`);
  for await (const slice of changeLines(bytes)) yield slice.map(plainChange);
}

function carriedChange(change: Change): PathChange | KeyChange {
  const { before, after } = change;
  if ("name" in change) return { after: change.after, before: change.before, key: change.name };
  return { after, before, path: pathFromKey(change.key) } as PathChange; // not a window's: it has a path's key
}

function plainChange(change: PathChange | KeyChange): Change {
  const { before, after } = change;
  if ("key" in change) return { name: change.key, before: change.before, after: change.after };
  return { key: pathKey(change.path), before, after } as Change; // as above
}
