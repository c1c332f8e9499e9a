import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { body, type Envelope, link, type Sha256 } from "@choiros/contract";
import { openStore } from "../sqlite/open-store.ts";
import type { Engine, OtherWriter, Place, PlaceOptions, Tamper } from "./engine.ts";
import { writerProcess } from "./sqlite-process.ts";

export const sqliteEngine: Engine = { name: "sqlite", place: () => sqlitePlace() };

export interface SqlitePlace extends Place {
  readonly dir: string;
  crash(): Promise<SqlitePlace>;
}

/** A folder of its own for a store. The store's folder is inside, and does not exist yet. */
export async function sqlitePlace(): Promise<SqlitePlace> {
  const root = await mkdtemp(join(tmpdir(), "choir-log-"));
  return placeIn(root);
}

function placeIn(root: string): SqlitePlace {
  const dir = join(root, "store");
  const others: OtherWriter[] = [];
  return {
    dir,
    open: ({ mode, create = mode === "write", userId = "ada", ...rest }: PlaceOptions) =>
      openStore({ dir, mode, create, userId, ...rest }),
    async spawnWriter() {
      const other = await writerProcess(dir, `test ${others.length + 1}`);
      others.push(other);
      return other;
    },
    crash: () => copyOf(dir),
    breakDisk: async (room) => breakDisk(dir, room),
    tamper: tamper(dir),
    async remove() {
      await Promise.all(others.map((other) => other.kill()));
      await rm(root, { recursive: true, force: true });
    },
  };
}

/**
 * What the disk holds at one moment, as a crash would leave it: the shared memory is not on the disk. Another process
 * copies, for closing a database's file here would drop the locks that SQLite has on it; and this one stands still
 * meanwhile, or the copy would have of one file what was before a change, and of the next what was after it.
 */
async function copyOf(dir: string): Promise<SqlitePlace> {
  const place = await sqlitePlace();
  await mkdir(place.dir);
  await promisify(execFile)("sh", ["-c", COPY_STANDING_STILL, String(process.pid), `${dir}/.`, place.dir]);
  await rm(join(place.dir, "log.sqlite-shm"), { force: true });
  await rm(join(place.dir, "contents.sqlite-shm"), { force: true });
  return place;
}

const COPY_STANDING_STILL = `trap 'kill -CONT "$0"' EXIT
  kill -STOP "$0"
  while grep -L '^State:.T' /proc/"$0"/task/*/status | grep -q .; do :; done
  cp -r "$1" "$2"`;

/** A trigger fails in the middle of a commit, like a disk that is full: what went before it must not stay either. */
async function breakDisk(dir: string, room: number): Promise<() => Promise<void>> {
  withDatabase(join(dir, "log.sqlite"), (db) => {
    const last = Number(db.prepare("SELECT max(seq) AS seq FROM event").get()?.seq);
    db.exec(`CREATE TRIGGER broken BEFORE INSERT ON event WHEN NEW.seq > ${last + room}
      BEGIN SELECT RAISE(ROLLBACK, 'disk I/O error'); END`);
  });
  return async () => withDatabase(join(dir, "log.sqlite"), (db) => db.exec("DROP TRIGGER broken"));
}

