import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openStore, type Store, verifyContents } from "@choiros/log";
import { CHANGING, compileFaults, type FaultOrder } from "./faults.ts";
import { Ledger } from "./ledger.ts";
import { FILLING, planned } from "./plan.ts";
import { BrokenPromise, hold, inContext } from "./promise.ts";
import { type Random, randomFrom } from "./random.ts";
import { Victim } from "./victim.ts";
import { type WriterOrder, type WriterReport, writtenId } from "./writer.ts";

export interface KillPlan {
  readonly seed: number;
  readonly kills: number;
  /** A new store after so many kills. */
  readonly killsPerStore: number;
  /** How many events are in each store before the first kill. */
  readonly length?: number;
  readonly onProgress?: (done: number) => void;
}

export interface KillReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly slowestOpeningMs: number;
}

const WRITERS = 8;
const MAX_OPENING_MS = 1000;

/** R1: kills a process with eight writers again and again, and looks after each time whether everything is there. */
export async function killWriters(folder: string, plan: KillPlan): Promise<KillReport> {
  const run = new KillRun(folder, plan);
  // One store stays open here all the time: what is measured is an opening, not the start of a thread.
  const warm = await openForWriting(join(folder, "warm"));
  try {
    return await run.go();
  } finally {
    await run.end();
    await warm.close();
  }
}

class KillRun {
  readonly #folder: string;
  readonly #watched: string;
  readonly #library: string;
  readonly #plan: KillPlan;
  readonly #random: Random;
  #victims = 0;
  #spare: WriterProcess | undefined;
  #acknowledged = 0;
  #slowestOpeningMs = 0;

