import { closeSync, fsyncSync, openSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";

/** Which kind of file this is. Written into the database's header, so that `file` and we can tell. */
export const APPLICATION_ID = 0x43484f49; // "CHOI"
export const FORMAT = "choiros-export";
export const FORMAT_VERSION = 1;

/** Contents are cut into pieces of this size: a row of gigabytes would have to fit into memory. */
export const PIECE_BYTES = 4 * 1024 * 1024;

/**
 * Documented in docs/guide/export.md, table by table. An import takes a file with exactly this and nothing else: another
 * schema is another version of the format.
 */
export const SCHEMA = `
  CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE event (
    seq INTEGER PRIMARY KEY, ts TEXT NOT NULL, source TEXT NOT NULL, type TEXT NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE content (
    hash TEXT PRIMARY KEY, size INTEGER NOT NULL, state TEXT NOT NULL CHECK (state IN ('present', 'pruned', 'missing'))
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE piece (hash TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (hash, number)) STRICT;
`;

export interface ExportedEvent {
  readonly seq: number;
  readonly hash: string;
  /** The event's canonical form, the very text that its hash covers. */
  readonly body: string;
}

export interface ExportedContent {
  readonly hash: string;
  readonly size: number;
  readonly state: "present" | "pruned" | "missing";
}

/** One whose bytes come with it: they are few, and all of them. */
export interface ContentRow extends ExportedContent {
  readonly bytes?: Uint8Array;
}

export interface Piece {
  readonly hash: string;
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** An export while it is written. Everything here blocks: it belongs on a thread of its own. */
export class ExportWriter {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #event: StatementSync;
  readonly #content: StatementSync;
  readonly #piece: StatementSync;

  constructor(path: string) {
    closeSync(openSync(path, "wx", 0o600)); // not one that is there, and for nobody else's eyes
    this.#path = path;
    this.#db = new DatabaseSync(path);
    this.#db.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${FORMAT_VERSION}; BEGIN; ${SCHEMA}`);
    this.#event = this.#db.prepare(`INSERT INTO event (seq, ts, source, type, hash, body)
      VALUES (?1, ?3 ->> '$.ts', ?3 ->> '$.source', ?3 ->> '$.type', ?2, ?3)`);
    this.#content = this.#db.prepare("INSERT INTO content (hash, size, state) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
    this.#piece = this.#db.prepare("INSERT INTO piece (hash, number, bytes) VALUES (?, ?, ?)");
  }

  events(events: readonly ExportedEvent[]): void {
    for (const { seq, hash, body } of events) this.#event.run(seq, hash, body);
  }

  /** Which of these aren't in the file yet; from now on they are. */
  newContents(contents: readonly ExportedContent[]): string[] {
    return contents
      .filter(({ hash, size, state }) => this.#content.run(hash, size, state).changes === 1)
      .map(({ hash }) => hash);
  }

  setState(hash: string, state: ExportedContent["state"]): void {
    this.#db.prepare("UPDATE content SET state = ? WHERE hash = ?").run(state, hash);
  }

  /** What of a content got in before it turned out to be damaged. */
  dropPieces(hash: string): void {
    this.#db.prepare("DELETE FROM piece WHERE hash = ?").run(hash);
  }

  pieces(pieces: readonly Piece[]): void {
    for (const { hash, number, bytes } of pieces) this.#piece.run(hash, number, bytes);
  }

  /** The file is complete and on the disk when this returns. */
  finish(about: Readonly<Record<string, string>>): void {
    const insert = this.#db.prepare("INSERT INTO about (name, value) VALUES (?, ?)");
    for (const [name, value] of Object.entries(about)) insert.run(name, value);
    this.#db.exec("COMMIT");
    this.#db.close();
    const file = openSync(this.#path, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  abandon(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}
