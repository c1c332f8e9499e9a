import { DatabaseSync, type StatementSync } from "node:sqlite";
import { prepareFile } from "./log-file.ts";
import type { Migration } from "./migrate.ts";
import { Refusal } from "./refusal.ts";

/** What the file knows of a content. Without `bytes` and not dropped, it lies in the folder. */
export interface ContentRow {
  readonly size: number;
  readonly bytes: Uint8Array | null;
  readonly dropped: string | null;
}

export type ContentChange =
  | { readonly kind: "put"; readonly hash: string; readonly size: number; readonly bytes: Uint8Array | null }
  | { readonly kind: "drop"; readonly hash: string; readonly at: string };

/** The file of the small contents, and the list of all of them. Blocks, like `LogFile`. */
export class ContentsFile {
  readonly notices: readonly string[];
  readonly #db: DatabaseSync;
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;

  constructor(path: string, mode: "write" | "read", migrations: readonly Migration[]) {
    this.#db = new DatabaseSync(path, { readOnly: mode === "read", timeout: 5000 });
    try {
      this.notices = prepareFile(this.#db, path, mode, migrations);
      this.#get = this.#db.prepare("SELECT size, bytes, dropped FROM content WHERE hash = ?");
      this.#put = this.#db.prepare(PUT);
      this.#drop = this.#db.prepare(DROP);
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  get(hash: string): ContentRow | undefined {
    const row = this.#get.get(hash);
    if (row === undefined || isContentRow(row)) return row;
    throw new Refusal("damaged", `what is noted of content ${hash} makes no sense`);
  }

  /** All of them in one commit, or none. Says of each whether it changed anything. */
  change(changes: readonly ContentChange[]): boolean[] {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const done = changes.map((change) => this.#apply(change) > 0);
      this.#db.exec("COMMIT");
      return done;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  #apply(change: ContentChange): number {
    if (change.kind === "put") return Number(this.#put.run(change.hash, change.size, change.bytes).changes);
    return Number(this.#drop.run(change.at, change.hash).changes);
  }

  close(): void {
    this.#db.close();
  }
}

// Putting what is there changes nothing; putting what was dropped, or got damaged, brings it back.
const PUT = `INSERT INTO content (hash, size, bytes) VALUES (?, ?, ?)
  ON CONFLICT (hash) DO UPDATE SET size = excluded.size, bytes = excluded.bytes, dropped = NULL
  WHERE dropped IS NOT NULL OR size IS NOT excluded.size OR bytes IS NOT excluded.bytes`;
const DROP = "UPDATE content SET bytes = NULL, dropped = ? WHERE hash = ? AND dropped IS NULL";

/** STRICT holds for what is written. A bit that flipped since must not make a content pass for dropped, or bytes for text. */
function isContentRow(row: Partial<Record<keyof ContentRow, unknown>>): row is ContentRow {
  const { size, bytes, dropped } = row;
  if (typeof size !== "number") return false;
  if (dropped === null) return bytes === null || bytes instanceof Uint8Array;
  return bytes === null && typeof dropped === "string" && MOMENT.test(dropped);
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
