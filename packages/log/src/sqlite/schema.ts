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

/** How the bytes of a content, or of a chunk, are kept. */
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

/** What is true of a file of chunks. */
export const FILE = {
  /** It counts. */
  kept: 0,
  /** A put, or a sweep, writes to it: nothing in it counts yet, and after a crash it goes. */
  incoming: 1,
  /** It holds chunks that no content has any more, perhaps beside others: these are moved away, and it goes. */
  mixed: 2,
  /** Nothing in it counts any more. */
  going: 3,
} as const;

/** So many chunks are in one run at most: then those that hold a chunk begin not far before it. */
export const MAX_RUN = 1024;

/**
 * A row per content that was ever put. A small one's bytes are a `piece`, a large one's are chunks in files.
 * `dropped` is when it was removed on purpose: that tells pruned from missing.
 *
 * Version 2 keeps bytes in a table of their own, where a packed piece is added at the end: written over in place, the
 * small piece would leave its page nearly empty. `base` is the content that `form` 3 needs; `height` is how long the
 * longest chain of contents is that need this one, or was once.
 *
 * Version 3 splits large contents. A chunk is so many bytes of a file; without `stored` it is all of it. A content is its
 * runs in the order of `at`, its place in the content: each is `count` chunks whose ids follow one another, as those do
 * that came with one put. Before, a large content was one file, named by its hash: now that is a chunk. Whatever else of it
 * a crash may have left goes.
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
  (db) => {
    db.exec(`
      CREATE TABLE file (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        state INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE chunk (
        id INTEGER PRIMARY KEY,
        hash BLOB NOT NULL,
        size INTEGER NOT NULL,
        file INTEGER NOT NULL,
        at INTEGER NOT NULL,
        stored INTEGER,
        form INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE run (
        content INTEGER NOT NULL,
        at INTEGER NOT NULL,
        first INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (content, at)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX file_by_name ON file (name);
      CREATE INDEX file_by_state ON file (state) WHERE state > 0;
      CREATE INDEX chunk_by_hash ON chunk (hash);
      CREATE INDEX chunk_by_file ON chunk (file);
      CREATE INDEX run_by_chunk ON run (first, count);
      INSERT INTO file SELECT 2 * id, lower(hex(hash)),
          CASE WHEN dropped IS NULL AND form < 2 THEN 0 ELSE 3 END FROM content WHERE piece IS NULL AND size > 65536;
      INSERT INTO file SELECT 2 * id + 1, lower(hex(hash)) || '.zst',
          CASE WHEN dropped IS NULL AND form = 2 THEN 0 ELSE 3 END FROM content WHERE piece IS NULL AND size > 65536;
      INSERT INTO chunk SELECT content.id, hash, size, file.id, 0, NULL, CASE WHEN form = 2 THEN 2 ELSE 1 END
        FROM content JOIN file ON file.id IN (2 * content.id, 2 * content.id + 1) WHERE state = 0;
      INSERT INTO run SELECT id, 0, id, 1 FROM chunk;
      UPDATE content SET form = 0 WHERE piece IS NULL;
    `);
  },
];

/** Every statement that makes up the schema, for a comparison: a flipped bit in one would change what it means. */
export function schemaText(db: DatabaseSync): string {
  const rows = db.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
  return JSON.stringify(rows);
}
