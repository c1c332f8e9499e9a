import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Computer, openComputer } from "@choiros/computer";
import { type AskValue, isOver, newId } from "@choiros/contract";
import { verifyContents } from "@choiros/log";
import { removeTree } from "@choiros/sandbox";
import { type ScriptedModel, scriptedModel } from "../../model/scripted-model.ts";
import { CHANGING, compileFaults, type FaultOrder } from "../faults.ts";
import { readContent } from "../ledger.ts";
import { hold, inContext } from "../promise.ts";
import { type Random, randomFrom } from "../random.ts";
import { Victim } from "../victim.ts";
import type { AgentsOrder, AgentsReport } from "./agents.ts";
import { agentsScript, leftBy, THINKING_MS } from "./agents-script.ts";
import { Calls } from "./calls.ts";
import { checkFolder, checkNothingLeft } from "./folder-walk.ts";

export interface AgentKillPlan {
  readonly seed: number;
  readonly kills: number;
  /** After so many it is let go on to its end, and looked at. */
  readonly killsPerComputer: number;
  readonly onProgress?: (done: number) => void;
}

export interface AgentKillReport {
  readonly acknowledged: number;
  readonly asks: number;
  /** Answers of models and calls of tools that a kill found under way. */
  readonly interrupted: number;
}

/** How many asks a computer is given at once: one is worked at, the others wait. */
const ASKS = 3;

/** R1: kills a process whose agents write, run commands and checks, over and over, and looks what they came to in the end. */
export async function killAgents(folder: string, plan: AgentKillPlan): Promise<AgentKillReport> {
  const scripted = await scriptedModel();
  scripted.always(agentsScript);
  const run = new AgentRun(folder, scripted, plan);
  try {
    return await run.go();
  } finally {
    await scripted.close();
  }
}

type Kept = Extract<AgentsReport, { said: "kept" }>;

class AgentRun {
  readonly #folder: string;
  readonly #homes: string;
  readonly #library: string;
  readonly #scripted: ScriptedModel;
  readonly #plan: AgentKillPlan;
  readonly #random: Random;
  #victims = 0;
  #acknowledged = 0;
  #asks = 0;
  #interrupted = 0;

