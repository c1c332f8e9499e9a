import type { Computer } from "@choiros/computer";
import type { AskValue, Id, Payload } from "@choiros/contract";
import { Chapter } from "../loop/chapter.ts";
import { closeAsked } from "../loop/close-asked.ts";
import { closeOpen } from "./close-open.ts";
import { askValue } from "./said.ts";

/** An ask that isn't over, as the state has it. */
export interface Pending {
  readonly ask: Id;
  readonly value: AskValue;
}

/** What waits to be worked at, in order, as of event `seq`. */
export interface TakenUp {
  readonly seq: number;
  readonly queued: readonly Pending[];
}

/** Ends what a process that is gone had begun: calls, approvals and asks are told as interrupted. */
export async function takeUp(computer: Computer): Promise<TakenUp> {
  await closeOpen(computer, "ChoirOS stopped while it ran");
  const { seq, asks } = await pendingAsks(computer);
  const late = new Set<Id>();
  for (const one of asks) if (await steeredLate(computer, one, asks)) late.add(one.ask);
  for (const { ask, value } of asks) {
    if (!isLive(value)) continue;
    await closeAsked(computer, ask);
    await pause(computer, ask, value, INTERRUPTED);
  }
  return { seq, queued: asks.filter(({ ask, value }) => value.status === "queued" && !late.has(ask)) };
}

/** Those that aren't over, in the order in which they were begun. */
export async function pendingAsks(
  computer: Computer,
): Promise<{ readonly seq: number; readonly asks: readonly Pending[] }> {
  const { seq, pages } = await computer.rows("pending");
  const keys = (await Array.fromAsync(pages)).flat().map(({ key }) => key);
  const asks: Pending[] = [];
  for (const ask of keys) {
    const value = await askValue(computer, ask);
    if (value !== undefined) asks.push({ ask, value });
  }
  return { seq, asks: asks.sort((a, b) => a.value.seq - b.value.seq) };
}

/** Whether it is worked at, or waits for its user, as far as the log has it. */
export function isLive({ status }: AskValue): boolean {
  return status === "running" || status === "wondering" || status === "approval";
}

export async function pause(
  computer: Computer,
  ask: Id,
  { conversation }: AskValue,
  paused: Payload<"ask.paused">,
): Promise<void> {
  const chapter = new Chapter(computer, { ask, ...(conversation !== null && { conversation }) });
  await chapter.append("ask.paused", paused, { source: "system" });
}

/** What was said to an ask that was worked at, when nobody came to tell it: it is told now, and none of its own. */
async function steeredLate(computer: Computer, { ask, value }: Pending, asks: readonly Pending[]): Promise<boolean> {
  const { conversation, seq, status } = value;
  if (status !== "queued" || conversation === null) return false;
  // One that was paused and resumed has been an ask of its own already.
  for await (const _ of computer.log.read({ types: ["ask.paused"], cause: { ask }, limit: 1 })) return false;
  for (const other of asks) {
    const here = other.ask !== ask && other.value.conversation === conversation;
    if (!here || !(await wasLive(computer, other.ask, seq))) continue;
    await new Chapter(computer, { ask, conversation }).append("ask.steered", { into: other.ask });
    return true;
  }
  return false;
}

async function wasLive({ log }: Computer, ask: Id, at: number): Promise<boolean> {
  let live = false;
  const types = ["ask.started", "ask.paused", "ask.left", "ask.answered"];
  for await (const { type } of log.read({ types, cause: { ask }, to: at })) live = type === "ask.started";
  return live;
}

const INTERRUPTED: Payload<"ask.paused"> = {
  detail: "ChoirOS stopped while it worked at this. Resume it to go on from there, undo it, or leave it as it is.",
  why: "interrupted",
};