  constructor(folder: string, plan: KillPlan) {
    this.#folder = folder;
    this.#watched = join(folder, "stores");
    mkdirSync(this.#watched);
    this.#library = compileFaults(folder);
    this.#plan = plan;
    this.#random = randomFrom(plan.seed);
  }

  async go(): Promise<KillReport> {
    const { kills, killsPerStore } = this.#plan;
    for (let first = 0; first < kills; first += killsPerStore) {
      await this.#wearOut(first, Math.min(kills, first + killsPerStore));
    }
    return { kills, acknowledged: this.#acknowledged, slowestOpeningMs: this.#slowestOpeningMs };
  }

  async end(): Promise<void> {
    await this.#spare?.kill();
  }

  /** One store, killed over and over. */
  async #wearOut(first: number, end: number): Promise<void> {
    const dir = join(this.#watched, `store-${first}`);
    const ledger = new Ledger();
    if (this.#plan.length !== undefined) await fill(dir, this.#plan.length, ledger);
    for (let kill = first; kill < end; kill++) {
      const way = wayOf(this.#random, ledger);
      try {
        await this.#once(dir, way, ledger, kill === end - 1);
      } catch (error) {
        throw inContext(error, `seed ${this.#plan.seed}, kill ${kill + 1}, ${way.says}, ${dir}`);
      }
      this.#plan.onProgress?.(kill + 1);
    }
    this.#acknowledged += ledger.acknowledged;
    rmSync(dir, { recursive: true });
  }

  async #once(dir: string, way: Way, ledger: Ledger, isLast: boolean): Promise<void> {
    const victim = this.#nextVictim();
    await victim.until(said("ready"));
    const tag = `${this.#plan.seed}`;
    const next = Array.from({ length: WRITERS }, (_, writer) => firstMissing(ledger, tag, writer));
    await strike(victim, way, () => victim.order({ dir, tag, next }));
    for (const report of victim.reports) {
      if (report.said === "put") ledger.acknowledgeContent(report);
      if (report.said === "appended") ledger.acknowledge(report.id, report);
    }
    await this.#examine(dir, ledger, isLast);
  }

  /** The next one starts while this one is at work and is looked at. */
  #nextVictim(): WriterProcess {
    const make = () =>
      new Victim<WriterOrder, WriterReport>(
        "writer.ts",
        this.#library,
        this.#watched,
        join(this.#folder, `victim-${this.#victims++}`),
      );
    const victim = this.#spare ?? make();
    this.#spare = make();
    return victim;
  }

  async #examine(dir: string, ledger: Ledger, isLast: boolean): Promise<void> {
    // A reader finds what the dead one left as it is; a writer puts it in order first.
    const mode = !isLast && this.#random.chance(0.4) ? "read" : "write";
    const start = performance.now();
    const opened = await openStore({ dir, userId: "ada", mode, create: mode === "write", who: "torture" });
    const took = performance.now() - start;
    if (!opened.ok && mode === "read" && ledger.isEmpty) return; // killed before there was a log
    hold(opened.ok, () => `it can't be opened to ${mode}: ${opened.ok ? "" : opened.message}`);
    try {
      hold(took < MAX_OPENING_MS, `opening took ${Math.round(took)} ms`);
      this.#slowestOpeningMs = Math.max(this.#slowestOpeningMs, took);
      await this.#examineOpen(opened.store, ledger, isLast);
    } finally {
      await opened.store.close();
    }
  }

  async #examineOpen(store: Store, ledger: Ledger, isLast: boolean): Promise<void> {
    const isLong = this.#plan.length !== undefined;
    await ledger.check(store, isLong && !isLast ? "last" : "start");
    if (isLong && !isLast) return;
    const report = await store.log.verify(ledger.last === undefined ? {} : { expect: ledger.last });
    hold(report.ok, () => `verify finds: ${report.problems[0]?.message}`);
    if (!isLast) return;
    const contents = await verifyContents(store.log, store.contents);
    hold(contents.ok, () => `verifyContents finds: ${JSON.stringify(contents.problems[0])}`);
  }
}

type WriterProcess = Victim<WriterOrder, WriterReport>;

/** When it strikes. */
interface Way {
  readonly says: string;
  readonly acknowledgements: number;
  readonly closing: boolean;
  readonly delayMs: number;
  readonly order?: FaultOrder;
}

function wayOf(random: Random, ledger: Ledger): Way {
  const way = { says: "", acknowledgements: 0, closing: false, delayMs: 0 };
  const kind = random.below(ledger.isEmpty ? 4 : 8);
  if (kind === 0) {
    const delayMs = random.below(15);
    return { ...way, says: `${delayMs} ms after it began to open`, delayMs };
  }
  if (kind <= 3) {
    // More of the early ones: opening, and making a store, take few operations.
    const at = 1 + Math.floor(600 * random.next() ** 3);
    const fault = random.pick(["kill-before", "kill-halfway", "kill-after"]);
    return {
      ...way,
      says: `${fault} operation ${at}`,
      order: { at, fault, operations: CHANGING },
      acknowledgements: 500,
    };
  }
  const acknowledgements = 1 + random.below(150);
  const delayMs = random.below(6);
  const closing = kind === 7;
  const says = `${delayMs} ms after ${closing ? "it began to close, after " : ""}${acknowledgements} acknowledgements`;
  return { says, acknowledgements, closing, delayMs };
}

async function strike(victim: WriterProcess, way: Way, begin: () => void): Promise<void> {
  if (way.order !== undefined) victim.faults.arm(way.order);
  begin();
  await victim.until((reports) => count(reports, "appended") >= way.acknowledgements);
  if (way.closing) {
    victim.close();
    await victim.until(said("closing"));
  }
  if (way.delayMs > 0) await delay(way.delayMs);
  await victim.kill();
}

function said(word: WriterReport["said"]): (reports: readonly WriterReport[]) => boolean {
  return (reports) => reports.some((report) => report.said === word);
}

function count(reports: readonly WriterReport[], word: WriterReport["said"]): number {
  return reports.filter((report) => report.said === word).length;
}

function firstMissing(ledger: Ledger, tag: string, writer: number): number {
  let number = 0;
  while (ledger.wasAcknowledged(writtenId(tag, writer, number))) number++;
  return number;
}

async function fill(dir: string, length: number, ledger: Ledger): Promise<void> {
  const store = await openForWriting(dir);
  const append = async (number: number) => {
    const appended = await store.log.append(planned(`${FILLING}${number}`).draft);
    if (!appended.ok) throw new BrokenPromise(appended.message);
    ledger.acknowledge(appended.id, appended);
  };
  for (let number = 0; number < length; number += 500) {
    await Promise.all(Array.from({ length: Math.min(500, length - number) }, (_, i) => append(number + i)));
  }
  await store.close();
}

async function openForWriting(dir: string): Promise<Store> {
  const opened = await openStore({ dir, userId: "ada", mode: "write", create: true, who: "torture" });
  if (!opened.ok) throw new Error(opened.message);
  return opened.store;
}
