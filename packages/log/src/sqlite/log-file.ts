import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { CauseKind } from "@choiros/contract";
import { FIRST_PREVIOUS, link } from "@choiros/contract/chain"; // without the schemas, which a thread would load for nothing
import type { Head, Mark } from "../log.ts";
import { renameDurably } from "./durable.ts";
import { failureOf } from "./failure.ts";
import { inspectVersion, type Migration, migrate } from "./migrate.ts";
import { Refusal } from "./refusal.ts";

/** An event on its way into the file: all of its body but the number it will get. */
export interface Sealed {
  readonly id: string;
  readonly type: string;
  readonly cause: Readonly<Partial<Record<CauseKind, string>>> | undefined;
  readonly head: string;
  readonly tail: string;
  /** How many digits its number may have, for the body to be no larger than an event may be. */
  readonly room: number;
  readonly expectedSeq: number | undefined;
}

export type Placed =
  | { readonly kind: "appended"; readonly seq: number; readonly hash: string }
  | { readonly kind: "repeated"; readonly seq: number; readonly hash: string; readonly body: string }
  | { readonly kind: "conflict"; readonly head: Head }
  | { readonly kind: "too-large" };

export interface PageQuery {
  readonly from: number;
  readonly to: number;
  readonly types: readonly string[] | undefined;
  readonly sources: readonly string[] | undefined;
  readonly cause: Readonly<Partial<Record<CauseKind, string>>> | undefined;
  readonly rows: number;
  readonly bytes: number;
}

/** Bodies as one JSON array, and their hashes: two strings cross to the other thread faster than many objects. */
export interface Page {
  readonly bodies: string;
  readonly hashes: string;
  readonly next: number | undefined;
}

interface Row {
  readonly seq: number;
  readonly hash: string;
  readonly body: string;
}

/** A row as a page reads it. */
type Cells = readonly [seq: number, hash: string, body: string];

export const CAUSES = ["ask", "call", "conversation", "task"] as const satisfies readonly CauseKind[];

/**
 * Makes a log with its first event, all at once: the file has its name only when that event is in it and on the disk,
 * so a log that is empty was damaged, never half made.
 */
export function createLogFile(path: string, first: Sealed, migrations: readonly Migration[]): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const db = new DatabaseSync(draft);
  try {
    db.exec("PRAGMA synchronous = FULL");
    migrate(db, draft, migrations);
    const body = `${first.head}1${first.tail}`;
    const digest = hash("sha256", link(FIRST_PREVIOUS, body));
    db.prepare(INSERT).run(1, first.id, first.type, null, null, null, null, digest, body);
  } finally {
    db.close();
  }
  renameDurably(draft, path);
}

/** The log's file. Everything here blocks: it belongs on a thread of its own. */
export class LogFile {
  readonly notices: readonly string[];
  readonly #db: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #insert: StatementSync | undefined;
  readonly #byId: StatementSync;
  readonly #bySeq: StatementSync;
  readonly #hashOf: StatementSync;
  readonly #last: StatementSync;
  readonly #markOf: StatementSync;
  readonly #pages = new Map<string, StatementSync>();
  #head: Head;

