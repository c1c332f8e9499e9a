import { createHash, type Hash } from "node:crypto";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { folded } from "./folded.ts";
import { type KeyRange, rangesFrom, rangesUnder, restOf } from "./key-range.ts";
import { Moments, type VersionLine } from "./moments.ts";
import { AT_ROWS, NAMES, NOW_ROWS, TREE } from "./schema.ts";

/** What stands under a key: since when, and its value as text. */
export type Standing = readonly [from: number, value: string];
export type ValueRow = readonly [key: string, from: number, value: string];
/** `to` is missing where it still stands; `value` where the key had ended. */
export type VersionRow = readonly [from: number, to: number | null, value: string | null];

export interface PageRequest {
  /** The seq; `undefined` for what stands now. */
  readonly at: number | undefined;
  /** A directory: what is below it. */
  readonly under: string | undefined;
  /** The last key of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Between the lines of a page: no key has two slashes but before digits or another slash. */
export const LINE_END = "//\n";

/** Reads a state on a connection of its own, so that it never sees an event that is half applied. Blocks. */
export class StateReader {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #hash: Hash | undefined;
  #moments: Moments | undefined;

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    this.#db.function("folded", { deterministic: true }, (text) => folded(String(text)));
    // A past moment lies all over the file: with it in memory, the next one takes half the time. `rest` gives it back.
    this.#db.exec("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768");
  }

  /** From now on it reads what is there by now, whatever is applied meanwhile; until it is closed. */
  freeze(): { readonly seq: number; readonly hash: string } {
    this.#db.exec("BEGIN");
    const [seq, hash] = this.#prepare("SELECT seq, hash FROM applied").get() as unknown as [number, string]; // as declared
    return { seq, hash };
  }

  /** What stands, or stood, under each of these keys. */
  standing(kind: number, keys: readonly string[], at: number | undefined): (Standing | null)[] {
    return keys.map((key) => this.#standing(kind, key, at));
  }

  #standing(kind: number, key: string, at: number | undefined): Standing | null {
    const now = this.#prepare(NOW_OF).get(kind, key) as Standing | undefined; // as the table is declared
    if (at === undefined) return now ?? null;
    if (now !== undefined && now[0] <= at) return now;
    // As above, but for the row of a key that had ended, which has no value.
    const past = this.#prepare(PAST_OF).get(kind, key, at) as [...Standing, to: number] | undefined;
    return past !== undefined && past[2] > at ? [past[0], past[1]] : null;
  }

  /** A page of the tree, each line with entry, seq and key, in order of keys, joined by `LINE_END`. */
  treePage({ at, under, after, limit }: PageRequest): string {
    if (at !== undefined && under === undefined && after === undefined && this.#moments?.knows(at)) {
      return this.#moments.lines(at, limit).join(LINE_END);
    }
    const parts: string[] = [];
    let left = limit;
    for (const range of rangesUnder(under).flatMap((one) => restOf(one, after))) {
      const { from, to } = range;
      const [text, count] = this.#lines(from, to, at, left);
      if (count > 0) parts.push(text);
      left -= count;
      if (left <= 0) break;
    }
    return parts.join(LINE_END);
  }

  #lines(from: string, to: string | Uint8Array, at: number | undefined, limit: number): [text: string, count: number] {
    let row: unknown;
    if (at === undefined) row = this.#prepare(LINES_NOW).get(from, to, limit);
    else if (from === "" && this.#fit(at, limit)) row = this.#prepare(LINES_STOOD).get(at);
    else row = this.#prepare(LINES_AT).get(from, to, at, limit);
    return row as [string, number]; // two columns, by the statements below
  }

