import { type Id, reasons } from "@choiros/contract";
import { messageOf } from "@choiros/log";
import { z } from "zod";
import { insideOf, judgeOf, sortNeeds } from "../lease/judge.ts";
import type { Need } from "../lease/lease.ts";
import { toolNeed } from "../lease/need.ts";
import type { PolicyFile } from "../lease/policy-file.ts";
import { inOneLine } from "../lease/quoted.ts";
import { inputSchema } from "../models/input-schema.ts";
import { faultOfUse, type ToolSpec, type ToolUse } from "../models/model.ts";
import { askApproval, deniedOf, MOST_DENIED, TOO_MUCH } from "./approval.ts";
import { bounded } from "./bounded.ts";
import type { Dispatch, ToolOutcome, Work } from "./dispatch-port.ts";
import { earlierNeeds } from "./earlier-needs.ts";
import { glanceAt } from "./glance.ts";
import { recordCall, recordResult, wasCalled } from "./record.ts";
import type { Context, Told, Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";

/** The one place where tools are called. `policy` is read for each call, and after each answer: what the user changes holds at once. */
export function openDispatch({ policy }: { readonly policy: PolicyFile }): Dispatch {
  return {
    specs: (work) => TOOLS.filter((tool) => isOffered(tool, work)).map(specOf),
    call: (use, call, work, signal) => new Calling(policy, use, call, work, signal).outcome(),
    glance: async (key, work, most) => {
      const read = await policy.read();
      if (!read.ok) return undefined;
      return glanceAt(key, work, most, insideOf(work.lease, read.policy, work.grants));
    },
  };
}

/** What may be done by this call, or why it isn't done. */
type Settled = { readonly tool: Tool; readonly leave: Leave } | Told;
type Leave = Pick<Context, "may" | "mayNow" | "mayTell">;

class Calling {
  readonly #policy: PolicyFile;
  readonly #use: ToolUse;
  readonly #work: Work;
  readonly #context: Omit<Context, keyof Leave>;
  /** What was granted for this call alone. */
  readonly #once = new Set<Need>();

  constructor(policy: PolicyFile, use: ToolUse, call: Id, work: Work, signal: AbortSignal) {
    this.#policy = policy;
    this.#use = use;
    this.#work = work;
    this.#context = { work, call, cause: { ...work.cause, call }, signal };
  }

  async outcome(): Promise<ToolOutcome> {
    const settled = await this.#attempt(() => this.#settle());
    if (!("tool" in settled)) return this.#told({}, async () => settled);
    const { tool, leave } = settled;
    const run = () => this.#attempt(() => tool.run(this.#use.input, { ...this.#context, ...leave }));
    if (tool.isCommand !== true) return this.#told(tool, run);
    const told = await run(); // the computer tells of it, for it runs it; unless it never came to that
    if (told.status !== "ok" && !(await wasCalled(this.#context))) return this.#told(tool, async () => told);
    return { ...told, text: bounded(told.text, this.#context.call, COMMAND_BYTES) };
  }

  /** `tool.call` before it is done, `tool.result` after it, whatever comes of it. */
  async #told({ mostBytes }: Pick<Tool, "mostBytes">, run: () => Promise<Told>): Promise<ToolOutcome> {
    const { call } = this.#context;
    await recordCall(this.#use, this.#context);
    const told = await run();
    const output = await recordResult(told, this.#context);
    return { ...told, output, text: bounded(told.text, call, mostBytes) };
  }

  /** What goes wrong is told to the model, and the work goes on; a log that can't be written ends it where it is told. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | Told> {
    const { signal } = this.#context;
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      if (signal.aborted) return { status: "stopped", text: "it was stopped" };
      return failedWith(`it failed: ${messageOf(error)}`);
    }
  }

  /** Everything that stands before a tool: that there is one, that it fits, and that it may. */
  async #settle(): Promise<Settled> {
    const tool = TOOLS.find(({ name }) => name === this.#use.tool);
    if (tool === undefined) return failedWith(`there is no tool '${inOneLine(this.#use.tool)}'. ${this.#offered()}`);
    if (!isOffered(tool, this.#work))
      return deniedWith(`the tool '${tool.name}' is not in this task's lease. ${this.#offered()}`);
    const wrong = faultOfInput(tool, this.#use);
    if (wrong !== undefined) return failedWith(wrong);
    const needs = tool.needs(this.#use.input, this.#work);
    if ("why" in needs) return failedWith(needs.why);
    const all = tool.comesWith === undefined ? [toolNeed(tool.name), ...needs] : needs;
    return this.#allow(tool, [...new Set(all)]);
  }

  /** While an answer is waited for the policy may become another one: what is allowed is judged by it again. */
  async #allow(tool: Tool, needs: readonly Need[]): Promise<Settled> {
    for (;;) {
      const now = await this.#judging();
      if (!now.ok) return deniedWith(`nothing may run until the user mends the policy: ${now.message}`);
      const { never, ask } = sortNeeds(needs, now.judging);
      const untold = (await this.#unasked(tool)).filter((need) => now.judging(need) === "never");
      const barred = tool.onlyEnds === true ? never : [...never, ...untold];
      if (barred.length > 0) return deniedWith(`the policy never allows: ${barred.join(", ")}`);
      const leave = { may: now.may, mayNow: () => this.#mayNow(), mayTell: untold.length === 0 };
      if (ask.length === 0) return { tool, leave };
      const refused = await this.#askFor(ask);
      if (refused !== undefined) return refused;
    }
  }

  /** What nobody is asked for, since no lease names it or since it was allowed before; it may be never allowed by now. */
  async #unasked({ comesWith, name, tells }: Tool): Promise<readonly Need[]> {
    const before = tells === undefined ? [] : await earlierNeeds(tells(this.#use.input), this.#work);
    return comesWith === undefined ? before : [toolNeed(name), ...before];
  }

  /** By the policy as it is now. */
  async #judging() {
    const read = await this.#policy.read();
    if (!read.ok) return read;
    const { lease, grants } = this.#work;
    const by = [lease, read.policy, new Set([...grants, ...this.#once])] as const;
    return { ok: true, judging: judgeOf(...by), may: insideOf(...by) } as const;
  }

  async #mayNow(): Promise<Context["may"]> {
    const now = await this.#judging().catch(() => undefined); // what can't be read allows as little as what is wrong
    return now?.ok === true ? now.may : () => false;
  }

  /** Why what was asked for isn't granted; where nothing is told, it is. */
  async #askFor(needs: readonly Need[]): Promise<Told | undefined> {
    if ((await deniedOf(this.#context)) >= MOST_DENIED)
      return deniedWith(
        `the user didn't allow ${MOST_DENIED} things that this task asked for, and isn't asked any more: it may not ${needs.join(", ")}`,
      );
    const decision = await askApproval(needs, this.#use, this.#context);
    if (decision === "too-much") return failedWith(TOO_MUCH);
    if (decision === "denied")
      return deniedWith(`the user didn't allow: ${needs.join(", ")}. Do without it, or say that the task needs it.`);
    const kept = decision === "always" ? await this.#policy.allowAlways(needs) : undefined;
    if (kept?.ok === false) return deniedWith(`that it is allowed for good could not be kept: ${kept.message}`);
    for (const need of needs) (decision === "once" ? this.#once : this.#work.grants).add(need);
    return undefined;
  }

  #offered(): string {
    const names = TOOLS.filter((tool) => isOffered(tool, this.#work)).map(({ name }) => name);
    return `There are: ${names.join(", ")}`;
  }
}

/** A command's output was bounded already; what is around it is short. */
const COMMAND_BYTES = 32 * 1024;

function isOffered({ name, comesWith }: Tool, { lease }: Work): boolean {
  if (comesWith === "any") return lease.allowed_tools.length > 0;
  return (comesWith ?? [name]).some((one) => lease.allowed_tools.includes(one));
}

function specOf({ name, description, input }: Tool): ToolSpec {
  return { name, description, input: inputSchema(input) };
}

function faultOfInput({ name, input }: Tool, use: ToolUse): string | undefined {
  if (use.input === undefined) return `the input of ${name} ${faultOfUse(use)}`;
  const parsed = input.safeParse(use.input);
  if (parsed.success) return undefined;
  return `the input of ${name} doesn't fit: ${reasons(parsed.error)}. ${takenBy(input)}`;
}

/** What a tool is given, by name: the user reads it, too, and its model has the schema. */
function takenBy(input: Tool["input"]): string {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input" });
  const may = Object.keys(properties).filter((name) => !required.includes(name));
  const parts = [
    ...(required.length > 0 ? [`takes ${required.join(", ")}`] : []),
    ...(may.length > 0 ? [`may have ${may.join(", ")}`] : []),
  ];
  return `It ${parts.join(", and ") || "takes nothing"}`;
}

function failedWith(text: string): Told {
  return { status: "failed", text };
}

function deniedWith(text: string): Told {
  return { status: "denied", text };
}
