import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { inTurns, type Measure, sum, timed } from "./measure.ts";
import { append, fill, settle, withStore, writes } from "./stores.ts";

const WRITERS = 64;
const PER_TURN = WRITERS * 20;
/** Turns' worth of rows for the peer's own warming up. */
const SPARE = 10;

/** What many writers get together, who share commits: against SQLite with nothing around it, fed from memory. */
export const appendMany: Measure = {
  id: "P2",
  title: "durable append, 64 writers",
  unit: "events/s",
  peer: "raw SQLite, FULL, 64 rows a transaction",
  better: "higher",
  floor: 0.5,
  aim: 0.85,

  prepare: ({ ground, quick, say }) => fill(ground, (turnsOf(quick) + SPARE) * PER_TURN, say),

  async run(round, { folder, ground, quick }) {
    const ours = join(folder, "ours");
    const peer = join(folder, "peer.sqlite");
    const raw = new RawTable(peer, modelOf(join(ground, "log.sqlite")));
    try {
      return await withStore(ours, async ({ log }) => {
        await settle(peer, () => raw.insert(PER_TURN));
        await settle(join(ours, "log.sqlite"), () => append(log, writes().take(PER_TURN), WRITERS));
        const took = await inTurns(
          round,
          turnsOf(quick),
          async () => {
            const drafts = writes().take(PER_TURN).toArray();
            return [await timed(() => append(log, drafts, WRITERS))];
          },
          async () => [await timed(() => raw.insert(PER_TURN))],
        );
        const rate = (times: readonly number[]) => (1000 * PER_TURN * times.length) / sum(times);
        return { ours: rate(took.ours), peer: rate(took.peer) };
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
  readonly #rows: Model["rows"];
  readonly #sql: string;
  #next = 0;

  constructor(path: string, { schema, rows }: Model) {
    this.#db = new DatabaseSync(path);
    this.#db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    for (const sql of schema) this.#db.exec(sql);
    this.#rows = rows;
    this.#sql = `INSERT INTO event VALUES (${rows[0]?.map(() => "?").join()})`;
  }

  /** The next rows, 64 in a transaction. */
  insert(count: number): void {
    const statement = this.#db.prepare(this.#sql);
    const end = this.#next + count;
    if (end > this.#rows.length) throw new Error(`there are no more than ${this.#rows.length} rows to insert`);
    while (this.#next < end) {
      this.#db.exec("BEGIN IMMEDIATE");
      for (const row of this.#rows.slice(this.#next, this.#next + WRITERS)) statement.run(...row);
      this.#db.exec("COMMIT");
      this.#next += WRITERS;
    }
  }

  close(): void {
    this.#db.close();
  }
}
