import { hash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { FIRST_PREVIOUS, link } from "@choiros/contract/chain";
import { type Head, MAX_PROBLEMS, type Problem, type ProblemKind, type VerifyReport } from "../log.ts";
import { failureOf } from "./failure.ts";
import { CAUSES, openFile } from "./log-file.ts";
import { inspectVersion } from "./migrate.ts";
import { LOG_MIGRATIONS, schemaText } from "./schema.ts";

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly ask: string | null;
  readonly call: string | null;
  readonly conversation: string | null;
  readonly task: string | null;
  readonly hash: string;
  readonly body: string;
}

/**
 * Reads a whole log file and holds everything in it against everything else. Changes nothing. Blocks. Throws only where
 * the disk is too full to read it.
 */
export function verifyFile(path: string, expect: Head | undefined, onProgress: Progress): VerifyReport {
  const findings = new Findings();
  let db: DatabaseSync | undefined;
  try {
    db = openFile(path, "read");
    db.exec("BEGIN"); // one moment of the log, whatever is appended meanwhile
    checkSchema(db, path, findings);
    checkEvents(db, findings, expect, onProgress);
    checkStructure(db, findings);
  } catch (error) {
    const { code, message } = failureOf(error);
    if (code === "disk-full") throw error; // that is no damage
    findings.add("structure", undefined, `${path} can't be read as a log: ${message}`);
  } finally {
    db?.close();
  }
  return findings.report();
}

type Progress = (done: number, total: number) => void;

class Findings {
  readonly #problems: Problem[] = [];
  #firstBad: number | undefined;
  #events = 0;
  #good: Head | undefined;

  add(kind: ProblemKind, seq: number | undefined, message: string): void {
    if (seq !== undefined) {
      // A row may bear the number of one that was read before, and was good.
      const bad = Math.max(seq, (this.#good?.seq ?? 0) + 1);
      this.#firstBad = Math.min(bad, this.#firstBad ?? bad);
    }
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ kind, message, ...(seq !== undefined && { seq }) });
  }

  /** An event was read, and nothing is wrong with it. */
  pass(head: Head): void {
    if (this.#firstBad === undefined) this.#good = head;
  }

  count(): number {
    return ++this.#events;
  }

  report(): VerifyReport {
    return {
      ok: this.#problems.length === 0,
      events: this.#events,
      problems: this.#problems,
      ...(this.#good && { good: this.#good }),
      ...(this.#firstBad !== undefined && { firstBad: this.#firstBad }),
    };
  }
}

function checkSchema(db: DatabaseSync, path: string, findings: Findings): void {
  inspectVersion(db, path, LOG_MIGRATIONS.length);
  const model = new DatabaseSync(":memory:");
  for (const step of LOG_MIGRATIONS) step(model);
  const differs = schemaText(db) !== schemaText(model);
  model.close();
  if (differs) findings.add("structure", undefined, "the tables are not the ones a log is made of");
}

/** The chain, row by row: no gap, each hash follows from the one before, each column says what the event says. */
function checkEvents(db: DatabaseSync, findings: Findings, expect: Head | undefined, onProgress: Progress): void {
  const total = Number(db.prepare("SELECT max(seq) AS n FROM event").get()?.n ?? 0);
  let last: Head = { seq: 0, hash: FIRST_PREVIOUS };
  try {
    for (const found of db.prepare("SELECT * FROM event ORDER BY seq").iterate()) {
      const row = found as unknown as Row; // the table is STRICT
      const done = findings.count();
      if (row.seq !== last.seq + 1) findings.add("gap", last.seq + 1, gap(last.seq + 1, row.seq));
      checkRow(row, last.hash, findings);
      if (row.seq === expect?.seq && row.hash !== expect.hash) {
        findings.add("hash", row.seq, `event ${row.seq} has the hash ${row.hash}; it was ${expect.hash}`);
      }
      last = { seq: row.seq, hash: row.hash };
      findings.pass(last);
      if (done % 10_000 === 0) onProgress(done, total);
    }
  } catch (error) {
    findings.add("unreadable", last.seq + 1, `event ${last.seq + 1} can't be read: ${failureOf(error).message}`);
  }
  if (last.seq === 0) findings.add("gap", 1, "event 1 is missing: the log is empty");
  if (expect !== undefined && last.seq < expect.seq) {
    findings.add("short", last.seq + 1, `the log ends at ${last.seq}; event ${expect.seq} is known to have been there`);
  }
}

function checkRow(row: Row, previous: string, findings: Findings): void {
  if (hash("sha256", link(previous, row.body)) !== row.hash) {
    findings.add("hash", row.seq, `event ${row.seq} is not what its hash covers`);
    return; // what its body says means nothing now
  }
  const event = JSON.parse(row.body);
  const wrong = ["seq", "id", "type"].filter((name) => event[name] !== row[name as "seq" | "id" | "type"]);
  wrong.push(...CAUSES.filter((kind) => (event.cause?.[kind] ?? null) !== row[kind]));
  for (const name of wrong)
    findings.add("column", row.seq, `event ${row.seq}: column '${name}' is not what the event says`);
}

/** The tree under the rows, and every index against its table. */
function checkStructure(db: DatabaseSync, findings: Findings): void {
  for (const row of db.prepare(`PRAGMA integrity_check(${MAX_PROBLEMS})`).all()) {
    const message = String(row.integrity_check);
    if (message !== "ok") findings.add("structure", undefined, message);
  }
}

function gap(from: number, to: number): string {
  return to < from
    ? `event ${to} stands where ${from} should be`
    : from === to - 1
      ? `event ${from} is missing`
      : `events ${from} to ${to - 1} are missing`;
}
