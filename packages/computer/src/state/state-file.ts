import { renameSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Json, KnownEvent } from "@choiros/contract";
import { canonicalise } from "@choiros/contract/canonical";
import { type ChangeTo, type Fact, factsOf, inlineChanges, type StateTable } from "@choiros/contract/state";
import { failureOf } from "@choiros/log/failure";
import { entryText } from "./entry-text.ts";
import { createTables, faultIn, isEmpty, NUMBER_OF, TREE } from "./schema.ts";
import { StateReader } from "./state-reader.ts";

/** The last event that is in the state. */
export interface Applied {
  readonly seq: number;
  readonly hash: string;
}

/** An event on its way into the state; without `event` there is nothing in it for the state. */
export interface Item extends Applied {
  readonly event?: KnownEvent;
}

/** A file that is no state, or one of another version. */
export class Unusable extends Error {
  override name = "Unusable";
}

/** The file of the state. Everything here blocks: it belongs on a thread. Reads go past a change that is under way. */
export class StateFile {
  readonly #path: string;
  #db: DatabaseSync;
  #reader: StateReader;
  #statements: Statements;
  #applied: Applied;
  /** The event whose changes come in slices. */
  #long: KnownEvent | undefined;

  /** Makes the file where there is none. Throws where it can't be used; the message says why. */
  constructor(path: string) {
    this.#path = path;
    this.#db = openFile(path);
    try {
      this.#statements = prepare(this.#db);
      this.#applied = readApplied(this.#statements);
      this.#reader = new StateReader(path);
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  get applied(): Applied {
    return this.#applied;
  }

  get reader(): StateReader {
    return this.#reader;
  }

  /** Events one after the other, in one commit: what is read is always the state after an event, never between. */
  apply(items: readonly Item[]): Applied {
    return this.#commit(() => {
      let last = this.#applied;
      for (const item of items) {
        if (item.seq <= last.seq) continue;
        assertNext(item, last);
        if (item.event !== undefined) this.#set(item.event, inlineChanges(item.event));
        last = item;
      }
      return last;
    });
  }

  /** An event whose changes come in slices: `begin`, `add` for each, and `end`, which commits them all; or `cancel`. */
  begin(item: Required<Item>): void {
    assertNext(item, this.#applied);
    this.#db.exec("BEGIN IMMEDIATE");
    this.#long = item.event;
  }

  add(changes: readonly ChangeTo[]): void {
    if (this.#long === undefined) throw new Error("no event is under way");
    this.#set(this.#long, changes);
  }

  end(item: Applied): Applied {
    this.#long = undefined;
    const { seq, hash } = item;
    this.#statements.setApplied.run(seq, hash);
    this.#db.exec("COMMIT");
    this.#applied = { seq, hash };
    return this.#applied;
  }

  cancel(): void {
    this.#long = undefined;
    if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
  }

  /** Another state, which nobody has open, in place of this one. */
  replace(from: string): Applied {
    this.close();
    removeFile(this.#path);
    renameSync(from, this.#path);
    this.#db = openFile(this.#path);
    this.#statements = prepare(this.#db);
    this.#applied = readApplied(this.#statements);
    this.#reader = new StateReader(this.#path);
    return this.#applied;
  }

  close(): void {
    this.#reader.close();
    this.#db.close();
  }

  #commit(work: () => Applied): Applied {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const { seq, hash } = work();
      if (seq > this.#applied.seq) this.#statements.setApplied.run(seq, hash);
      this.#db.exec("COMMIT");
      this.#applied = { seq, hash };
      return this.#applied;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  #set(event: KnownEvent, changes: readonly ChangeTo[]): void {
    for (const fact of factsOf(event, changes, (table, key) => this.#get(table, key))) this.#setFact(event.seq, fact);
  }

  #get(table: StateTable, key: string): Json | undefined {
    const row = this.#statements.get.get(NUMBER_OF[table], key);
    return row === undefined ? undefined : JSON.parse(String(row.value));
  }

  #setFact(seq: number, fact: Fact): void {
    const { get, put, remove, addPast, addSpan } = this.#statements;
    const kind = fact.table === "tree" ? TREE : NUMBER_OF[fact.table];
    const { key } = fact;
    const value = textOf(fact);
    const former = get.get(kind, key) as { from_seq: number; value: string } | undefined; // as the table is declared
    if (value === (former?.value ?? null)) return;
    if (former !== undefined && former.from_seq < seq) {
      const { lastInsertRowid } = addPast.run(kind, key, former.from_seq, seq, former.value);
      addSpan.run(lastInsertRowid, former.from_seq, seq - 1);
    }
    if (value !== null) put.run(kind, key, seq, value);
    else {
      remove.run(kind, key);
      addPast.run(kind, key, seq, seq, null);
    }
  }
}

/** Removes a state with everything SQLite keeps beside it. */
function removeFile(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${end}`, { force: true });
}

function textOf(fact: Fact): string | null {
  if (fact.table === "tree") return fact.entry === null ? null : entryText(fact.entry);
  return fact.value === null ? null : canonicalise(fact.value);
}

function assertNext(item: Applied, { seq }: Applied): void {
  if (item.seq !== seq + 1) throw new Error(`event ${item.seq} can't be applied to the state after event ${seq}`);
}

function openFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    // NORMAL: what a power cut takes is made again from the log.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY");
    if (isEmpty(db)) createTables(db);
    const fault = faultIn(db);
    if (fault !== undefined) throw new Unusable(fault);
    assertWritable(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** One flipped bit, and SQLite takes the file for one that it may only read. */
function assertWritable(db: DatabaseSync): void {
  try {
    db.exec("BEGIN; UPDATE applied SET seq = seq; ROLLBACK");
  } catch (error) {
    throw failureOf(error).code === "read-only" ? new Unusable("it can't be written to") : error;
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: DatabaseSync) {
  const statement = (sql: string): StatementSync => db.prepare(sql);
  return {
    applied: statement("SELECT seq, hash FROM applied"),
    setApplied: statement("UPDATE applied SET seq = ?, hash = ?"),
    get: statement("SELECT from_seq, value FROM now WHERE kind = ? AND key = ?"),
    put: statement("INSERT OR REPLACE INTO now (kind, key, from_seq, value) VALUES (?, ?, ?, ?)"),
    remove: statement("DELETE FROM now WHERE kind = ? AND key = ?"),
    addPast: statement("INSERT INTO past (kind, key, from_seq, to_seq, value) VALUES (?, ?, ?, ?, ?)"),
    addSpan: statement("INSERT INTO span VALUES (?, ?, ?)"),
  };
}

function readApplied({ applied }: Statements): Applied {
  const row = applied.get();
  if (typeof row?.seq !== "number" || typeof row.hash !== "string")
    throw new Unusable("it doesn't say what it is made of");
  return { seq: row.seq, hash: row.hash };
}
