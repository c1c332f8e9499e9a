import type { ChangeTo, Entry, Envelope, Json, StateTable } from "@choiros/contract";
import type { Change } from "../outcome.ts";
import type { ChangeRow } from "./changes.ts";
import { entryEnd, entryFrom } from "./entry-text.ts";
import { TREE } from "./schema.ts";
import { LINE_END } from "./state-reader.ts";

/** An event, and what it changed where that is a list of its own; else its payload says so. */
export interface Applicable {
  readonly event: Envelope;
  readonly changes?: AsyncIterable<readonly ChangeTo[]> | Iterable<readonly ChangeTo[]>;
}

export interface TreeLine {
  readonly key: string;
  readonly entry: Entry;
  /** The event that made it so. */
  readonly seq: number;
}

/** What stood at a key from one event up to another; `to` is `null` where it still stands, `value` where nothing stood. */
export interface VersionOf<Value> {
  readonly from: number;
  readonly to: number | null;
  readonly value: Value | null;
}

export interface Row {
  readonly key: string;
  readonly value: Json;
  readonly seq: number;
}

export type Counts = Readonly<Record<"tree" | StateTable, number>>;

export interface TreeQuery {
  readonly at?: number;
  readonly under?: string;
  /** Only what is directly in `under`. */
  readonly direct?: boolean;
  readonly after?: string;
  readonly limit?: number;
}

/** As the thread packs it: the entry, the seq, the key. */
function treeLine(line: string): TreeLine {
  const end = entryEnd(line);
  const next = line.indexOf(" ", end + 1);
  return { key: line.slice(next + 1), entry: entryFrom(line, end), seq: Number(line.slice(end + 1, next)) };
}

export function parse(text: string): Json {
  return JSON.parse(text);
}

export function changeOf([kind, key, early, late]: ChangeRow, forward: boolean): Change {
  const [before, after] = forward ? [early, late] : [late, early];
  if (kind === TREE) {
    return { key, before: before === null ? null : entryFrom(before), after: after === null ? null : entryFrom(after) };
  }
  return { name: key, before: before === null ? null : parse(before), after: after === null ? null : parse(after) };
}

/** All that a thread has, asked for slice by slice. */
export async function* inSlices<Item, Cursor>(
  ask: (cursor?: Cursor) => Promise<{ readonly rows: readonly Item[]; readonly next: Cursor | undefined }>,
): AsyncGenerator<readonly Item[]> {
  let cursor: Cursor | undefined;
  do {
    const { rows, next } = await ask(cursor);
    if (rows.length > 0) yield rows;
    cursor = next;
  } while (cursor !== undefined);
}

export function* slices<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Items in order of their keys, a page after the other. */
export async function* inPages<Item extends { readonly key: string }>(
  query: TreeQuery,
  size: number,
  ask: (after: string | undefined, limit: number) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let { after, limit: left = Number.POSITIVE_INFINITY } = query;
  while (left > 0) {
    const limit = Math.min(left, size);
    const page = await ask(after, limit);
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    after = page.at(-1)?.key;
    left -= page.length;
  }
}

/** Lines of the tree as they cross from the thread: one text in a fraction of the time that many rows take. */
export function treeLines(page: string): TreeLine[] {
  return page === "" ? [] : page.split(LINE_END).map(treeLine);
}

/** What the thread answers for each of many keys, asked for some at a time. */
export async function ofEach<Answer>(
  keys: readonly string[],
  size: number,
  ask: (part: readonly string[]) => Promise<readonly Answer[]>,
): Promise<(readonly [key: string, answer: Answer])[]> {
  const all: (readonly [string, Answer])[] = [];
  for (const part of slices(keys, size))
    for (const [i, answer] of (await ask(part)).entries()) all.push([part[i] ?? "", answer]);
  return all;
}
