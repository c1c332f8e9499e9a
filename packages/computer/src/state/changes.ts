import { NUMBER_OF } from "./schema.ts";
import type { StateReader } from "./state-reader.ts";

/** A key that isn't what it was: since when, and the two values. */
export type ChangeRow = readonly [kind: number, key: string, before: string | null, after: string | null];

/** Where the next slice goes on: first through what stands, then through what stood. */
export type ChangesCursor =
  | { readonly part: "now"; readonly from: number; readonly kind: number; readonly key: string }
  | { readonly part: "past"; readonly from: number; readonly id: number };

/**
 * What is different after event `to` from what was so after event `from`, the older of the two; a slice of it. Of each
 * key, the last version that began in between is looked at, so it costs what changed, not what there is.
 */
export function changesBetween(
  reader: StateReader,
  from: number,
  to: number,
  cursor: ChangesCursor | undefined,
  limit: number,
): { readonly rows: readonly ChangeRow[]; readonly next: ChangesCursor | undefined } {
  const at = cursor ?? { part: "now", from, kind: Number.MAX_SAFE_INTEGER, key: "" };
  if (at.part === "now") {
    const begun = reader.all(BEGUN_NOW, at.from, at.kind, at.key, to, LAST_KIND, limit) as [
      number,
      number,
      string,
      string,
    ][];
    const last = begun.at(-1);
    const next: ChangesCursor =
      last === undefined || begun.length < limit
        ? { part: "past", from, id: Number.MAX_SAFE_INTEGER }
        : { part: "now", from: last[0], kind: last[1], key: last[2] };
    return { rows: net(reader, from, begun), next };
  }
  const begun = reader.all(BEGUN_PAST, at.from, at.id, to, LAST_KIND, limit) as [
    number,
    number,
    string,
    string | null,
    number,
  ][];
  const last = begun.at(-1);
  const next =
    last === undefined || begun.length < limit ? undefined : { part: "past" as const, from: last[0], id: last[4] };
  const ended = begun.filter(([since, kind, key, value, , until]: readonly unknown[]) =>
    value === null ? reader.all(LATER, Number(kind), String(key), Number(since), to).length === 0 : Number(until) > to,
  );
  return { rows: net(reader, from, ended), next };
}

/** Files, windows and settings: what an undo covers. They come first among the kinds. */
const LAST_KIND = NUMBER_OF.setting;

function net(reader: StateReader, from: number, begun: readonly (readonly unknown[])[]): ChangeRow[] {
  return begun.flatMap((row) => {
    const [, kind, key, after] = row as [number, number, string, string | null]; // by the statements below
    const before = reader.standing(kind, [key], from)[0]?.[1] ?? null;
    return before === after ? [] : [[kind, key, before, after] as const];
  });
}

const BEGUN_NOW = `SELECT from_seq, kind, key, value FROM now INDEXED BY now_from
  WHERE (from_seq, kind, key) > (?1, ?2, ?3) AND from_seq <= ?4 AND kind <= ?5 ORDER BY from_seq, kind, key LIMIT ?6`;
const BEGUN_PAST = `SELECT from_seq, kind, key, value, id, to_seq FROM past INDEXED BY past_from
  WHERE (from_seq, id) > (?1, ?2) AND from_seq <= ?3 AND kind <= ?4 ORDER BY from_seq, id LIMIT ?5`;
/** Whether the key has a later version up to a moment. */
const LATER = `SELECT 1 FROM now WHERE kind = ?1 AND key = ?2 AND from_seq > ?3 AND from_seq <= ?4
  UNION ALL SELECT 1 FROM past WHERE kind = ?1 AND key = ?2 AND from_seq > ?3 AND from_seq <= ?4 LIMIT 1`;
