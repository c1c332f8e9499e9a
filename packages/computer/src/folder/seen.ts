import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Entry } from "@choiros/contract";
import { parentKey } from "@choiros/contract/path-key";
import { entryOf, isSettled, type Stat } from "./stat.ts";

export interface SeenStat {
  readonly stat: Stat;
  /** Whether the same stat means the same content. */
  readonly sure: boolean;
}

/** What stood at a path when we last looked or landed there. */
export interface SeenRow extends SeenStat {
  readonly hash: string | null;
}

/** `synced`: up to where the folder has what the log says; `packed`: up to where contents were made smaller. */
export type Mark = "synced" | "packed";

/** Where a row stands in the cache: its key in two parts. */
export type SeenPlace = readonly [dir: string, name: string];

export interface Noted {
  readonly key: string;
  /** `null`: nothing stands there. */
  readonly seen: { readonly hash: string | null; readonly stat: Stat } | null;
}

/**
 * The cache of what was seen, in a file of its own. Nothing depends on it but speed and the question who changed a file;
 * where it is damaged or lost it is made anew, and `complete` is false until the caller says that it looked everywhere.
 */
export class Seen {
  /** Whether a path that isn't in it had nothing there. */
  complete: boolean;
  readonly notices: readonly string[];
  /** Marks what is on its way into the folder as ours. */
  readonly secret: string;
  readonly #db: DatabaseSync;
  readonly #get: StatementSync;
  readonly #in: StatementSync;
  readonly #names: StatementSync;
  readonly #below: StatementSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;

  constructor(path: string) {
    const { db, notices } = openFile(path);
    this.#db = db;
    this.notices = notices;
    this.#get = asArrays(db.prepare(`SELECT ${STAT}, hash FROM seen WHERE dir = ? AND name = ?`));
    this.#in = asArrays(db.prepare(`SELECT ${STAT} FROM seen WHERE dir = ?`));
    this.#names = asArrays(db.prepare(NAMES));
    this.#below = asArrays(db.prepare(BELOW));
    this.#put = db.prepare("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.#remove = db.prepare("DELETE FROM seen WHERE dir = ? AND name = ?");
    this.complete = this.#meta("complete") === "1";
    // After a power cut a file may have its name and its times, but not its bytes.
    const boot = bootId();
    if (this.#meta("clean") !== "1" && this.#meta("boot") !== boot) db.exec("UPDATE seen SET sure = 0");
    this.#setMeta("boot", boot);
    this.secret = this.#meta("secret") || this.#makeSecret();
    this.#setMeta("clean", "0");
  }

  get(key: string): SeenRow | undefined {
    const row = this.#get.get(...split(key));
    return row === undefined ? undefined : rowOf(row);
  }

  entry(key: string): Entry | undefined {
    const row = this.get(key);
    return row && entryOf(row.stat, row.hash);
  }

  /** The stats that were seen in a directory, by name. */
  in(dir: string): Map<string, SeenStat> {
    return new Map(this.#in.all(dir).map(statRowOf));
  }

  /** Up to `limit` places below a directory, at any depth, that come after `after` in the cache's own order. */
  below(dir: string, after: SeenPlace | undefined, limit: number): SeenPlace[] {
    const own = after === undefined || after[0] === dir ? this.#names.all(dir, after?.[1] ?? "", limit) : [];
    const [fromDir, fromName] = after === undefined || after[0] === dir ? [`${dir}/`, ""] : after;
    const deeper = own.length < limit ? this.#below.all(fromDir, fromName, dir, limit - own.length) : [];
    return [...own, ...deeper].map(placeOf);
  }

  note(items: readonly Noted[]): void {
    this.#atOnce(() => {
      for (const { key, seen } of items) {
        const [dir, name] = split(key);
        if (seen === null) this.#remove.run(dir, name);
        else {
          const { ino, size, mtime, ctime, mode } = seen.stat;
          const hash = seen.hash === null ? null : Buffer.from(seen.hash, "hex");
          this.#put.run(dir, name, hash, ino, size, mtime, ctime, mode, isSettled(seen.stat) ? 1 : 0);
        }
      }
    });
  }

