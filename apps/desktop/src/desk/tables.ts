import { factsOf, inlineChanges, type Json, type KnownEvent } from "@choiros/contract";

/** What of a computer's state the desk has with it. */
export const FOLLOWED = ["window", "setting", "call", "message", "task", "ask", "undo"] as const;
export type Followed = (typeof FOLLOWED)[number];

export interface Row {
  readonly key: string;
  readonly value: Json;
}

interface Table {
  /** The last event that is counted in. */
  seq: number;
  readonly rows: Map<string, Json>;
}

/** Tables as they were when they were read, and everything that happened to them since, by the contract's own reducer. */
export class Tables {
  readonly #tables = new Map<Followed, Table>();
  /** What came before all of them were there. */
  #early: KnownEvent[] = [];

  /** A table as it stands after the event `seq`; what happened later and came already is counted in. */
  start(table: Followed, rows: Iterable<Row>, seq: number): void {
    const map = new Map<string, Json>();
    for (const { key, value } of rows) map.set(key, value);
    this.#tables.set(table, { seq, rows: map });
    for (const event of this.#early) this.#count(event);
    if (this.isComplete) this.#early = [];
  }

  get isComplete(): boolean {
    return this.#tables.size === FOLLOWED.length;
  }

  rows(table: Followed): ReadonlyMap<string, Json> {
    return this.#tables.get(table)?.rows ?? new Map();
  }

  /** Which of them it changed. */
  take(event: KnownEvent): ReadonlySet<Followed> {
    if (!this.isComplete) this.#early.push(event);
    return this.#count(event);
  }

  #count(event: KnownEvent): ReadonlySet<Followed> {
    const changed = new Set<Followed>();
    const get = (table: string, key: string) => (isFollowed(table) ? this.rows(table).get(key) : undefined);
    for (const fact of factsOf(event, inlineChanges(event), get)) {
      if (fact.table === "tree" || !isFollowed(fact.table)) continue;
      const table = this.#tables.get(fact.table);
      if (table === undefined || table.seq >= event.seq) continue;
      if (fact.value === null) table.rows.delete(fact.key);
      else table.rows.set(fact.key, fact.value);
      changed.add(fact.table);
    }
    return changed;
  }
}

/** Its changes stand in a content of their own: what it did has to be read anew. */
export function isLong(event: KnownEvent): boolean {
  return "list" in event.payload;
}

function isFollowed(table: string): table is Followed {
  return FOLLOWED.some((one) => one === table);
}