  constructor(path: string, mode: "write" | "read", migrations: readonly Migration[]) {
    this.#db = openFile(path, mode);
    try {
      if (inspectVersion(this.#db, path, migrations.length) === 0) {
        throw new Refusal("damaged", `${path} is empty`); // it is made with its first event in it
      }
      this.notices = prepareFile(this.#db, path, mode, migrations);
      this.#begin = this.#db.prepare("BEGIN IMMEDIATE");
      this.#commit = this.#db.prepare("COMMIT");
      this.#insert = mode === "write" ? this.#db.prepare(INSERT) : undefined;
      this.#byId = this.#db.prepare("SELECT seq, hash, body FROM event WHERE id = ?");
      this.#bySeq = this.#db.prepare("SELECT seq, hash, body FROM event WHERE seq = ?");
      this.#hashOf = this.#db.prepare("SELECT hash FROM event WHERE seq = ?");
      this.#last = this.#db.prepare("SELECT seq, hash, body FROM event ORDER BY seq DESC LIMIT 1");
      this.#markOf = this.#db.prepare(MARK);
      this.#head = this.refreshHead();
      // Nothing may be appended to an event that isn't what was written: all that comes after would be lost with it.
      const { seq } = this.#head;
      if (mode === "write")
        this.page({ from: seq, to: seq, types: undefined, sources: undefined, cause: undefined, rows: 1, bytes: 1 });
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  get head(): Head {
    return this.#head;
  }

  /** The head as the file has it: another process may have written. */
  refreshHead(): Head {
    const row = this.#last.get() as Row | undefined; // the columns of this very statement
    if (row === undefined) throw new Refusal("damaged", "the log has no events, not even the first");
    // On a damaged page the last row may bear the number of an earlier one: the log would pass for a shorter one.
    const { seq, hash, body } = (this.#bySeq.get(row.seq) as Row | undefined) ?? row; // as above
    const one = seq === row.seq && hash === row.hash && body === row.body && typeof hash === "string" && seq >= 1;
    if (!one) throw new Refusal("damaged", `the last event, ${row.seq}, is not where it should be`);
    this.#head = { seq: row.seq, hash: row.hash };
    return this.#head;
  }

  /** All of them in one commit, or none. */
  append(events: readonly Sealed[]): Placed[] {
    if (this.#insert === undefined) throw new Error("opened for reading");
    const insert = this.#insert;
    const before = this.#head;
    this.#begin.run();
    try {
      const placed = events.map((event) => this.#place(insert, event));
      this.#commit.run();
      return placed;
    } catch (error) {
      this.#head = before; // not read again: a disk that failed may not answer, and a wrong head would leave a gap
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  #place(insert: StatementSync, event: Sealed): Placed {
    if (event.expectedSeq !== undefined && event.expectedSeq !== this.#head.seq) {
      return this.#repeated(event.id) ?? { kind: "conflict", head: this.#head };
    }
    const seq = this.#head.seq + 1;
    if (String(seq).length > event.room) return this.#repeated(event.id) ?? { kind: "too-large" };
    const body = `${event.head}${seq}${event.tail}`;
    const digest = hash("sha256", link(this.#head.hash, body));
    const { ask = null, call = null, conversation = null, task = null } = event.cause ?? {};
    const done = insert.run(seq, event.id, event.type, ask, call, conversation, task, digest, body);
    if (done.changes === 0) {
      const repeated = this.#repeated(event.id);
      if (repeated === undefined) throw new Error(`event ${seq} was neither new nor there`);
      return repeated;
    }
    this.#head = { seq, hash: digest };
    return { kind: "appended", seq, hash: digest };
  }

  #repeated(id: string): Placed | undefined {
    const row = this.#byId.get(id) as Row | undefined; // the columns of this very statement
    return row === undefined ? undefined : { kind: "repeated", seq: row.seq, hash: row.hash, body: row.body };
  }

  /** The next events of a query, each checked against its hash. */
  page(query: PageQuery): Page {
    const bodies: string[] = [];
    let hashes = "";
    let size = 0;
    let last: Cells | undefined;
    for (const row of this.#rows(query)) {
      const [seq, digest, body] = row;
      const previous = last?.[0] === seq - 1 ? last[1] : this.#previousHash(seq);
      if (hash("sha256", link(previous, body)) !== digest) {
        throw new Refusal("damaged", `event ${seq} is not what was written`);
      }
      bodies.push(body);
      hashes += digest;
      size += body.length;
      last = row;
      if (bodies.length >= query.rows || size >= query.bytes) return page(bodies, hashes, seq + 1);
    }
    const to = last?.[0] ?? Math.max(1, query.from) - 1;
    if (isWhole(query) && to < query.to) throw new Refusal("damaged", `event ${to + 1} is missing`);
    return page(bodies, hashes, undefined);
  }

  #rows(query: PageQuery): Iterable<Cells> {
    const causes = CAUSES.filter((kind) => query.cause?.[kind] !== undefined);
    const { types = [], sources = [] } = query;
    const shape = `${causes.join()}/${query.types === undefined ? "" : types.length}/${query.sources === undefined ? "" : sources.length}`;
    let statement = this.#pages.get(shape);
    if (statement === undefined) {
      const conditions = ["seq BETWEEN ? AND ?", ...causes.map((kind) => `${kind} = ?`)];
      if (query.types !== undefined) conditions.push(`type IN (${types.map(() => "?").join()})`);
      if (query.sources !== undefined) conditions.push(bySources(sources.length));
      statement = this.#db.prepare(`SELECT seq, hash, body FROM event WHERE ${conditions.join(" AND ")} ORDER BY seq`);
      statement.setReturnArrays(true); // half the cost of an object for each row
      this.#pages.set(shape, statement);
    }
    const values = [query.from, query.to, ...causes.map((kind) => query.cause?.[kind] ?? null), ...types];
    values.push(...sources.map((source) => `"source":${JSON.stringify(source)}`), ...sources);
    return statement.iterate(...values) as Iterable<unknown> as Iterable<Cells>; // the columns of this very statement
  }

  /** When each of these was appended, and by whom; nothing for one that isn't there. */
  marks(seqs: readonly number[]): (Mark | undefined)[] {
    return seqs.map((seq) => this.#markOf.get(seq) as Mark | undefined); // the columns of this very statement
  }

  #previousHash(seq: number): string {
    if (seq === 1) return FIRST_PREVIOUS;
    const row = this.#hashOf.get(seq - 1) as { hash: string } | undefined; // the columns of this very statement
    if (row === undefined) throw new Refusal("damaged", `event ${seq - 1} is missing`);
    return row.hash;
  }

  close(): void {
    this.#db.close();
  }
}

/** A body that has the words nowhere needn't be parsed: that is nearly all of the cost. */
function bySources(many: number): string {
  const each = (what: string, between: string) => Array.from({ length: many }, () => what).join(between);
  if (many === 0) return "FALSE";
  return `(${each("instr(body, ?) > 0", " OR ")}) AND json_extract(body, '$.source') IN (${each("?", ",")})`;
}

const MARK = `SELECT json_extract(body, '$.ts') AS ts, json_extract(body, '$.source') AS source, type,
  json_extract(body, '$.payload.by') AS "by", ask FROM event WHERE seq = ?`;
const INSERT = `INSERT INTO event (seq, id, type, ask, call, conversation, task, hash, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;

/**
 * A file that is read needs a few kilobytes of disk beside it, for an index that its readers and its writer share. Where
 * there is no room for them, one reader alone can have that index in memory.
 */
export function openFile(path: string, mode: "write" | "read"): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: mode === "read", timeout: 5000 });
  if (mode === "write") return db;
  try {
    db.exec("PRAGMA schema_version"); // the first look makes the index
    return db;
  } catch (error) {
    if (failureOf(error).code !== "disk-full") return db; // damage is found by whoever reads it
    db.close();
  }
  const alone = new DatabaseSync(path, { timeout: 5000 });
  alone.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON");
  return alone;
}

/** Makes a file ready: for writing, durable and of the newest version; for reading, of a version that can be read. */
export function prepareFile(
  db: DatabaseSync,
  path: string,
  mode: "write" | "read",
  migrations: readonly Migration[],
): string[] {
  const version = inspectVersion(db, path, migrations.length); // before anything is written to it
  if (mode === "write") {
    // FULL in WAL mode: a commit is on the disk before it is reported.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000");
    return migrate(db, path, migrations);
  }
  if (version === migrations.length) return [];
  throw new Refusal(
    "denied",
    `${path} is of version ${version}: open it once for writing, and it is brought up to date`,
  );
}

/** Nothing narrows it down, so every seq from the first to the last must be there. */
function isWhole({ types, sources, cause }: PageQuery): boolean {
  return types === undefined && sources === undefined && CAUSES.every((kind) => cause?.[kind] === undefined);
}

function page(bodies: readonly string[], hashes: string, next: number | undefined): Page {
  return { bodies: `[${bodies.join()}]`, hashes, next };
}
