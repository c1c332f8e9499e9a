import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Computer, openComputer } from "@choiros/computer";
import { verifyContents } from "@choiros/log";
import { CHANGING, compileFaults, type FaultOrder } from "../faults.ts";
import { hold, inContext } from "../promise.ts";
import { type Random, randomFrom } from "../random.ts";
import { Victim } from "../victim.ts";
import type { ActorsOrder, ActorsReport } from "./actors.ts";
import { checkFolder, checkNothingLeft } from "./folder-walk.ts";
import { Owed } from "./owed.ts";
import { checkNothingRuns } from "./processes.ts";

export interface ComputerKillPlan {
  readonly seed: number;
  readonly kills: number;
  /** Where they hit fewer commands than these, there are more of them. */
  readonly commands: number;
  /** A new computer after so many kills. */
  readonly killsPerComputer: number;
  readonly onProgress?: (done: number) => void;
}

export interface ComputerKillReport {
  readonly acknowledged: number;
  /** Commands that were called. */
  readonly called: number;
  readonly slowestOpeningMs: number;
}

const MAX_OPENING_MS = 1000;

/** R1: kills a process in which six act on a computer and run commands, and two meddle with its folder, and looks each time what is left. */
export async function killComputers(folder: string, plan: ComputerKillPlan): Promise<ComputerKillReport> {
  const run = new KillRun(folder, plan);
  const warm = await open(join(folder, "warm")); // what is measured is an opening, not the start of a thread
  try {
    return await run.go();
  } finally {
    await run.end();
    await warm.close();
  }
}

type Actors = Victim<ActorsOrder, ActorsReport>;

class KillRun {
  readonly #folder: string;
  readonly #watched: string;
  readonly #source: string;
  readonly #library: string;
  readonly #plan: ComputerKillPlan;
  readonly #random: Random;
  #victims = 0;
  #spare: Actors | undefined;
  #acknowledged = 0;
  #called = 0;
  #slowestOpeningMs = 0;