  /** Whether all that stood at a moment fits into a page: then `span` finds it with no look at what stood at others. */
  #fit(at: number, limit: number): boolean {
    const [stood] = this.#prepare(COUNT_STOOD).get(at, limit) as unknown as [number];
    if (stood >= limit) return false;
    const [stands] = this.#prepare(COUNT_STANDING).get(at, limit - stood) as unknown as [number]; // as above
    return stood + stands < limit;
  }

  values(kind: number, at: number | undefined, prefix: string | undefined, after: string | undefined, limit: number) {
    return rangesFrom(prefix)
      .flatMap((one) => restOf(one, after))
      .flatMap(({ from, to }) => {
        const rows =
          at === undefined
            ? this.#prepare(VALUES_NOW).all(kind, from, to, limit)
            : this.#prepare(VALUES_AT).all(kind, from, to, at, limit);
        return rows as unknown as ValueRow[]; // three columns, by the statements below
      });
  }

  /** The versions of a key that began before `before`, the newest first. */
  history(kind: number, key: string, before: number, limit: number): VersionRow[] {
    return this.#prepare(HISTORY).all(kind, key, before, limit) as unknown as VersionRow[]; // as above
  }

  /** For each key, whether anything is, or was, below it. */
  below(keys: readonly string[], at: number | undefined): boolean[] {
    return keys.map((key) => rangesUnder(key).some(({ from, to }) => this.#any(from, to, at)));
  }

  #any(from: string, to: string | Uint8Array, at: number | undefined): boolean {
    if (at === undefined) return this.#prepare(ANY_NOW).get(TREE, from, to) !== undefined;
    return this.#prepare(VALUES_AT).get(TREE, from, to, at, 1) !== undefined;
  }

  /** For each key, how many entries are, or were, directly in it. */
  children(keys: readonly string[], at: number | undefined): number[] {
    const count = this.#prepare(at === undefined ? CHILDREN_NOW : CHILDREN_AT);
    const counted = (key: string, { from, to }: KeyRange) => {
      const name = [...key].length + 2; // where names begin below it; SQLite counts characters
      const row = at === undefined ? count.get(TREE, from, to, name) : count.get(TREE, from, to, at, name);
      return (row as unknown as [number])[0]; // one column, by the statements below
    };
    return keys.map((key) => rangesUnder(key).reduce((sum, range) => sum + counted(key, range), 0));
  }

  counts(): Record<string, number> {
    const rows = this.#prepare("SELECT kind, count(*) FROM now GROUP BY kind").all() as unknown as [number, number][];
    const counts = Object.fromEntries(NAMES.map((name) => [name, 0]));
    for (const [kind, count] of rows) counts[NAMES[kind] ?? ""] = count;
    return counts;
  }

  /** One slice of a hash over everything, in an order that doesn't depend on how it came in. The digest comes last. */
  hashSlice(after: HashCursor | undefined, limit: number): { readonly next: HashCursor } | { readonly digest: string } {
    if (after === undefined) this.#hash = createHash("sha256");
    const hash = this.#hash;
    if (hash === undefined) throw new Error("no hash is under way");
    const { part, kind, key, from } = after ?? FIRST;
    const rows = this.#prepare(part === "now" ? HASH_NOW : HASH_PAST).all(kind, key, from, limit);
    hash.update(rows.map((row) => `${part} ${JSON.stringify(Object.values(row))}\n`).join(""));
    const last = rows.at(-1) as unknown as [number, string, number] | undefined; // by the statements below
    if (last !== undefined) return { next: { part, kind: last[0], key: last[1], from: last[2] } };
    if (part === "now") return { next: { ...FIRST, part: "past" } };
    hash.update(JSON.stringify(Object.values(this.#prepare("SELECT seq, hash FROM applied").get() ?? {})));
    this.#hash = undefined;
    return { digest: hash.digest("hex") };
  }

  /** What another file asks for, with a statement of its own. */
  all(sql: string, ...parameters: (string | number | Uint8Array)[]): unknown[] {
    return this.#prepare(sql).all(...parameters);
  }

  /** The same, row by row: whoever stops has paid for no more. */
  each(sql: string, ...parameters: (string | number | Uint8Array)[]): Iterable<unknown> {
    return this.#prepare(sql).iterate(...parameters);
  }

  /** Gathers another slice of what makes past moments quick; `false` when there is nothing more to gather. */
  gather(until: number, limit: number): boolean {
    this.#moments ??= new Moments(until);
    const moments = this.#moments;
    if (!moments.gathering) return false;
    const rows = this.#prepare(VERSIONS).all(...moments.cursor, moments.until, limit) as unknown as VersionLine[]; // as above
    moments.add(rows, rows.length < limit);
    return moments.gathering;
  }

  /** Gives back what memory it can. */
  rest(): void {
    this.#moments = undefined;
    this.#db.exec("PRAGMA shrink_memory");
  }

  close(): void {
    this.#db.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

export interface HashCursor {
  readonly part: "now" | "past";
  readonly kind: number;
  readonly key: string;
  readonly from: number;
}

const FIRST: HashCursor = { part: "now", kind: -1, key: "", from: -1 };

const NOW_OF = "SELECT from_seq, value FROM now WHERE kind = ? AND key = ?";
const PAST_OF = `SELECT from_seq, value, to_seq FROM past WHERE kind = ? AND key = ? AND from_seq <= ?
  ORDER BY from_seq DESC, to_seq DESC LIMIT 1`;

const VALUES_NOW = `${NOW_ROWS} ORDER BY key LIMIT ?4`;
const VALUES_AT = `${AT_ROWS} ORDER BY key LIMIT ?5`;
const ANY_NOW = `${NOW_ROWS} LIMIT 1`;

/** Without the slashes of odd bytes, a name has none; what is deeper has. */
const direct = (rows: string, name: string) =>
  `SELECT count(*) FROM (${rows}) WHERE instr(replace(substr(key, ${name}), '//', ''), '/') = 0`;
const CHILDREN_NOW = direct(NOW_ROWS, "?4");
const CHILDREN_AT = direct(AT_ROWS, "?5");

const COUNT_STOOD = "SELECT count(*) FROM (SELECT 1 FROM span WHERE from_seq <= ?1 AND last_seq >= ?1 LIMIT ?2)";
const COUNT_STANDING = `SELECT count(*) FROM (SELECT 1 FROM now WHERE kind = ${TREE} AND from_seq <= ? LIMIT ?)`;
/** With no limit, for it is known to fit: with one, SQLite would sort in a way that takes twice as long. */
const STOOD_ROWS = `SELECT * FROM (
  SELECT key, from_seq, value FROM now WHERE kind = ${TREE} AND from_seq <= ?1
  UNION ALL SELECT key, past.from_seq, value FROM span CROSS JOIN past USING (id)
  WHERE span.from_seq <= ?1 AND last_seq >= ?1 AND kind = ${TREE}) ORDER BY key`;

/** One text crosses to the other thread in a fraction of the time that many rows take. */
const lines = (rows: string) =>
  `SELECT group_concat(value || ' ' || from_seq || ' ' || key, '//' || char(10)), count(*) FROM (${rows})`;
const LINES_NOW = lines(
  `SELECT key, from_seq, value FROM now WHERE kind = ${TREE} AND key >= ?1 AND key < ?2 ORDER BY key LIMIT ?3`,
);
const LINES_AT =
  lines(`SELECT key, from_seq, value FROM now WHERE kind = ${TREE} AND key >= ?1 AND key < ?2 AND from_seq <= ?3
  UNION ALL SELECT key, from_seq, value FROM past INDEXED BY past_key
  WHERE kind = ${TREE} AND key >= ?1 AND key < ?2 AND from_seq <= ?3 AND to_seq > ?3 ORDER BY key LIMIT ?4`);
const LINES_STOOD = lines(STOOD_ROWS);

const LINE = "value || ' ' || from_seq || ' ' || key";
const VERSIONS = `SELECT key, from_seq, NULL AS to_seq, ${LINE} FROM now
  WHERE kind = ${TREE} AND (key, from_seq) > (?1, ?2) AND from_seq <= ?3
  UNION ALL SELECT key, from_seq, to_seq, ${LINE} FROM past INDEXED BY past_key
  WHERE kind = ${TREE} AND (key, from_seq) > (?1, ?2) AND from_seq <= ?3 AND value IS NOT NULL
  ORDER BY key, from_seq LIMIT ?4`;

const HISTORY = `SELECT from_seq, NULL AS to_seq, value FROM now WHERE kind = ?1 AND key = ?2 AND from_seq < ?3
  UNION ALL SELECT from_seq, iif(value IS NULL, (SELECT min(from_seq) FROM
    (SELECT from_seq FROM now WHERE kind = ?1 AND key = ?2
     UNION ALL SELECT from_seq FROM past AS later WHERE kind = ?1 AND key = ?2 AND later.from_seq > past.from_seq)), to_seq),
    value FROM past WHERE kind = ?1 AND key = ?2 AND from_seq < ?3
  ORDER BY from_seq DESC LIMIT ?4`;

const AFTER = "(kind, key, from_seq) > (?, ?, ?) ORDER BY kind, key, from_seq LIMIT ?";
const HASH_NOW = `SELECT kind, key, from_seq, value FROM now WHERE ${AFTER}`;
const HASH_PAST = `SELECT kind, key, from_seq, to_seq, value FROM past WHERE ${AFTER}`;