  /** A directory was moved with all that is in it. */
  move(from: string, to: string): void {
    const [dir, name] = split(from);
    const [toDir, toName] = split(to);
    this.#atOnce(() => {
      this.#db.prepare(MOVE_BELOW).run(to, from);
      this.#db
        .prepare("UPDATE OR REPLACE seen SET dir = ?, name = ? WHERE dir = ? AND name = ?")
        .run(toDir, toName, dir, name);
    });
  }

  /** Noted before a directory is opened for a landing: what it has to be given back. */
  opening(key: string, mode: number): void {
    this.#setMeta(OPEN + key, String(mode));
  }

  shut(key: string): void {
    this.#db.prepare("DELETE FROM meta WHERE name = ?").run(OPEN + key);
  }

  leftOpen(): { readonly key: string; readonly mode: number }[] {
    const rows = this.#db.prepare("SELECT name, value FROM meta WHERE substr(name, 1, ?) = ?").all(OPEN.length, OPEN);
    return rows.map(({ name, value }) => ({ key: String(name).slice(OPEN.length), mode: Number(value) }));
  }

  /** How far something got that isn't noted by path: the seq of an event. */
  mark(name: Mark): number {
    return Number(this.#meta(name)) || 0;
  }

  setMark(name: Mark, seq: number): void {
    this.#setMeta(name, String(seq));
  }

  setComplete(): void {
    this.complete = true;
    this.#setMeta("complete", "1");
  }

  count(): number {
    return Number(this.#db.prepare("SELECT count(*) AS n FROM seen").get()?.n ?? 0);
  }

  close(): void {
    this.#setMeta("clean", "1");
    this.#db.close();
  }

  /** Durable before it is used: a left-over that isn't recognised would pass for somebody's file. */
  #makeSecret(): string {
    const secret = randomBytes(16).toString("hex");
    this.#db.exec("PRAGMA synchronous = FULL");
    this.#setMeta("secret", secret);
    this.#db.exec("PRAGMA synchronous = NORMAL");
    return secret;
  }

  #atOnce(work: () => void): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#db.exec("COMMIT");
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  #meta(name: string): string {
    return String(this.#db.prepare("SELECT value FROM meta WHERE name = ?").get(name)?.value ?? "");
  }

  #setMeta(name: string, value: string): void {
    this.#db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(name, value);
  }
}

const VERSION = 1;
const OPEN = "open ";
/** By directory, so that a scan finds what it expects in one with a single read. */
const SCHEMA = `
  CREATE TABLE seen (
    dir TEXT NOT NULL, name TEXT NOT NULL, hash BLOB, ino REAL NOT NULL, size INTEGER NOT NULL,
    mtime REAL NOT NULL, ctime REAL NOT NULL, mode INTEGER NOT NULL, sure INTEGER NOT NULL,
    PRIMARY KEY (dir, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${VERSION};`;
const STAT = "name, ino, size, mtime, ctime, mode, sure";
const NAMES = "SELECT dir, name FROM seen WHERE dir = ? AND name > ? ORDER BY name LIMIT ?";
/** The prefix alone is also that of a neighbour whose name goes on with an odd byte (`dir//ff`). */
const deeperThan = (dir: string) => `dir > ${dir} || '/' AND dir < ${dir} || '0'
  AND (substr(dir, length(${dir}) + 2, 1) <> '/' OR substr(dir, length(${dir}) + 3, 1) = '/')`;
const BELOW = `SELECT dir, name FROM seen WHERE (dir, name) > (?1, ?2) AND ${deeperThan("?3")} ORDER BY dir, name LIMIT ?4`;
const MOVE_BELOW = `UPDATE OR REPLACE seen SET dir = ?1 || substr(dir, length(?2) + 1)
  WHERE dir = ?2 OR (${deeperThan("?2")})`;

function openFile(path: string): { db: DatabaseSync; notices: string[] } {
  try {
    return { db: prepared(path), notices: [] };
  } catch {
    for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
    return { db: prepared(path), notices: ["the cache of what was seen in the folder was damaged and is made anew"] };
  }
}

function prepared(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  try {
    // Lost in a power cut is as good as never noted; so it doesn't wait for the disk.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    if (db.prepare("PRAGMA quick_check(1)").get()?.quick_check !== "ok") throw new Error("damaged");
    const version = db.prepare("PRAGMA user_version").get()?.user_version;
    if (version === 0) db.exec(`BEGIN; ${SCHEMA} COMMIT`);
    else if (version !== VERSION) throw new Error("of another version");
    // One flipped bit, and SQLite takes the file for one that it may only read.
    db.exec(`BEGIN; PRAGMA user_version = ${VERSION}; ROLLBACK`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function asArrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true);
  return statement;
}

function split(key: string): [dir: string, name: string] {
  const dir = parentKey(key) ?? "";
  return [dir, dir === "" ? key : key.slice(dir.length + 1)];
}

/** As the statement's columns have it; STRICT tables hold these types and no others. */
function statRowOf(row: unknown): [name: string, SeenStat] {
  const [name, ino, size, mtime, ctime, mode, sure] = row as [string, number, number, number, number, number, number];
  return [name, { stat: { ino, size, mtime, ctime, mode, at: 0 }, sure: sure === 1 }];
}

function rowOf(row: unknown): SeenRow {
  const hash = (row as unknown[])[7]; // as above: it comes last
  return { ...statRowOf(row)[1], hash: hash instanceof Uint8Array ? Buffer.from(hash).toString("hex") : null };
}

function placeOf(row: unknown): SeenPlace {
  return row as [string, string]; // as above
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
}