  constructor(folder: string, plan: ComputerKillPlan) {
    this.#folder = folder;
    this.#watched = join(folder, "computers");
    mkdirSync(this.#watched);
    this.#source = makeSource(join(folder, "source"));
    this.#library = compileFaults(folder);
    this.#plan = plan;
    this.#random = randomFrom(`computer ${plan.seed}`);
  }

  async go(): Promise<ComputerKillReport> {
    const { commands, kills, killsPerComputer } = this.#plan;
    for (let first = 0; first < kills || this.#called < commands; first += killsPerComputer) {
      await this.#wearOut(first, first + killsPerComputer);
    }
    return { acknowledged: this.#acknowledged, called: this.#called, slowestOpeningMs: this.#slowestOpeningMs };
  }

  async end(): Promise<void> {
    await this.#spare?.kill();
  }

  /** One computer, killed over and over. */
  async #wearOut(first: number, end: number): Promise<void> {
    const root = join(this.#watched, `computer-${first}`);
    const owed = new Owed();
    for (let kill = first; kill < end; kill++) {
      const way = wayOf(this.#random, owed);
      try {
        await this.#once(root, kill, way, owed);
        await this.#examine(root, owed, kill, kill === end - 1);
      } catch (error) {
        throw inContext(error, `seed ${this.#plan.seed}, kill ${kill + 1}, ${way.says}, ${root}`);
      }
      this.#plan.onProgress?.(kill + 1);
    }
    this.#acknowledged += owed.acknowledged;
    this.#called += owed.called;
    for (const folder of [root, `${root}-run`]) rmSync(folder, { recursive: true, force: true });
  }

  async #once(root: string, kill: number, way: Way, owed: Owed): Promise<void> {
    const victim = this.#nextVictim();
    await victim.until(said("ready"));
    const exports = join(this.#folder, "exports");
    mkdirSync(exports, { recursive: true });
    const tag = `${this.#plan.seed}-${kill}`;
    const watch = this.#random.chance(0.5);
    const ground = this.#random.chance(0.7) ? "overlay" : "live";
    const order: ActorsOrder = { root, source: this.#source, exports, tag, watch, ground, retries: owed.retries };
    await strike(victim, way, () => victim.order(order));
    owed.hear(victim.reports);
    owed.checkExports(exports, readdirSync(exports));
    rmSync(exports, { recursive: true });
  }

  /** The next one starts while this one is at work and is looked at. */
  #nextVictim(): Actors {
    const make = (): Actors =>
      new Victim("computer/actors.ts", this.#library, this.#watched, join(this.#folder, `victim-${this.#victims++}`));
    const victim = this.#spare ?? make();
    this.#spare = make();
    return victim;
  }

  async #examine(root: string, owed: Owed, kill: number, isLast: boolean): Promise<void> {
    const start = performance.now();
    const computer = await open(root);
    const took = performance.now() - start;
    try {
      hold(took < MAX_OPENING_MS, `opening took ${Math.round(took)} ms`);
      this.#slowestOpeningMs = Math.max(this.#slowestOpeningMs, took);
      await examine(computer, owed, `${this.#plan.seed}-${kill}`, isLast);
    } finally {
      await computer.close();
    }
  }
}

async function examine(computer: Computer, owed: Owed, tag: string, isLast: boolean): Promise<void> {
  const said = computer.notices.filter((notice) => /damaged|contradict/.test(notice));
  hold(said.length === 0, () => `a kill damages nothing, and yet: ${said[0]}`);
  hold(
    computer.blocked().length === 0,
    () => `${computer.blocked()[0]?.key} is blocked: ${computer.blocked()[0]?.why}`,
  );
  checkNothingLeft(computer.root);
  await checkNothingRuns(tag);
  await owed.checkLog(computer);
  owed.checkMeddled();
  await checkFolder(computer);
  const report = await computer.verify();
  hold(report.ok, () => `verify finds: ${[...report.state.problems, ...report.folder.problems][0]}`);
  if (!isLast) return;
  const hash = await computer.stateHash();
  const rebuilt = await computer.rebuild();
  hold(hash === rebuilt.hash, "a state that is made again from the log is another one");
  const log = await computer.log.verify();
  hold(log.ok, () => `the log's verify finds: ${log.problems[0]?.message}`);
  const contents = await verifyContents(computer.log, computer.contents);
  hold(contents.ok, () => `verifyContents finds: ${JSON.stringify(contents.problems[0])}`);
}

/** When it strikes. */
interface Way {
  readonly says: string;
  readonly acknowledgements: number;
  readonly closing: boolean;
  readonly delayMs: number;
  readonly order?: FaultOrder;
}

function wayOf(random: Random, owed: Owed): Way {
  const way = { says: "", acknowledgements: 0, closing: false, delayMs: 0 };
  const kind = random.below(owed.isEmpty ? 4 : 9);
  if (kind === 0) {
    const delayMs = random.below(60);
    return { ...way, says: `${delayMs} ms after it began to open`, delayMs };
  }
  if (kind <= 4) {
    // More of the early ones: opening, and putting things in order, take few operations.
    const at = 1 + Math.floor(1500 * random.next() ** 3);
    const fault = random.pick(["kill-before", "kill-halfway", "kill-after"]);
    const order = { at, fault, operations: CHANGING };
    return { ...way, says: `${fault} operation ${at}`, order, acknowledgements: 60 };
  }
  const acknowledgements = 1 + random.below(30);
  const delayMs = random.below(12);
  const closing = kind === 8;
  const says = `${delayMs} ms after ${closing ? "it began to close, after " : ""}${acknowledgements} acknowledgements`;
  return { says, acknowledgements, closing, delayMs };
}

async function strike(victim: Actors, way: Way, begin: () => void): Promise<void> {
  if (way.order !== undefined) victim.faults.arm(way.order);
  begin();
  await victim.until((reports) => reports.filter((report) => report.said === "done").length >= way.acknowledgements);
  if (way.closing) {
    victim.close();
    await victim.until(said("closing"));
  }
  if (way.delayMs > 0) await delay(way.delayMs);
  await victim.kill();
}

function said(word: ActorsReport["said"]): (reports: readonly ActorsReport[]) => boolean {
  return (reports) => reports.some((report) => report.said === word);
}

/** Small and large files, an empty directory, and a link. */
function makeSource(folder: string): string {
  mkdirSync(join(folder, "inside", "empty"), { recursive: true });
  for (let i = 0; i < 12; i++)
    writeFileSync(join(folder, i % 2 === 0 ? "" : "inside", `file-${i}.txt`), `added ${i}\n`);
  writeFileSync(join(folder, "large"), randomFrom("large").bytes(150_000));
  symlinkSync("file-0.txt", join(folder, "link"));
  return folder;
}

async function open(root: string): Promise<Computer> {
  const opened = await openComputer({ root, userId: "ada", create: true, who: "torture" });
  hold(opened.ok, () => `it can't be opened: ${opened.ok ? "" : opened.message}`);
  return opened.computer;
}
