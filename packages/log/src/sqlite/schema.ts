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

/** How a content's bytes are kept. */
export const FORM = {
  /** As they came; nobody tried to make them smaller yet. */
  fresh: 0,
  /** As they came: nothing makes them smaller. */
  plain: 1,
  /** Compressed by themselves. */
  alone: 2,
  /** Compressed against those of `base`. */
  against: 3,
} as const;
export type Form = (typeof FORM)[keyof typeof FORM];

/**
 * A row per content that was ever put. A small one's bytes are a `piece`, a large one is a file named by its hash.
 * `dropped` is when it was removed on purpose: that tells pruned from missing.
 *
 * Version 2 keeps bytes in a table of their own, where a packed piece is added at the end: written over in place, the
 * small piece would leave its page nearly empty. `base` is the content that `form` 3 needs; `height` is how long the
 * longest chain of contents is that need this one, or was once.
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
  (db) => {
    // A hash that is none by now could not be found before either: such a row stays behind, in the copy.
    db.exec(`
      ALTER TABLE content RENAME TO former;
      CREATE TABLE content (
        id INTEGER PRIMARY KEY,
        hash BLOB NOT NULL,
        size INTEGER NOT NULL,
        form INTEGER NOT NULL,
        piece INTEGER,
        base INTEGER,
        height INTEGER NOT NULL,
        dropped TEXT
      ) STRICT;
      CREATE TABLE piece (
        id INTEGER PRIMARY KEY,
        bytes BLOB NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX content_by_hash ON content (hash);
      CREATE INDEX content_by_base ON content (base) WHERE base IS NOT NULL;
      INSERT OR IGNORE INTO content (hash, size, form, piece, height, dropped)
        SELECT unhex(hash), size, 0, CASE WHEN bytes IS NULL THEN NULL ELSE rowid END, 0, dropped FROM former;
      INSERT INTO piece SELECT rowid, bytes FROM former WHERE bytes IS NOT NULL;
      DROP TABLE former;
    `);
  },
];

/** Every statement that makes up the schema, for a comparison: a flipped bit in one would change what it means. */
export function schemaText(db: DatabaseSync): string {
  const rows = db.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
  return JSON.stringify(rows);
}