export function withDatabase<T>(path: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function tamper(dir: string): Tamper {
  const log = <T>(work: (db: DatabaseSync) => T) => withDatabase(join(dir, "log.sqlite"), work);
  const contents = <T>(work: (db: DatabaseSync) => T) => withDatabase(join(dir, "contents.sqlite"), work);
  return {
    alter: (seq) =>
      log((db) => changeOne(db, `UPDATE event SET body = replace(body, '"v":1', '"v":0') WHERE seq = ?`, seq)),
    lose: (seq) => log((db) => changeOne(db, "DELETE FROM event WHERE seq = ?", seq)),
    loseAfter: (seq) => log((db) => db.prepare("DELETE FROM event WHERE seq > ?").run(seq)),
    double: (seq) => log((db) => changeOne(db, DOUBLE, seq)),
    swap: (a, b) => log((db) => swap(db, a, b)),
    plant: (event) => log((db) => plant(db, event)),
    damageContent(hash) {
      const isSmall = contents((db) => db.prepare(DAMAGE_SMALL).run(hash).changes === 1);
      if (isSmall) return;
      const [chunk] = chunksOf(dir, hash);
      if (chunk === undefined) throw new Error(`${hash} has no chunks`);
      flipByte(chunk.path, chunk.at, chunk.stored);
    },
    loseContent(hash) {
      const isSmall = contents(
        (db) => db.prepare("DELETE FROM content WHERE hash = unhex(?) AND piece IS NOT NULL").run(hash).changes === 1,
      );
      if (!isSmall) for (const { path } of chunksOf(dir, hash)) rmSync(path, { force: true });
    },
  };
}

const DOUBLE = `INSERT INTO event SELECT (SELECT max(seq) + 1 FROM event), id || '2', type, ask, call, conversation, task,
  hash, body FROM event WHERE seq = ?`;
// The last byte: the first ones of a compressed content say that it is one.
const DAMAGE_SMALL = `UPDATE piece SET bytes = CAST(substr(bytes, 1, length(bytes) - 1) || x'3f' AS BLOB)
  WHERE id = (SELECT piece FROM content WHERE hash = unhex(?) AND piece IS NOT NULL)`;

function changeOne(db: DatabaseSync, sql: string, seq: number): void {
  const { changes } = db.prepare(sql).run(seq);
  if (changes !== 1) throw new Error(`${changes} rows were changed by: ${sql}`);
}

function swap(db: DatabaseSync, a: number, b: number): void {
  const move = db.prepare("UPDATE event SET seq = ? WHERE seq = ?");
  for (const [to, from] of [
    [-1, a],
    [a, b],
    [b, -1],
  ] as const) {
    move.run(to, from);
  }
}

function plant(db: DatabaseSync, event: Omit<Envelope, "hash" | "seq" | "user_id">): void {
  const last = db.prepare("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").get();
  const seq = Number(last?.seq) + 1;
  const text = body({ ...event, seq });
  const { ask = null, call = null, conversation = null, task = null } = event.cause ?? {};
  db.prepare("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
    ...[seq, event.id, event.type, ask, call, conversation, task],
    hash("sha256", link(String(last?.hash), text)),
    text,
  );
}

/** Where the chunks of a large content lie, in order. */
export function chunksOf(dir: string, hash: Sha256): { id: number; path: string; at: number; stored: number | null }[] {
  const rows = withDatabase(join(dir, "contents.sqlite"), (db) => db.prepare(CHUNKS).all(hash));
  return rows.map(({ id, name, at, stored }) => ({
    id: Number(id),
    path: join(dir, "contents", String(name).slice(0, 2), String(name)),
    at: Number(at),
    stored: stored === null ? null : Number(stored),
  }));
}

/** The files under the contents' folder. */
export function filesIn(dir: string): { path: string; size: number }[] {
  const folder = join(dir, "contents");
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, size: statSync(path).size }));
}

const CHUNKS = `SELECT chunk.id AS id, name, chunk.at AS at, stored FROM content JOIN run ON run.content = content.id
  JOIN chunk ON chunk.id BETWEEN first AND first + count - 1 JOIN file ON file.id = chunk.file
  WHERE content.hash = unhex(?) ORDER BY run.at, chunk.id`;

/** In the middle: the ends of what is compressed hold more form than content. */
function flipByte(path: string, from: number, length: number | null): void {
  const file = openSync(path, "r+");
  try {
    const at = from + Math.floor((length ?? fstatSync(file).size) / 2);
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, at);
    writeSync(file, Buffer.of((byte[0] ?? 0) ^ 1), 0, 1, at);
  } finally {
    closeSync(file);
  }
}
