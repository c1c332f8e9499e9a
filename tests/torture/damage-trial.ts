import { hash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Envelope } from "@choiros/contract";
import { LogError, openStore, type Store, type VerifyReport, verifyContents, verifyStore } from "@choiros/log";
import { type Damage, inflict } from "./damage.ts";
import { readContent } from "./ledger.ts";
import { filesOf, type Original, readRows } from "./original.ts";
import { hold } from "./promise.ts";

/** How it came out: noticed, without effect, or a shorter log that only somebody who knew of more can tell. */
export type Outcome = "found" | "harmless" | "shorter";

/** Damages a copy of a store, and holds what is then said and given out against the original. */
export async function tryDamage(original: Original, damage: Damage, place: string): Promise<Outcome> {
  const dir = join(place, "store");
  cpSync(original.dir, dir, { recursive: true });
  inflict(dir, damage);
  const truth = truthOf(original, dir, join(place, "look"));
  const report = await withoutTouching(dir, () => verifyStore(dir));
  checkReport(original, report, truth);
  if (report.ok && truth.rows < original.rows.length) await checkShort(original, dir, truth.rows);
  const found = await checkStore(original, dir, damage, truth);
  rmSync(place, { recursive: true, force: true }); // where it failed, it is left to be looked at
  if (!report.ok || found) return "found";
  return truth.rows < original.rows.length ? "shorter" : "harmless";
}

/** What really is in the damaged log: so many rows as they were, then one that differs, or the end. */
interface Truth {
  readonly rows: number;
  readonly differs: boolean;
}

function truthOf(original: Original, dir: string, look: string): Truth {
  mkdirSync(look); // reading may change files: it has a copy of its own
  for (const name of filesOf(dir).filter((file) => file.startsWith("log.sqlite")))
    cpSync(join(dir, name), join(look, name));
  const { rows, error } = readRows(join(look, "log.sqlite"));
  const different = rows.findIndex((row, i) => !isDeepStrictEqual(row, original.rows[i]));
  return { rows: different < 0 ? rows.length : different, differs: different >= 0 || error !== undefined };
}

/** Whatever is wrong, looking changes nothing. */
async function withoutTouching<T>(dir: string, look: () => Promise<T>): Promise<T> {
  const before = fingerprint(dir);
  const result = await look();
  const after = fingerprint(dir);
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const became = after[name] === undefined ? "gone" : before[name] === undefined ? "new" : "changed";
    hold(before[name] === after[name], () => `who only looked left ${name} ${became}`);
  }
  return result;
}

function fingerprint(dir: string): Record<string, string> {
  const files = filesOf(dir).map((name) => ({ name, bytes: readFileSync(join(dir, name)) }));
  // Where there is no write-ahead log, a reader makes an empty one: that is the same.
  const written = files.filter(({ name, bytes }) => bytes.length > 0 || !name.endsWith("-wal"));
  return Object.fromEntries(written.map(({ name, bytes }) => [name, hash("sha256", bytes)]));
}

function checkReport({ events }: Original, report: VerifyReport, truth: Truth): void {
  const { ok, firstBad, good, problems } = report;
  hold(!(ok && truth.differs), () => `verify finds nothing, but event ${truth.rows + 1} is not what it was`);
  hold(ok === (problems.length === 0), "verify's report contradicts itself");
  const first = truth.rows + 1;
  if (truth.differs) {
    hold((firstBad ?? 0) <= first, () => `verify calls ${firstBad} the first bad event, but ${first} is bad`);
  }
  if (good === undefined) return;
  hold(good.seq <= truth.rows, () => `verify calls ${good.seq} good, but ${first} is not what it was`);
  hold(good.hash === events[good.seq - 1]?.hash, () => `verify gives a wrong hash for event ${good.seq}`);
}

/** A log that merely ends too early is told by an event that is known to have been there. */
async function checkShort(original: Original, dir: string, rows: number): Promise<void> {
  const { seq, hash } = original.events.at(-1) ?? { seq: 0, hash: "" };
  const report = await withoutTouching(dir, () => verifyStore(dir, { expect: { seq, hash } }));
  hold(!report.ok && report.firstBad === rows + 1, () => `verify doesn't miss event ${rows + 1}: ${report.firstBad}`);
}

/** Opens it and reads everything. Says whether something was noticed. */
async function checkStore(original: Original, dir: string, damage: Damage, truth: Truth): Promise<boolean> {
  const { file, mode } = damage;
  const work = async () => {
    const opened = await openStore({ dir, userId: "ada", mode, who: "torture" });
    if (!opened.ok) return true;
    try {
      if (mode === "write") await checkHead(original, opened.store);
      const inLog = await checkEvents(original, opened.store, truth);
      if (file.startsWith("log.")) return inLog;
      return (await checkContents(original, opened.store)) || inLog;
    } finally {
      await opened.store.close();
    }
  };
  return mode === "read" ? withoutTouching(dir, work) : work();
}

/** What is appended follows from the head: one that isn't true would take along everything that comes after it. */
async function checkHead({ events }: Original, store: Store): Promise<void> {
  const { seq, hash } = await store.log.head();
  hold(events[seq - 1]?.hash === hash, () => `it opens for writing after event ${seq}, which is not what it was`);
}

async function checkEvents(original: Original, store: Store, truth: Truth): Promise<boolean> {
  const given: Envelope[] = [];
  const error = await noticed(async () => {
    for await (const event of store.log.read()) given.push(event);
  });
  for (const [i, event] of given.entries()) {
    hold(isDeepStrictEqual(event, original.events[i]), () => `event ${i + 1} is given out, and is not what it was`);
  }
  if (error !== undefined) return true;
  hold(given.length >= truth.rows, () => `${truth.rows} events are there, ${given.length} are given out`);
  return false;
}

/** Each content is given out as it was, or said to be lost; and whoever looks at all of them is told. */
async function checkContents({ contents }: Original, store: Store): Promise<boolean> {
  let lost = 0;
  for (const [name, bytes] of contents) {
    const whole = await givenOut(store, name, bytes);
    const state = await noticed(() => store.contents.check(name));
    hold(state !== "pruned", () => `content ${name} was never dropped, and is said to be pruned`);
    hold(whole || state !== "present", () => `content ${name} is said to be present, and can't be had`);
    if (!whole) lost++;
  }
  const report = await noticed(() => verifyContents(store.log, store.contents));
  if (report instanceof LogError) return true;
  hold(report.contents === contents.size, () => `verifyContents looks at ${report.contents} of ${contents.size}`);
  hold(!report.ok || lost === 0, () => `${lost} contents are lost, and verifyContents finds nothing`);
  return !report.ok;
}

/** Whether the bytes are given out, as they were; other bytes never are. */
async function givenOut(store: Store, name: string, bytes: Buffer): Promise<boolean> {
  const got = await noticed(() => readContent(store, name));
  if (got === undefined || got instanceof LogError) return false;
  hold(got.equals(bytes), () => `content ${name} is given out, and is not what was put`);
  return true;
}

/** What comes out, or the error that says what is wrong; any other error is a fault of its own. */
async function noticed<T>(work: () => Promise<T>): Promise<T | LogError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LogError) return error;
    throw error;
  }
}
