import { type Id, type Json, reasons } from "@choiros/contract";
import { messageOf } from "@choiros/log";
import { z } from "zod";
import { judgeOf, sortNeeds } from "../lease/judge.ts";
import type { Need } from "../lease/lease.ts";
import { toolNeed } from "../lease/need.ts";
import type { Policy } from "../lease/policy.ts";
import type { PolicyFile } from "../lease/policy-file.ts";
import { faultOfUse, type ToolSpec, type ToolUse } from "../models/model.ts";
import { askApproval, beginningOf, TOO_MUCH } from "./approval.ts";
import { bounded } from "./bounded.ts";
import type { Dispatch, ToolOutcome, Work } from "./dispatch-port.ts";
import { glanceAt } from "./glance.ts";
import { recordCall, recordResult, wasCalled } from "./record.ts";
import type { Context, Told, Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";

/** The one place where tools are called. `policy` is read for each call: what the user changes holds from the next one on. */
export function openDispatch({ policy }: { readonly policy: PolicyFile }): Dispatch {
  return {
    specs: (work) => TOOLS.filter((tool) => isOffered(tool, work)).map(specOf),
    call: (use, call, work, signal) => new Calling(policy, use, call, work, signal).outcome(),
    glance: async (key, work, most) => {
      const read = await policy.read();
      if (!read.ok) return undefined;
      const judging = judgeOf(work.lease, read.policy, work.grants);
      return glanceAt(key, work, most, (need) => judging(need) === "inside");
    },
  };
}

/** What may be done by this call, or why it isn't done. */
type Settled = { readonly tool: Tool; readonly may: Context["may"] } | Told;

class Calling {
  readonly #policy: PolicyFile;
  readonly #use: ToolUse;
  readonly #work: Work;
  readonly #context: Omit<Context, "may">;

  constructor(policy: PolicyFile, use: ToolUse, call: Id, work: Work, signal: AbortSignal) {
    this.#policy = policy;
    this.#use = use;
    this.#work = work;
    this.#context = { work, call, cause: { ...work.cause, call }, signal };
  }

  async outcome(): Promise<ToolOutcome> {
    const settled = await this.#attempt(() => this.#settle());
    if (!("tool" in settled)) return this.#told({}, async () => settled);
    const { tool, may } = settled;
    const run = () => this.#attempt(() => tool.run(this.#use.input, { ...this.#context, may }));
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
    if (tool === undefined) return failedWith(`there is no tool '${this.#use.tool}'. ${this.#offered()}`);
    if (!isOffered(tool, this.#work))
      return deniedWith(`the tool '${tool.name}' is not in this task's lease. ${this.#offered()}`);
    const wrong = faultOfInput(tool, this.#use);
    if (wrong !== undefined) return failedWith(wrong);
    const read = await this.#policy.read();
    if (!read.ok) return deniedWith(`nothing may run until the user mends the policy: ${read.message}`);
    const needs = tool.needs(this.#use.input, this.#work);
    if ("why" in needs) return failedWith(needs.why);
    const all = tool.comesWith === undefined ? [toolNeed(tool.name), ...needs] : needs;
    return this.#allow(tool, [...new Set(all)], read.policy);
  }

  async #allow(tool: Tool, needs: readonly Need[], policy: Policy): Promise<Settled> {
    const { lease, grants } = this.#work;
    const { never, ask: asked } = sortNeeds(needs, judgeOf(lease, policy, grants));
    if (never.length > 0) return deniedWith(`the policy never allows: ${never.join(", ")}`);
    const once = new Set<Need>();
    if (asked.length > 0) {
      const decision = await askApproval(asked, whyOf(this.#use), this.#context);
      if (decision === "too-much") return failedWith(TOO_MUCH);
      if (decision === "denied")
        return deniedWith(`the user didn't allow: ${asked.join(", ")}. Do without it, or say that the task needs it.`);
      for (const need of asked) (decision === "once" ? once : grants).add(need);
      const kept = decision === "always" ? await this.#policy.allowAlways(asked) : undefined;
      if (kept?.ok === false) return deniedWith(`that it is allowed for good could not be kept: ${kept.message}`);
    }
    const judging = judgeOf(lease, policy, new Set([...grants, ...once]));
    return { tool, may: (need) => judging(need) === "inside" };
  }

  #offered(): string {
    const names = TOOLS.filter((tool) => isOffered(tool, this.#work)).map(({ name }) => name);
    return `There are: ${names.join(", ")}`;
  }
}

/** So much of a call is shown with the question whether it may be made. */
const MOST_WHY = 1000;

/** A command's output was bounded already; what is around it is short. */
const COMMAND_BYTES = 32 * 1024;

function isOffered({ name, comesWith }: Tool, { lease }: Work): boolean {
  if (comesWith === "any") return lease.allowed_tools.length > 0;
  return (comesWith ?? [name]).some((one) => lease.allowed_tools.includes(one));
}

function specOf({ name, description, input }: Tool): ToolSpec {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return { name, description, input: schema as Json }; // a JSON schema is JSON
}

function faultOfInput({ name, input }: Tool, use: ToolUse): string | undefined {
  if (use.input === undefined) return `the input of ${name} ${faultOfUse(use)}`;
  const parsed = input.safeParse(use.input);
  if (parsed.success) return undefined;
  return `the input of ${name} doesn't fit: ${reasons(parsed.error)}. It is to be: ${JSON.stringify(z.toJSONSchema(input, { io: "input" }))}`;
}

function whyOf({ tool, input }: ToolUse): string {
  return beginningOf(`${tool} ${JSON.stringify(input)}`, MOST_WHY);
}

function failedWith(text: string): Told {
  return { status: "failed", text };
}

function deniedWith(text: string): Told {
  return { status: "denied", text };
}
