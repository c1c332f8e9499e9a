import type { DatabaseSync } from "node:sqlite";
import type { Migration } from "./migrate.ts";

/**
 * `body` is the event's canonical form, the very text that its hash covers. The other columns repeat parts of it
 * to look events up by; `verify` holds them against it. Hashes are hex, so that the `sqlite3` tool shows them.
 */
export const LOG_MIGRATIONS: readonly Migration[] = [
  (db) => {
    db.exec(`
      CREATE TABLE event (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        type TEXT NOT NULL,
        ask TEXT,
        call TEXT,
        conversation TEXT,
        task TEXT,
        hash TEXT NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX event_by_id ON event (id);
      CREATE INDEX event_by_type ON event (type);
      CREATE INDEX event_by_ask ON event (ask) WHERE ask IS NOT NULL;
      CREATE INDEX event_by_call ON event (call) WHERE call IS NOT NULL;
      CREATE INDEX event_by_conversation ON event (conversation) WHERE conversation IS NOT NULL;
      CREATE INDEX event_by_task ON event (task) WHERE task IS NOT NULL;
    `);
  },
];

/**
 * A row per content that was ever put. `bytes` holds a small one; a large one is a file named by its hash.
 * `dropped` is when it was removed on purpose: that tells pruned from missing.
 */
export const CONTENTS_MIGRATIONS: readonly Migration[] = [
  (db) => {
    db.exec(`
      CREATE TABLE content (
        hash TEXT PRIMARY KEY,
        size INTEGER NOT NULL,
        bytes BLOB,
        dropped TEXT
      ) STRICT;
    `);
  },
];

/** Every statement that makes up the schema, for a comparison: a flipped bit in one would change what it means. */
export function schemaText(db: DatabaseSync): string {
  const rows = db.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
  return JSON.stringify(rows);
}