  constructor(folder: string, scripted: ScriptedModel, plan: AgentKillPlan) {
    this.#folder = folder;
    this.#homes = join(folder, "homes");
    mkdirSync(this.#homes);
    this.#library = compileFaults(folder);
    this.#scripted = scripted;
    this.#plan = plan;
    this.#random = randomFrom(`agents ${plan.seed}`);
  }

  async go(): Promise<AgentKillReport> {
    const { kills, killsPerComputer } = this.#plan;
    for (let first = 0; first < kills; first += killsPerComputer) await this.#wearOut(first);
    return { acknowledged: this.#acknowledged, asks: this.#asks, interrupted: this.#interrupted };
  }

  async #wearOut(first: number): Promise<void> {
    const { killsPerComputer, onProgress, seed } = this.#plan;
    const home = join(this.#homes, `home-${first}`);
    const asks = Object.fromEntries(Array.from({ length: ASKS }, (_, i) => [newId(), `Please do Part ${i}`]));
    const order: AgentsOrder = { home, connection: this.#scripted.connection("anthropic"), asks };
    const kept = new Map<number, Kept>();
    let way: Way = { says: "let go on to its end" };
    try {
      for (let kill = first; kill < first + killsPerComputer; kill++) {
        way = wayOf(this.#random);
        this.#hear(kept, await this.#once(order, way));
        onProgress?.(kill + 1);
      }
      way = { says: "let go on to its end" };
      const reports = await this.#once(order, way);
      hold(reports.at(-1)?.said === "over", () => `it ended with ${JSON.stringify(reports.at(-1))}`);
      this.#hear(kept, reports);
      this.#interrupted += await examine(home, order, kept);
    } catch (error) {
      throw inContext(error, `seed ${seed}, kills from ${first + 1} on, ${way.says}, ${home}`);
    }
    this.#acknowledged += kept.size;
    this.#asks += ASKS;
    await removeTree(home);
  }

  #hear(kept: Map<number, Kept>, reports: readonly AgentsReport[]): void {
    for (const report of reports) {
      if (report.said !== "kept") continue;
      const before = kept.get(report.seq);
      hold(before === undefined || before.hash === report.hash, () => `event ${report.seq} was acknowledged twice`);
      kept.set(report.seq, report);
    }
  }

  /** Starts it, and kills it where it is to be killed. */
  async #once(order: AgentsOrder, { at, after, ms = 0 }: Way): Promise<readonly AgentsReport[]> {
    const place = join(this.#folder, `victim-${this.#victims++}`);
    const victim = new Victim<AgentsOrder, AgentsReport>("computer/agents.ts", this.#library, this.#homes, place);
    await victim.until((reports) => reports.some(({ said }) => said === "ready"));
    if (at !== undefined) victim.faults.arm(at);
    victim.order(order);
    await victim.until(
      (reports) => reports.some(isEnd) || (after !== undefined && countOf(reports, after) >= after.count),
    );
    if (after !== undefined) {
      await delay(ms);
      await victim.kill();
    } else await victim.ended();
    return victim.reports;
  }
}

/** When it is struck: at an operation on the disk, or some time after so many events. Never, where it says neither. */
interface Way {
  readonly says: string;
  readonly at?: FaultOrder;
  readonly after?: After;
  readonly ms?: number;
}

interface After {
  readonly count: number;
  /** Of this type; of any, where it says none. */
  readonly type?: string;
}

function wayOf(random: Random): Way {
  const kind = random.pick(["operation", "events", "answer"]);
  if (kind === "operation") {
    const at = 1 + Math.floor(900 * random.next() ** 2);
    const fault = random.pick(["kill-before", "kill-halfway", "kill-after"]);
    return { says: `${fault} operation ${at}`, at: { at, fault, operations: CHANGING } };
  }
  const ms = random.below(THINKING_MS);
  if (kind === "answer") {
    const count = 1 + random.below(4);
    return { says: `${ms} ms into answer ${count}`, after: { count, type: "model.asked" }, ms };
  }
  const count = 1 + random.below(25);
  return { says: `${ms} ms after ${count} events`, after: { count }, ms };
}

function countOf(reports: readonly AgentsReport[], { type }: After): number {
  return reports.filter((report) => report.said === "kept" && (type ?? report.type) === report.type).length;
}

function isEnd({ said }: AgentsReport): boolean {
  return said === "over" || said === "failed";
}

/** Nothing acknowledged is lost, nothing is doubled or open, and the state is what its log comes to. How much was interrupted. */
async function examine(home: string, { asks }: AgentsOrder, kept: ReadonlyMap<number, Kept>): Promise<number> {
  const root = join(home, "users", "ada");
  const opened = await openComputer({ root, userId: "ada", who: "torture" });
  hold(opened.ok, () => `it can't be opened: ${opened.ok ? "" : opened.message}`);
  const { computer } = opened;
  try {
    hold((await computer.unfinished()).events.length === 0, "something is open that nobody goes on with");
    checkNothingLeft(root);
    const interrupted = await checkLog(computer, kept);
    await checkAsks(computer, Object.keys(asks));
    await checkFolder(computer);
    const report = await computer.verify();
    hold(report.ok, () => `verify finds: ${[...report.state.problems, ...report.folder.problems][0]}`);
    const hash = await computer.stateHash();
    hold(hash === (await computer.rebuild()).hash, "a state that is made again from the log is another one");
    const contents = await verifyContents(computer.log, computer.contents);
    hold(contents.ok, () => `verifyContents finds: ${JSON.stringify(contents.problems[0])}`);
    return interrupted;
  } finally {
    await computer.close();
  }
}

async function checkLog(computer: Computer, kept: ReadonlyMap<number, Kept>): Promise<number> {
  const log = await computer.log.verify();
  hold(log.ok, () => `the log's verify finds: ${log.problems[0]?.message}`);
  const calls = new Calls();
  const asked = new Set<string>();
  const found = new Map<number, string>();
  let interrupted = 0;
  for await (const event of computer.log.read()) {
    found.set(event.seq, event.hash);
    calls.hear(event);
    if (event.payload.status === "interrupted") interrupted += 1;
    if (event.type === "model.asked") asked.add(event.id);
    if (event.type !== "model.call") continue;
    hold(asked.delete(`${event.id}-asked`), () => `event ${event.seq} answers what nobody asked`);
  }
  hold(asked.size === 0, () => `${asked.size} times a model was asked, and nobody says what came of it`);
  calls.check(new Map());
  for (const { seq, hash, type } of kept.values()) {
    hold(found.get(seq) === hash, () => `${type} was acknowledged as event ${seq}, and isn't there`);
  }
  return interrupted;
}

async function checkAsks(computer: Computer, asks: readonly string[]): Promise<void> {
  const { pages } = await computer.rows("ask");
  const values = new Map((await Array.fromAsync(pages)).flat().map(({ key, value }) => [key, value as AskValue])); // as the contract's reducer writes it
  for (const [number, ask] of asks.entries()) {
    const status = values.get(ask)?.status;
    hold(status !== undefined && isOver(status), () => `Part ${number} is ${status}`);
    for (const [name, text] of Object.entries(leftBy(number))) {
      const stands = await computer.read(`workspace/${name}`);
      const is = stands?.entry.kind === "file" ? String(await readContent(computer, stands.entry.hash)) : undefined;
      hold(is === text, () => `${name} has ${JSON.stringify(is)}, and should have ${JSON.stringify(text)}`);
    }
  }
}
