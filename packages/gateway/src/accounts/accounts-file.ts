import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, closeSync, existsSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { failureOf, Refusal } from "@choiros/log/failure";
import { SCHEMA, VERSION } from "./schema.ts";

export type OpenedFile =
  | { readonly ok: true; readonly db: DatabaseSync }
  | { readonly ok: false; readonly message: string };

/** "acct": tells this file from any other of SQLite. */
const APPLICATION_ID = 0x61636374;

/**
 * For its owner alone, durable, and made in one step: several processes may open it at once, also when there is none yet.
 * Where `first` fails, it isn't opened.
 */
export function openFile(path: string, first: (db: DatabaseSync) => void): OpenedFile {
  let db: DatabaseSync | undefined;
  try {
    if (!existsSync(path)) make(path);
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    db = new DatabaseSync(path, { timeout: 5000 });
    inspect(db, path);
    db.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    first(db);
    return { ok: true, db };
  } catch (error) {
    db?.close();
    return { ok: false, message: sentence(path, error) };
  }
}

/** Runs `work` in one transaction that no other process writes in. */
export function together<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** Beside its place, and put there when it is whole. Whoever comes first is right. */
function make(path: string): void {
  if (existsSync(`${path}-wal`) && !existsSync(path)) {
    // SQLite would take what is in it for the new file's
    throw new Refusal("damaged", `it is gone, and ${path}-wal is left of it, which must go with it`);
  }
  const draft = `${path}.${randomUUID()}`;
  closeSync(openSync(draft, "wx", 0o600));
  try {
    const db = new DatabaseSync(draft);
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMA}`);
    db.prepare("INSERT INTO secret VALUES (1, ?)").run(randomBytes(32).toString("base64url"));
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}`);
    db.close();
    linkSync(draft, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(draft + end, { force: true });
  }
}

function inspect(db: DatabaseSync, path: string): void {
  if (pragma(db, "application_id") !== APPLICATION_ID) {
    throw new Refusal("damaged", "ChoirOS didn't write what is in it");
  }
  const version = pragma(db, "user_version");
  if (version > VERSION) {
    throw new Refusal("newer", `${path} has version ${version}; this ChoirOS knows up to ${VERSION}: use a newer one`);
  }
  const found = db.prepare("PRAGMA quick_check(1)").get()?.quick_check;
  if (found !== "ok") throw new Refusal("damaged", String(found));
}

function pragma(db: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function sentence(path: string, error: unknown): string {
  const { code, message } = failureOf(error);
  if (code === "newer") return message;
  if (code !== "damaged") return `the accounts in ${path} can't be opened: ${message}`;
  return (
    `${path} is damaged: ${message}. Put a copy of it back; or move it away and start again: ` +
    "then its computers are the owner's, and others are added anew with choir user add. No computer's files are in it"
  );
}
