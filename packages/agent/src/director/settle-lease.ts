import type { DirectorTask, Payload } from "@choiros/contract";
import { readTask } from "../associate/task-record.ts";
import type { Need } from "../lease/lease.ts";
import type { Chapter } from "../loop/chapter.ts";
import type { Crew } from "../loop/crew.ts";
import { type Halt, haltOf } from "../loop/halt.ts";
import { askApproval, TOO_MUCH } from "../tools/approval.ts";

export type Settled = { readonly ok: true } | { readonly ok: false; readonly reason: string } | Halt;

/** A task runs once its lease is inside what policy grants, or the user has allowed what goes beyond. */
export async function settleLease(crew: Crew, chapter: Chapter, task: DirectorTask): Promise<Settled> {
  const { finished, settled, reason } = await readTask(chapter, task.task_id);
  if (finished !== undefined) return { ok: true }; // nothing of it runs any more
  if (settled === "denied") return { ok: false, reason: reason ?? "it was denied" };
  // That it was approved once is no leave: who allowed it may have been somebody else, somewhere else.
  const granted = crew.hands.granted(task.task_id);
  // While an answer is waited for the policy may become another one: what is allowed is judged by it again.
  for (let scope: Scope = "policy"; ; ) {
    const { ask, never } = await crew.hands.judge(task);
    if (never.length > 0) return deny(chapter, task, `policy never allows: ${never.join(", ")}`);
    if (ask.length === 0) return approve(chapter, task, scope);
    const decision = await askUser(crew, chapter, task, ask);
    if (decision === undefined) return haltOf(crew.signal);
    if (decision === "too-much") return deny(chapter, task, TOO_MUCH);
    // Once is no answer to this: where answers come in it is refused.
    if (decision === "denied" || decision === "once") return deny(chapter, task, `the user denied: ${ask.join(", ")}`);
    if (decision === "always") await crew.hands.always(ask);
    for (const need of ask) granted.add(need);
    scope = decision;
  }
}

type Scope = Payload<"task.approved">["scope"];

async function approve(chapter: Chapter, { task_id }: DirectorTask, scope: Scope): Promise<Settled> {
  await chapter.append("task.approved", { scope }, { id: `${task_id}-approved` });
  return { ok: true };
}

async function deny(chapter: Chapter, { task_id }: DirectorTask, reason: string): Promise<Settled> {
  await chapter.append("task.denied", { reason: reason.slice(0, 4096).toWellFormed() }, { id: `${task_id}-denied` });
  return { ok: false, reason };
}

/** `undefined` where the work was ended before somebody decided. */
async function askUser({ hands, meter, signal }: Crew, chapter: Chapter, task: DirectorTask, needs: readonly Need[]) {
  try {
    const cause = { ...chapter.cause, call: task.task_id }; // the call that planned it has its id
    const plan = { tool: "plan", input: task, why: task.instruction };
    return await askApproval(needs, plan, { work: hands.work(chapter, task, meter), cause, signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
