import { type KeyRange, rangesUnder } from "./key-range.ts";
import { TREE } from "./schema.ts";
import type { StateReader } from "./state-reader.ts";

export interface TouchingRequest {
  /** A path: it, and what is below it; anywhere, unless told. */
  readonly key?: string;
  /** What a path has in it, all of them, as they are compared. */
  readonly words?: readonly string[];
  /** The first and the last event to look at. */
  readonly from: number;
  readonly to: number;
  /** From the last one backwards. */
  readonly newest: boolean;
}

export interface TouchingSlice {
  readonly seqs: readonly number[];
  /** What is left to look at. */
  readonly next: { readonly from: number; readonly to: number } | undefined;
}

/** So few versions are read by their paths; of more, those of some events at a time. */
const FEW_VERSIONS = 5000;
const EVENTS = 2000;

/** A slice of the events that changed something at such a path, in order. */
export function touchingSlice(reader: StateReader, request: TouchingRequest): TouchingSlice {
  const { key, from, to, newest, words = [] } = request;
  const ranges = key === undefined ? [] : [{ from: key, to: `${key}\0` }, ...rangesUnder(key)];
  const few = key === undefined || words.length > 0 ? undefined : fewVersions(reader, ranges);
  if (few !== undefined) {
    const seqs = [...new Set(few)].filter((seq) => seq >= from && seq <= to);
    return { seqs: ordered(seqs, newest), next: undefined };
  }
  const [first, last] = newest ? [Math.max(from, to - EVENTS + 1), to] : [from, Math.min(to, from + EVENTS - 1)];
  const bounds = ranges.flatMap((range) => [range.from, range.to]);
  const rows = reader.all(between(ranges.length, words.length), first, last, ...bounds, ...words) as [number][]; // one column, by the statement below
  const rest = newest ? { from, to: first - 1 } : { from: last + 1, to };
  const seqs = rows.map(([seq]) => seq);
  return { seqs: ordered(seqs, newest), next: rest.from > rest.to ? undefined : rest };
}

function fewVersions(reader: StateReader, ranges: readonly KeyRange[]): number[] | undefined {
  const seqs: number[] = [];
  for (const { from, to } of ranges) {
    for (const sql of [OF_NOW, OF_PAST]) {
      const rows = reader.all(sql, from, to, FEW_VERSIONS - seqs.length + 1) as [number][]; // as above
      for (const [seq] of rows) seqs.push(seq);
      if (seqs.length > FEW_VERSIONS) return undefined;
    }
  }
  return seqs;
}

function ordered(seqs: number[], newest: boolean): number[] {
  return seqs.sort((a, b) => (newest ? b - a : a - b));
}

const OF_NOW = `SELECT from_seq FROM now WHERE kind = ${TREE} AND key >= ? AND key < ? LIMIT ?`;
const OF_PAST = `SELECT from_seq FROM past INDEXED BY past_key WHERE kind = ${TREE} AND key >= ? AND key < ? LIMIT ?`;

/** Of paths in one of so many ranges, if any, that have so many words in them. */
function between(ranges: number, words: number): string {
  const within = Array.from({ length: ranges }, (_, i) => `(key >= ?${3 + 2 * i} AND key < ?${4 + 2 * i})`);
  const having = Array.from({ length: words }, (_, i) => `instr(folded(key), ?${3 + 2 * ranges + i}) > 0`);
  const fits = [...(ranges > 0 ? [`(${within.join(" OR ")})`] : []), ...having].join(" AND ");
  return `SELECT DISTINCT from_seq FROM (
  SELECT from_seq, key FROM now INDEXED BY now_from WHERE from_seq BETWEEN ?1 AND ?2 AND kind = ${TREE}
  UNION ALL SELECT from_seq, key FROM past INDEXED BY past_from WHERE from_seq BETWEEN ?1 AND ?2 AND kind = ${TREE})
  WHERE ${fits}`;
}
