import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Computer, openComputer } from "@choiros/computer";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { type Envelope, type Json, newId, type Payload, type Signal } from "@choiros/contract";
import { localSignals } from "@choiros/log";
import { type OpenOptions, openSandbox, removeTree } from "@choiros/sandbox";
import { afterEach } from "vitest";
import type { Lease } from "../../lease/lease.ts";
import { openPolicy, type PolicyFile } from "../../lease/policy-file.ts";
import type { ToolSpec } from "../../models/model.ts";
import { openDispatch } from "../dispatch.ts";
import type { ToolOutcome, Work } from "../dispatch-port.ts";
import { openJobs } from "../jobs.ts";
import { Reading } from "../reading.ts";
import { recall } from "../recall.ts";
import { TOOLS } from "../tools.ts";

/** A task at work on a real computer with a real sandbox. Names are from the workspace on. */
export interface ToolDesk {
  readonly computer: Computer;
  readonly work: Work;
  readonly policy: PolicyFile;
  readonly signals: readonly Signal[];
  /** Calls a tool as a model would, in an answer of its own unless it is told `beside` another. */
  use(tool: string, input: unknown, options?: UseOptions): Promise<ToolOutcome>;
  /** The same as somebody else. */
  useAs(work: Work, tool: string, input: unknown): Promise<ToolOutcome>;
  specs(): readonly ToolSpec[];
  recall(call: string): Promise<ToolOutcome | undefined>;
  /** What the user does. */
  write(name: string, text: string | Uint8Array): Promise<void>;
  text(name: string): Promise<string | undefined>;
  events(): Promise<Envelope[]>;
  /** The types of what was appended from this seq on. */
  types(from?: number): Promise<string[]>;
  head(): Promise<number>;
  /** Answers the next question, and tells what it was. */
  answerNext(decision: Payload<"approval.given">["decision"]): Promise<string>;
}

export interface UseOptions {
  readonly call?: string;
  readonly signal?: AbortSignal;
  readonly beside?: boolean;
}

export function toolStage(options: Partial<OpenOptions> = {}): (lease?: Partial<Lease>) => Promise<ToolDesk> {
  const open = new Set<{ readonly computer: Computer; readonly work: Work; readonly folder: string }>();
  keepThreads();
  afterEach(async () => {
    for (const { computer, work, folder } of open) {
      await work.jobs.stopAll();
      await computer.close();
      await removeTree(folder);
    }
    open.clear();
  });
  return async (lease = {}) => {
    const folder = mkdtempSync(join(tmpdir(), "choir-tools-"));
    const root = join(folder, "users", "ada");
    const sandbox = () => openSandbox({ root, runDir: join(folder, "run"), ...options });
    const opened = await openComputer({ root, userId: "ada", create: true, sandbox });
    if (!opened.ok) throw new Error(opened.message);
    const { computer } = opened;
    const heard: Signal[] = [];
    const signals = localSignals((error) => {
      throw error;
    });
    signals.listen((signal) => heard.push(signal));
    const work = workOn(computer, signals, lease);
    open.add({ computer, work, folder });
    return { ...handsOn(computer, work, openPolicy(folder)), computer, work, signals: heard };
  };
}

/** Everything in the workspace, with every tool, and no network. */
function leaseWith(lease: Partial<Lease> = {}): Lease {
  return {
    allowed_tools: TOOLS.map(({ name }) => name),
    egress: "none",
    paths: ["workspace"],
    time_budget_s: 300,
    verify: [],
    ...lease,
  };
}

function workOn(computer: Computer, signals: Work["signals"], lease: Partial<Lease>): Work {
  return {
    computer,
    signals,
    pace: { ready: async () => {}, rest() {} },
    cause: { conversation: newId(), ask: newId(), task: newId() },
    lease: leaseWith(lease),
    grants: new Set(),
    read: new Reading(),
    mayLand: async () => undefined,
    jobs: openJobs(),
  };
}

function handsOn(computer: Computer, work: Work, policy: PolicyFile): Omit<ToolDesk, "computer" | "work" | "signals"> {
  const dispatch = openDispatch({ policy });
  const events = () => Array.fromAsync(computer.log.read());
  return {
    policy,
    use(tool, input, { beside = false, call = newId(), signal = new AbortController().signal } = {}) {
      if (!beside) work.read.answered();
      const use = { id: "u1", tool, input: input as Json }; // whatever a model may say
      return dispatch.call(use, call, work, signal);
    },
    useAs: (other, tool, input) =>
      dispatch.call({ id: "u1", tool, input: input as Json }, newId(), other, new AbortController().signal), // as above
    specs: () => dispatch.specs(work),
    recall: (call) => recall(call, work),
    async write(name, text) {
      const done = await computer.write(`workspace/${name}`, Buffer.from(text));
      if (!done.ok) throw new Error(done.message);
    },
    async text(name) {
      const found = await computer.read(`workspace/${name}`);
      return found && Buffer.concat(await Array.fromAsync(found.bytes())).toString("utf8");
    },
    events,
    types: async (from = 1) => (await events()).filter(({ seq }) => seq >= from).map(({ type }) => type),
    head: async () => (await computer.log.head()).seq,
    async answerNext(decision) {
      const { seq } = await computer.log.head();
      for await (const { type, payload } of computer.log.subscribe({ from: seq + 1 })) {
        if (type !== "approval.asked") continue;
        const done = await computer.answer(String(payload.approval), decision);
        if (!done.ok) throw new Error(done.message);
        return String(payload.covers);
      }
      throw new Error("nothing was asked");
    },
  };
}
