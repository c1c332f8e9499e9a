import { rmSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { Refusal } from "./refusal.ts";

/** Takes a schema from one version to the next. Version n is the first n of them. */
export type Migration = (db: DatabaseSync) => void;

/** "chor": tells our files from any other SQLite file. */
const APPLICATION_ID = 0x63686f72;

/**
 * Brings a file to the newest version in one transaction, after a copy, and says so. A file of a newer version,
 * or of another program, is refused and left as it is.
 */
export function migrate(db: DatabaseSync, path: string, migrations: readonly Migration[]): string[] {
  const version = inspectVersion(db, path, migrations.length);
  if (version === migrations.length) return [];
  const notices = version === 0 ? [] : [copyAside(db, path, version)];
  db.exec("BEGIN IMMEDIATE");
  try {
    for (const step of migrations.slice(version)) step(db);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
  return notices;
}

/** The version of a file that this code can work with. */
export function inspectVersion(db: DatabaseSync, path: string, newest: number): number {
  const version = pragma(db, "user_version");
  const application = pragma(db, "application_id");
  const empty = db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (empty && version === 0 && application === 0 && !isScrap(path)) return 0;
  if (application !== APPLICATION_ID) {
    throw new Refusal("damaged", `${path} was not made by ChoirOS, or its first page is damaged`);
  }
  if (version > newest) {
    const message = `${path} has version ${version}; this ChoirOS knows versions up to ${newest}. Use a newer ChoirOS`;
    throw new Refusal("newer", message);
  }
  return version;
}

/** SQLite takes a file that is too short for a database for an empty one. Somebody wrote it all the same. */
function isScrap(path: string): boolean {
  const { size } = statSync(path);
  return size > 0 && size < 512;
}

function copyAside(db: DatabaseSync, path: string, version: number): string {
  const copy = `${path}.v${version}`;
  rmSync(copy, { force: true }); // a copy that an earlier try left may be half there
  db.prepare("VACUUM INTO ?").run(copy);
  return `${path} was of version ${version} and has been brought up to date; ${copy} is how it was`;
}

function pragma(db: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}
