import type { AssociateResult, ContentRef, DirectorTask, Id } from "@choiros/contract";
import type { Chapter } from "../loop/chapter.ts";
import { type Halt, haltOf, isHalt } from "../loop/halt.ts";
import { type Meter, WRITTEN } from "../loop/meter.ts";
import type { Dispatch, Work } from "../tools/dispatch-port.ts";

export interface Checking {
  readonly chapter: Chapter;
  readonly dispatch: Dispatch;
  readonly work: Work;
  readonly signal: AbortSignal;
  readonly meter: Meter;
  /** The call that ended the task: those of its checks are named after it. */
  readonly call: Id;
  readonly attempt: number;
}

type CheckRun = AssociateResult["verify"][number];

/** Where it could not be run, or was ended. */
const NO_EXIT = 125;

/** Runs a task's checks, one after the other, all of them, each with its receipt, until something halts it. */
export async function runChecks(
  checking: Checking,
  { verify }: Pick<DirectorTask, "verify">,
): Promise<CheckRun[] | Halt> {
  const { work } = checking;
  // The checks belong to the lease, whether or not the task itself may run commands.
  const own: Checking = { ...checking, work: { ...work, lease: { ...work.lease, allowed_tools: ["bash"] } } };
  const runs: CheckRun[] = [];
  for (const [i, command] of verify.entries()) {
    const run = await runCheck(own, command, `${checking.call}-v${i}`);
    if (isHalt(run)) return run;
    runs.push(run);
  }
  return runs;
}

async function runCheck(checking: Checking, command: string, call: Id): Promise<CheckRun | Halt> {
  const { attempt, dispatch, chapter, meter, signal, work } = checking;
  const before = await receipt(chapter, call);
  if (before !== undefined) return before;
  await meter.catchUp(chapter);
  const over = signal.aborted ? haltOf(signal) : meter.over(WRITTEN);
  if (over !== undefined) return over;
  // One that was cut off is run again: it only looks, and its own call stays what it is.
  const use = { id: call, tool: "bash", input: { command } };
  const run = `${call}-${attempt}`;
  const { exit = NO_EXIT } = await dispatch.call(use, run, work, signal);
  await meter.count(chapter, run);
  if (signal.aborted) return haltOf(signal);
  const output = await outputOf(chapter, run);
  const payload = { command, exit, ...(output !== undefined && { output }) };
  await chapter.within({ call }).append("receipt.check", payload, { id: `${call}-receipt` });
  return { command, exit };
}

/** What the log has of a check that ended. */
async function receipt(chapter: Chapter, call: Id): Promise<CheckRun | undefined> {
  for await (const event of chapter.read({ types: ["receipt.check"], cause: { call } })) {
    if (event.type === "receipt.check") return { command: event.payload.command, exit: event.payload.exit };
  }
  return undefined;
}

/** What a command said is kept by the computer that ran it. */
async function outputOf(chapter: Chapter, call: Id): Promise<ContentRef | undefined> {
  for await (const event of chapter.read({ types: ["tool.result"], cause: { call } })) {
    if (event.type === "tool.result") return event.payload.output;
  }
  return undefined;
}
