import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agents, type Means, type Missing, openPolicy } from "@choiros/agent";
import type { Computer } from "@choiros/computer";
import { type AskValue, type EventType, type KnownEvent, recognise, type TaskValue } from "@choiros/contract";
import type { Signals } from "@choiros/log";
import { type Opened, type OpenOptions, removeTree } from "@choiros/sandbox";
import type { Wire } from "../model/received.ts";
import { type ScriptedModel, scriptedModel } from "../model/scripted-model.ts";
import { openAgents } from "./open-agents.ts";

/** A computer with agents, whose models play a script over HTTP. */
export interface Stage {
  readonly home: string;
  readonly computer: Computer;
  readonly signals: Signals;
  readonly agents: Agents;
  readonly scripted: ScriptedModel;
  /** What went wrong and isn't in the log. */
  readonly reported: readonly unknown[];
  /** What the user says; the ask's id. */
  say(text: string, options?: { readonly conversation?: string; readonly id?: string }): Promise<string>;
  /** The first event of this type of an ask from a seq on; waits for it. */
  when(ask: string, types: EventType | readonly EventType[], from?: number): Promise<KnownEvent>;
  /** Waits until an ask is answered or paused, and tells how it is then. */
  over(ask: string, from?: number): Promise<AskValue>;
  value(ask: string): Promise<AskValue>;
  tasks(): Promise<TaskValue[]>;
  events(...types: EventType[]): Promise<KnownEvent[]>;
  content(ref: { readonly hash: string } | null): Promise<string>;
  text(name: string): Promise<string | undefined>;
  stop(ask: string): void;
  resume(ask: string): Promise<number>;
  /** Closes and opens everything but the scripted model. */
  again(): Promise<Stage>;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly policy?: string;
  readonly means?: (means: Means) => Promise<Means | Missing>;
  /** Whose format the models speak; `anthropic` unless told. */
  readonly wire?: Wire;
  /** One that is there already, with its scripted model. */
  readonly home?: string;
  readonly scripted?: ScriptedModel;
  /** Another sandbox than commands usually have. */
  readonly sandbox?: (options: OpenOptions) => Promise<Opened>;
}

/** Resolves a stage, and the way to clear it away. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { home = mkdtempSync(join(tmpdir(), "choir-agents-")) } = options;
  if (options.policy !== undefined) writeFileSync(join(home, "policy.toml"), options.policy);
  return setUp(home, options.scripted ?? (await scriptedModel()), options);
}

async function setUp(home: string, scripted: ScriptedModel, options: StageOptions): Promise<Stage> {
  const reported: unknown[] = [];
  const { wire = "anthropic" } = options;
  const found: Means = {
    director: scripted.model(wire, { name: "director" }),
    associate: scripted.model(wire, { name: "associate" }),
    costOf: (_, __, usage) => ((usage.in ?? 0) + (usage.out ?? 0)) / 1000,
    policy: openPolicy(home),
  };
  const means = async () => (options.means === undefined ? found : options.means(found));
  const { agents, computer, signals } = await openAgents(home, means, (error) => reported.push(error), options.sandbox);
  await agents.start();
  const down = async () => {
    await agents.close();
    await computer.close();
  };
  const reading = readings(computer);
  return {
    ...reading,
    home,
    computer,
    signals,
    agents,
    scripted,
    reported,
    say: async (text, said = {}) => {
      const outcome = await computer.say(text, said);
      if (!outcome.ok) throw new Error(outcome.message);
      return outcome.call;
    },
    stop: (ask) => signals.send({ type: "ask.stop", cause: { ask }, payload: {} }),
    resume: async (ask) => {
      const { conversation } = await reading.value(ask);
      const cause = { ask, conversation: conversation ?? ask };
      const appended = await computer.log.append({ source: "user", type: "ask.resumed", cause, payload: {} });
      if (!appended.ok) throw new Error(appended.message);
      return appended.seq;
    },
    again: async () => {
      await down();
      return setUp(home, scripted, options);
    },
    close: async () => {
      await down();
      await scripted.close();
      await removeTree(join(home, "users"));
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** What can be read of a computer with asks. */
function readings(computer: Computer) {
  const table = async <Value>(name: "ask" | "task") => {
    const { pages } = await computer.rows(name);
    const rows = (await Array.fromAsync(pages)).flat();
    return new Map(rows.map(({ key, value }) => [key, value as Value])); // as the contract's reducers write it
  };
  const value = async (ask: string): Promise<AskValue> => {
    const found = (await table<AskValue>("ask")).get(ask);
    if (found === undefined) throw new Error(`There is no ask ${ask}.`);
    return found;
  };
  const when = async (ask: string, types: EventType | readonly EventType[], from = 1): Promise<KnownEvent> => {
    const wanted: readonly string[] = typeof types === "string" ? [types] : types;
    for await (const event of computer.log.subscribe({ from })) {
      const known = recognise(event);
      if (known.ok && wanted.includes(event.type) && known.value.cause?.ask === ask) return known.value;
    }
    throw new Error(`The log was closed before ${wanted.join(" or ")} of ${ask}.`);
  };
  const content = async (ref: { readonly hash: string } | null): Promise<string> => {
    const found = ref === null ? undefined : await computer.contents.get(ref.hash);
    return found === undefined ? "" : Buffer.concat(await Array.fromAsync(found)).toString("utf8");
  };
  return {
    value,
    when,
    content,
    over: async (ask: string, from = 1) => {
      await when(ask, ["ask.answered", "ask.paused"], from);
      return value(ask);
    },
    tasks: async () => [...(await table<TaskValue>("task")).values()],
    events: async (...types: EventType[]) => {
      const events = await Array.fromAsync(computer.log.read(types.length > 0 ? { types } : {}));
      return events.flatMap((event) => {
        const known = recognise(event);
        return known.ok ? [known.value] : [];
      });
    },
    text: async (name: string) => {
      const found = await computer.read(`workspace/${name}`);
      return found && Buffer.concat(await Array.fromAsync(found.bytes())).toString("utf8");
    },
  };
}
