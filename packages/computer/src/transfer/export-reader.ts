import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { MAX_EVENT_BYTES, MAX_SMALL_CONTENT_BYTES } from "@choiros/contract/limits";
import { failureOf, Refusal } from "@choiros/log/failure"; // without the rest of the log, which a thread would load for nothing
import {
  type ContentRow,
  type ExportedContent,
  type ExportedEvent,
  FORMAT,
  FORMAT_VERSION,
  PIECE_BYTES,
  SCHEMA,
} from "./export-file.ts";
import { checkHeader } from "./export-header.ts";

/** What one page holds, at most. */
const PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * An export that is read. It is somebody else's file, and may have been made to harm: it is only asked for anything once
 * its schema is known to be ours to the letter, so that every query ends; nothing is taken into memory before its length
 * is known to be one that it may have; and nothing is believed of events and contents that their hashes don't prove.
 */
export class ExportReader {
  readonly #path: string;
  readonly #size: number;
  readonly #db: DatabaseSync;
  #given = 0;

  constructor(path: string) {
    this.#path = path;
    this.#size = checkHeader(path);
    // As it lies there: no journal beside it is heeded, and none is made.
    const url = pathToFileURL(path);
    url.searchParams.set("immutable", "1");
    this.#db = this.#reading(() => new DatabaseSync(url, { readOnly: true, allowExtension: false }));
    try {
      this.#reading(() => this.#assertSchema());
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  #assertSchema(): void {
    this.#db.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
    const expected = ours();
    const found = schemaOf(this.#db);
    const strange = found.find((line) => !expected.includes(line));
    if (strange !== undefined) throw this.#refusal(`it holds what no export has: ${strange.slice(0, 100)}`);
    if (found.length !== expected.length) throw this.#refusal("it lacks a table that every export has");
  }

  /** The facts of the table `about`; a file that was never finished has none. */
  about(): Record<string, string> {
    const rows = this.#reading(() => this.#db.prepare(ABOUT).all());
    const about = Object.fromEntries(rows.map(({ name, value }) => [String(name), String(value)]));
    const whole = /^[1-9]\d{0,14}$/.test(about.seq ?? "") && /^[0-9a-f]{64}$/.test(about.hash ?? "");
    if (about.format !== FORMAT || !whole) throw this.#refusal("it was never finished");
    if (about.version !== String(FORMAT_VERSION)) throw this.#refusal(`it says that it is of version ${about.version}`);
    return about;
  }

  events(from: number): ExportedEvent[] {
    const events: ExportedEvent[] = [];
    let bytes = 0;
    for (const { seq, hash, body, length } of this.#page(EVENTS, from, MAX_EVENT_BYTES, PAGE)) {
      if (typeof seq !== "number" || typeof hash !== "string" || typeof body !== "string") {
        throw this.#refusal(`event ${String(seq)} in it is not one`);
      }
      events.push({ seq, hash, body });
      bytes += Number(length);
      if (bytes > PAGE_BYTES) break;
    }
    return events;
  }

  /** Contents after a hash, in order; those that are small with their bytes. */
  contents(after: string): ContentRow[] {
    const contents: ContentRow[] = [];
    let bytes = 0;
    for (const row of this.#page(CONTENTS, after, PAGE)) {
      const content = this.#content(row, contents.at(-1)?.hash ?? after);
      const small = content.state === "present" && content.size <= MAX_SMALL_CONTENT_BYTES;
      contents.push(small ? { ...content, bytes: this.piece(content.hash, 0) ?? new Uint8Array(0) } : content);
      bytes += small ? content.size : 0;
      if (bytes > PAGE_BYTES) break;
    }
    return contents;
  }

  #content({ hash, size, state }: Record<string, unknown>, after: string): ExportedContent {
    const named = typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash) && hash > after;
    if (!named || typeof size !== "number" || !(size >= 0)) throw this.#refusal("its list of contents makes no sense");
    if (state === "present" || state === "pruned" || state === "missing") return { hash, size, state };
    throw this.#refusal("its list of contents makes no sense");
  }

  piece(hash: string, number: number): Uint8Array | undefined {
    const row = this.#reading(() => this.#db.prepare(PIECE).get(hash, number, PIECE_BYTES));
    if (row === undefined) return undefined;
    const { bytes } = row;
    if (!(bytes instanceof Uint8Array)) throw this.#refusal(`a piece of content ${hash} is larger than one may be`);
    this.#given += bytes.length;
    // Each is asked for once: a file that gives more than it holds gives the same bytes over and over.
    if (this.#given > this.#size) throw this.#refusal("it names the same bytes again and again");
    return bytes;
  }

  close(): void {
    this.#db.close();
  }

  *#page(sql: string, ...values: SQLInputValue[]): Generator<Record<string, unknown>> {
    const rows = this.#reading(() => this.#db.prepare(sql).iterate(...values));
    try {
      for (let next = this.#reading(() => rows.next()); next.done !== true; next = this.#reading(() => rows.next())) {
        yield next.value;
      }
    } finally {
      rows.return?.(); // a page may be full before its end
    }
  }

  /** What SQLite says of a file is nothing for a user. */
  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const { code } = failureOf(error);
      if (code === "denied") throw new Refusal("denied", `${this.#path} may not be read`);
      throw this.#refusal("it is damaged");
    }
  }

  #refusal(why: string): Refusal {
    return new Refusal("damaged", `${this.#path} is not a whole export of ChoirOS: ${why}`);
  }
}

/** Lengths are known from a row's head: what is too long is never read. A STRICT table's types hold for what SQLite wrote. */
const ABOUT = `SELECT iif(octet_length(name) < 100, name, NULL) AS name,
  iif(octet_length(value) < 1000, value, NULL) AS value FROM about LIMIT 100`;
const EVENTS = `SELECT seq, octet_length(body) AS length, iif(octet_length(hash) = 64, hash, NULL) AS hash,
  iif(octet_length(body) <= ?2, body, NULL) AS body FROM event WHERE seq >= ?1 ORDER BY seq LIMIT ?3`;
const CONTENTS = `SELECT iif(octet_length(hash) = 64, hash, NULL) AS hash, size,
  iif(octet_length(state) < 10, state, NULL) AS state FROM content WHERE hash > ?1 ORDER BY hash LIMIT ?2`;
const PIECE = "SELECT iif(octet_length(bytes) <= ?3, bytes, NULL) AS bytes FROM piece WHERE hash = ?1 AND number = ?2";

function ours(): string[] {
  const db = new DatabaseSync(":memory:");
  db.exec(SCHEMA);
  const lines = schemaOf(db);
  db.close();
  return lines;
}

/** A line for each table and index, views and triggers too: what it is, and how it was made. */
function schemaOf(db: DatabaseSync): string[] {
  const rows = db.prepare("SELECT type, name, tbl_name, substr(sql, 1, 1000) AS sql FROM sqlite_schema LIMIT 20").all();
  return rows.map(({ type, name, tbl_name, sql }) =>
    `${type} ${name} of ${tbl_name} ${sql ?? ""}`.replace(/\s+/g, " "),
  );
}
