import { TREE } from "./schema.ts";
import type { StateReader } from "./state-reader.ts";

/**
 * All that stood at a path, without its contents: `2f12 40d 97-` was a file of 12 bytes from event 2 on, a directory from
 * event 40 on, and nothing from event 97 on; `l` is a link.
 */
export type HistoryRow = readonly [key: string, versions: string];
export type HistoriesCursor = readonly [key: string, from: number];

/** A slice of the histories of all paths, in order of keys. One that is cut goes on in the next slice. */
export function historiesSlice(
  reader: StateReader,
  until: number,
  cursor: HistoriesCursor | undefined,
  limit: number,
): { readonly rows: readonly HistoryRow[]; readonly next: HistoriesCursor | undefined } {
  const [after, since] = cursor ?? ["", -1];
  const found = reader.all(STOOD, after, since, until, limit) as [string, number, number | null, string][]; // as it selects
  const rows: [string, string[]][] = [];
  for (const [key, from, to, what] of found) {
    const last = rows.at(-1);
    const versions = last?.[0] === key ? last[1] : [];
    if (versions.length === 0) rows.push([key, versions]);
    if (versions.at(-1) === `${from}-`) versions.pop(); // it went on at once
    versions.push(`${from}${what}`);
    if (to !== null) versions.push(`${to}-`);
  }
  const end = found.length < limit ? undefined : found.at(-1);
  return { rows: rows.map(([key, versions]) => [key, versions.join(" ")]), next: end && [end[0], end[1]] };
}

/** Of the text of an entry only what it is, and how long. */
const WHAT = "substr(value, 1, 1) || substr(value, 70)";
const STOOD = `SELECT key, from_seq, NULL AS to_seq, ${WHAT} FROM now
  WHERE kind = ${TREE} AND (key, from_seq) > (?1, ?2) AND from_seq <= ?3
  UNION ALL SELECT key, from_seq, to_seq, ${WHAT} FROM past INDEXED BY past_key
  WHERE kind = ${TREE} AND (key, from_seq) > (?1, ?2) AND from_seq <= ?3 AND value IS NOT NULL
  ORDER BY key, from_seq LIMIT ?4`;
