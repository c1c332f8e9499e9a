import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { inTurns, type Measure, sum, timed } from "./measure.ts";
import { append, fill, withStore, writes } from "./stores.ts";

const WRITERS = 64;
const PER_TURN = WRITERS * 20;

/** What many writers get together, who share commits: against SQLite with nothing around it, fed from memory. */
export const appendMany: Measure = {
  id: "P2",
  title: "durable append, 64 writers",
  unit: "events/s",
  peer: "raw SQLite, FULL, 64 rows a transaction",
  better: "higher",
  floor: 0.5,
  aim: 0.85,

  prepare: ({ ground, quick, say }) => fill(ground, turnsOf(quick) * PER_TURN, say),

  async run(round, { folder, ground, quick }) {
    const turns = turnsOf(quick);
    const drafts = writes()
      .take(turns * PER_TURN)
      .toArray();
    const model = modelOf(join(ground, "log.sqlite"));
    const raw = new RawTable(join(folder, "peer.sqlite"), model);
    const part = <T>(all: readonly T[], turn: number) => all.slice(turn * PER_TURN, (turn + 1) * PER_TURN);
    try {
      return await withStore(join(folder, "ours"), async ({ log }) => {
        const took = await inTurns(
          round,
          turns,
          async (turn) => [await timed(() => append(log, part(drafts, turn), WRITERS))],
          async (turn) => [await timed(() => raw.insert(part(model.rows, turn)))],
        );
        return { ours: (1000 * drafts.length) / sum(took.ours), peer: (1000 * drafts.length) / sum(took.peer) };
      });
    } finally {
      raw.close();
    }
  },
};

function turnsOf(quick: boolean): number {
  return quick ? 4 : 16;
}

/** The log's own table with its indexes, and rows as the log wrote them: whatever they become, the peer has the same. */
interface Model {
  readonly schema: readonly string[];
  readonly rows: readonly (readonly SQLInputValue[])[];
}

function modelOf(path: string): Model {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const schema = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
    const rows = db.prepare("SELECT * FROM event ORDER BY seq").all();
    return { schema: schema.map(({ sql }) => String(sql)), rows: rows.map((row) => Object.values(row)) };
  } finally {
    db.close();
  }
}

class RawTable {
  readonly #db: DatabaseSync;
  readonly #sql: string;

  constructor(path: string, { schema, rows }: Model) {
    this.#db = new DatabaseSync(path);
    this.#db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    for (const sql of schema) this.#db.exec(sql);
    this.#sql = `INSERT INTO event VALUES (${rows[0]?.map(() => "?").join()})`;
  }

  insert(rows: readonly (readonly SQLInputValue[])[]): void {
    const statement = this.#db.prepare(this.#sql);
    for (let from = 0; from < rows.length; from += WRITERS) {
      this.#db.exec("BEGIN IMMEDIATE");
      for (const row of rows.slice(from, from + WRITERS)) statement.run(...row);
      this.#db.exec("COMMIT");
    }
  }

  close(): void {
    this.#db.close();
  }
}
