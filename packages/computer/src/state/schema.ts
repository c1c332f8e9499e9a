import type { DatabaseSync } from "node:sqlite";
import { type StateTable, TABLES } from "@choiros/contract/state"; // without the schemas: threads load this too

/** "chos": tells a state from any other SQLite file. */
const APPLICATION_ID = 0x63686f73;
/** Another version is made anew from the log, never migrated. Raise it with every change to the tables or the reducers. */
const SCHEMA_VERSION = 6;

/** Tables as numbers: the tree is 0. They stand in every row. */
export const TREE = 0;
export const NUMBER_OF: { readonly [Table in StateTable]: number } = {
  window: 1,
  setting: 2,
  conversation: 3,
  message: 4,
  task: 5,
  checkpoint: 6,
  approval: 7,
  call: 8,
  ask: 9,
  pending: 10,
  undo: 11,
};
export const NAMES: readonly string[] = ["tree", ...TABLES];

/**
 * `now` is what stands, `past` what stood: from `from_seq` up to and without `to_seq`. A row of `past` without a value says
 * that something ended there. `span` finds the rows of `past` that stood at a moment, however many others there are.
 */
const TABLES_SQL = `
CREATE TABLE applied (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
INSERT INTO applied VALUES (1, 0, '');
CREATE TABLE now (
  kind INTEGER NOT NULL, key TEXT NOT NULL, from_seq INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX now_from ON now (from_seq);
CREATE TABLE past (
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, key TEXT NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL,
  value TEXT
) STRICT;
CREATE INDEX past_key ON past (kind, key, from_seq, to_seq);
CREATE INDEX past_from ON past (from_seq);
CREATE VIRTUAL TABLE span USING rtree_i32 (id, from_seq, last_seq);
`;

/** For people with the sqlite3 tool. A row with no `to_seq` stands now. */
const VIEWS_SQL = `
CREATE VIEW version AS
  SELECT kind, key, from_seq, NULL AS to_seq, value FROM now
  UNION ALL SELECT kind, key, from_seq, to_seq, value FROM past WHERE value IS NOT NULL;
CREATE VIEW file AS
  SELECT key AS path, from_seq, to_seq, iif(substr(value, 1, 1) = 'l', 'link', 'file') AS kind,
    substr(value, 2, 4) AS mode, CAST(substr(value, 70) AS INTEGER) AS size, substr(value, 6, 64) AS hash
  FROM version WHERE kind = ${TREE} AND substr(value, 1, 1) <> 'd';
CREATE VIEW directory AS
  SELECT key AS path, from_seq, to_seq, substr(value, 2, 4) AS mode
  FROM version WHERE kind = ${TREE} AND substr(value, 1, 1) = 'd';
${TABLES.map(viewOf).join("\n")}
`;

function viewOf(table: StateTable): string {
  return `CREATE VIEW ${table} AS SELECT key, from_seq, to_seq, value FROM version WHERE kind = ${NUMBER_OF[table]};`;
}

/** Rows of a table between two keys: now, and at a moment. */
export const NOW_ROWS = "SELECT key, from_seq, value FROM now WHERE kind = ?1 AND key >= ?2 AND key < ?3";
/** In order of the index, so that a page ends where it is full. */
export const AT_ROWS = `${NOW_ROWS} AND from_seq <= ?4
  UNION ALL SELECT key, from_seq, value FROM past INDEXED BY past_key
  WHERE kind = ?1 AND key >= ?2 AND key < ?3 AND from_seq <= ?4 AND to_seq > ?4`;

export function createTables(db: DatabaseSync): void {
  db.exec(`BEGIN; ${TABLES_SQL} ${VIEWS_SQL}
    PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}

/** Why this file can't be used as a state; `undefined` where it can. */
export function faultIn(db: DatabaseSync): string | undefined {
  const application = pragma(db, "application_id");
  const version = pragma(db, "user_version");
  if (application !== APPLICATION_ID) return "it is no state of ChoirOS";
  if (version !== SCHEMA_VERSION) return `it has version ${version}, and this ChoirOS makes version ${SCHEMA_VERSION}`;
  return undefined;
}

export function isEmpty(db: DatabaseSync): boolean {
  return pragma(db, "application_id") === 0 && db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
}

function pragma(db: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}
