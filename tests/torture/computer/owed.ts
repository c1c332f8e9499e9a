import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Computer } from "@choiros/computer";
import { type Envelope, type Id, recognise } from "@choiros/contract";
import type { Head } from "@choiros/log";
import { readContent } from "../ledger.ts";
import { hold } from "../promise.ts";
import type { ActorsReport } from "./actors.ts";
import { Calls } from "./calls.ts";
import { meddledKey } from "./deeds.ts";

/** What a computer owes to those who worked with it. */
export class Owed {
  readonly #events = new Map<Id, Head>();
  readonly #acknowledged = new Map<Id, number>();
  readonly #begun = new Set<Id>();
  readonly #meddled = new Map<string, { hash: string; id: Id }>();
  readonly #exports = new Set<string>();
  /** By call, the event that says how its command ended. */
  readonly #ran = new Map<Id, number>();
  /** Hashes that events have put somewhere. */
  readonly #known = new Set<string>();
  #called = 0;
  #last: Head = { seq: 0, hash: "" };

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** How many commands the log has by now. */
  get called(): number {
    return this.#called;
  }

  get isEmpty(): boolean {
    return this.#acknowledged.size === 0 && this.#last.seq === 0;
  }

  /** Writes that nobody was told of: whoever began them may try again. */
  get retries(): Id[] {
    return [...this.#begun];
  }

  hear(reports: readonly ActorsReport[]): void {
    for (const report of reports) {
      if (report.said === "begun") this.#begun.add(report.id);
      if (report.said === "done") this.#acknowledge(report.id, report.seq);
      if (report.said === "ran") this.#ran.set(report.id, report.seq);
      if (report.said === "exported") this.#exports.add(report.file);
      if (report.said !== "meddled") continue;
      if (report.hash === null) this.#meddled.delete(report.key);
      else this.#meddled.set(report.key, { hash: report.hash, id: report.id });
    }
    // Cut off in the middle of it, nobody knows what stands there.
    const over = new Set(reports.flatMap((report) => (report.said === "meddled" ? report.id : [])));
    for (const report of reports) {
      if (report.said === "meddling" && !over.has(report.id)) this.#meddled.delete(meddledKey(report.id));
    }
  }

  #acknowledge(id: Id, seq: number): void {
    const before = this.#acknowledged.get(id) ?? this.#events.get(id)?.seq;
    hold(
      before === undefined || before === seq,
      () => `${id} was event ${before}, and was acknowledged again as ${seq}`,
    );
    this.#acknowledged.set(id, seq);
    this.#begun.delete(id);
  }

  /** Each event once, in order, and none that was there before is another now. */
  async checkLog(computer: Computer): Promise<void> {
    const found = new Map<Id, Head>();
    const calls = new Calls();
    let last: Head = { seq: 0, hash: "" };
    for await (const event of computer.log.read()) {
      const { id, seq, hash } = event;
      hold(seq === last.seq + 1, () => `event ${seq} stands where ${last.seq + 1} should be`);
      hold(!found.has(id), () => `${id} is there twice: ${found.get(id)?.seq} and ${seq}`);
      const before = this.#events.get(id);
      hold(before === undefined || before.hash === hash, () => `event ${seq} is not what it was`);
      last = { seq, hash };
      found.set(id, last);
      calls.hear(event);
      if (before === undefined) await this.#learn(computer, event);
    }
    hold(last.seq >= this.#last.seq, () => `the log ends at ${last.seq}, and ${this.#last.seq} was there before`);
    for (const [id, seq] of this.#acknowledged) {
      hold(found.get(id)?.seq === seq, () => `${id} was acknowledged as event ${seq}, and is ${found.get(id)?.seq}`);
    }
    calls.check(this.#ran);
    this.#called = calls.count;
    for (const [id, head] of found) this.#events.set(id, head);
    this.#last = last;
  }

  async #learn(computer: Computer, event: Envelope): Promise<void> {
    const known = recognise(event);
    if (!known.ok) return;
    const { payload } = known.value;
    const text = "list" in payload ? String(await readContent(computer, payload.list.hash)) : JSON.stringify(payload);
    for (const [, hash] of text.matchAll(/"after":\{[^}]*?"hash":"([0-9a-f]{64})"/g)) this.#known.add(hash ?? "");
  }

  /** What others put into the folder, and nobody took away with their own hands, has been taken up into history. */
  checkMeddled(): void {
    for (const [key, { hash, id }] of this.#meddled) {
      hold(this.#known.has(hash), () => `${id} put ${hash} at ${key}, and the log never had it`);
    }
  }

  /** An export that has its name is complete; one that was acknowledged is there. */
  checkExports(folder: string, names: readonly string[]): void {
    for (const file of this.#exports) hold(existsSync(join(folder, file)), () => `${file} was exported, and is gone`);
    for (const name of names.filter((one) => one.endsWith(".choir"))) checkExport(join(folder, name));
    this.#exports.clear();
  }
}

function checkExport(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const sound = db.prepare("PRAGMA integrity_check").get()?.integrity_check === "ok";
    hold(sound, () => `the export ${file} is damaged`);
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const names = tables.map(({ name }) => String(name));
    hold(names.includes("event"), () => `the export ${file} has the tables ${names.join(", ")}`);
    const { last, count } = {
      last: 0,
      count: -1,
      ...db.prepare("SELECT max(seq) AS last, count(*) AS count FROM event").get(),
    };
    const { value } = { value: "", ...db.prepare("SELECT value FROM about WHERE name = 'seq'").get() };
    const lacking = db.prepare("SELECT count(*) AS n FROM content WHERE state <> 'present'").get()?.n;
    hold(lacking === 0, () => `the export ${file} lacks ${lacking} contents`);
    hold(
      last === count && String(value) === String(last),
      () => `the export ${file} has ${count} events up to ${last} of ${value}`,
    );
  } finally {
    db.close();
  }
}
