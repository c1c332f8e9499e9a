import type { AssociateResult, DirectorTask, Id, Payload } from "@choiros/contract";
import type { Chapter } from "../loop/chapter.ts";
import { type Halt, haltOf, isHalt } from "../loop/halt.ts";
import { type Meter, WRITTEN } from "../loop/meter.ts";
import { MOST_SECONDS } from "../tools/bash.ts";
import type { Dispatch, Work } from "../tools/dispatch-port.ts";
import { NO_EXIT } from "./task-record.ts";

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
  const { chapter } = checking;
  const before = await receipt(chapter, call);
  if (before !== undefined) return before;
  const ended = (await endedBefore(checking, call)) ?? (await runNow(checking, command, call));
  if (isHalt(ended)) return ended;
  const { output, reason, status } = ended;
  const isDenied = status === "denied"; // then what it found, it found in files that nobody has
  const exit = (isDenied && ended.exit === 0 ? undefined : ended.exit) ?? NO_EXIT;
  const why = isDenied && reason !== undefined ? { reason } : {};
  const payload = { command, exit, ...(output !== undefined && { output }), ...why };
  await chapter.within({ call }).append("receipt.check", payload, { id: `${call}-receipt` });
  return { command, exit };
}

/** What its command came to. */
type Ended = Partial<Pick<Payload<"tool.result">, "exit" | "output" | "reason" | "status">>;

/** Each attempt's run is a call of its own: one that was cut off stays what it is. */
async function runNow(checking: Checking, command: string, call: Id): Promise<Ended | Halt> {
  const { attempt, chapter, dispatch, meter, signal, work } = checking;
  await meter.catchUp(chapter);
  const over = signal.aborted ? haltOf(signal) : meter.over(WRITTEN);
  if (over !== undefined) return over;
  const run = `${call}-${attempt}`;
  const timeout_s = Math.min(work.lease.time_budget_s, MOST_SECONDS); // not what a command has unless told: it may take its time
  const use = { id: call, tool: "bash", input: { command, timeout_s } };
  await meter.attend(chapter, run, () => dispatch.call(use, run, work, signal));
  if (signal.aborted) return haltOf(signal);
  if (meter.refused !== undefined) return meter.refused; // resumed, it is run again
  return (await resultOf(chapter, run)) ?? {}; // it is kept by the computer that ran it
}

/** What an earlier attempt's run came to, where it ended, or left something: nothing is done twice. */
async function endedBefore({ attempt, chapter }: Checking, call: Id): Promise<Ended | undefined> {
  for (let before = attempt - 1; before > 0; before--) {
    const result = await resultOf(chapter, `${call}-${before}`);
    if (result !== undefined && (result.landed || ENDED.has(result.status))) return result;
  }
  return undefined;
}

const ENDED: ReadonlySet<string> = new Set(["ok", "failed", "denied"]);

async function resultOf(chapter: Chapter, call: Id) {
  let landed = false;
  for await (const event of chapter.read({ types: ["files.changed", "tool.result"], cause: { call } })) {
    landed ||= event.type === "files.changed";
    if (event.type === "tool.result") return { ...event.payload, landed };
  }
  return undefined;
}

/** What the log has of a check that ended. */
async function receipt(chapter: Chapter, call: Id): Promise<CheckRun | undefined> {
  for await (const event of chapter.read({ types: ["receipt.check"], cause: { call } })) {
    if (event.type === "receipt.check") return { command: event.payload.command, exit: event.payload.exit };
  }
  return undefined;
}
