import { closeSync, copyFileSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { inspectVersion, migrate } from "./migrate.ts";
import { LOG_MIGRATIONS } from "./schema.ts";

const PAGE_BYTES = 4096;
/** Places in the header of a SQLite file: https://www.sqlite.org/fileformat.html */
const HEADER = { writeVersion: 18, readVersion: 19, changes: 24, pages: 28, changesAtSize: 92 } as const;
const WAL = 2;

/**
 * A copy of a log whose first page can't be read, with the first page of a new one: every log is made by the same
 * statements, so its tables begin at the same pages. Whether what is found there is a log, its hashes tell. `undefined`
 * where there is nothing to gain by it: the first page is good, or of a newer version.
 */
export function withFreshFirstPage(path: string, copy: string): string | undefined {
  if (!existsSync(path) || statSync(path).size <= PAGE_BYTES || !isFirstPageBad(path)) return undefined;
  removeCopy(copy);
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  const page = freshFirstPage(`${copy}.first`);
  page[HEADER.writeVersion] = WAL;
  page[HEADER.readVersion] = WAL;
  page.writeUInt32BE(Math.floor(statSync(path).size / PAGE_BYTES), HEADER.pages);
  page.writeUInt32BE(page.readUInt32BE(HEADER.changes), HEADER.changesAtSize); // else the number of pages isn't believed
  const file = openSync(copy, "r+");
  try {
    writeSync(file, page, 0, PAGE_BYTES, 0);
  } finally {
    closeSync(file);
  }
  return copy;
}

export function removeCopy(copy: string): void {
  for (const name of [copy, `${copy}-wal`, `${copy}-shm`]) rmSync(name, { force: true });
}

function isFirstPageBad(path: string): boolean {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    const version = inspectVersion(db, path, Number.MAX_SAFE_INTEGER);
    if (version > LOG_MIGRATIONS.length) return false;
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'event'").get() === undefined;
  } catch {
    return true;
  } finally {
    db?.close();
  }
}

function freshFirstPage(draft: string): Buffer {
  rmSync(draft, { force: true });
  const db = new DatabaseSync(draft);
  try {
    migrate(db, draft, LOG_MIGRATIONS);
  } finally {
    db.close();
  }
  const page = readFileSync(draft).subarray(0, PAGE_BYTES);
  rmSync(draft, { force: true });
  return page;
}
