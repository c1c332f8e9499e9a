import { folded } from "./folded.ts";
import { TREE } from "./schema.ts";
import { LINE_END, type StateReader, type ValueRow } from "./state-reader.ts";

/** Lines of the tree, as `treePage` gives them, and the last key that was looked at where there are more. */
export interface FoundSlice {
  readonly lines: string;
  readonly looked: number;
  readonly next: string | undefined;
}

/** One slice of a search: of these next paths, those that have every word in them, whatever their case. */
export function findSlice(reader: StateReader, words: readonly string[], after: string, limit: number): FoundSlice {
  const rows = reader.all(NEXT, after, limit) as ValueRow[]; // three columns, by the statement below
  const found = rows.filter(([key]) => {
    const text = folded(key);
    return words.every((word) => text.includes(word));
  });
  const lines = found.map(([key, seq, value]) => `${value} ${seq} ${key}`).join(LINE_END);
  return { lines, looked: rows.length, next: rows.length < limit ? undefined : rows.at(-1)?.[0] };
}

const NEXT = `SELECT key, from_seq, value FROM now WHERE kind = ${TREE} AND key > ? ORDER BY key LIMIT ?`;
