import { type AssociateResult, type DirectorTask, type Id, pathFromKey } from "@choiros/contract";
import type { Chapter } from "../loop/chapter.ts";
import { type Conversation, converse } from "../loop/converse.ts";
import type { Crew } from "../loop/crew.ts";
import { type Halt, Halted, haltOf, isHalt } from "../loop/halt.ts";
import { amount, type Meter, reached, Spent } from "../loop/meter.ts";
import { recallTranscript } from "../loop/recall.ts";
import type { Work } from "../tools/dispatch-port.ts";
import { runChecks } from "./checks.ts";
import { FINISH_SPEC, type Finished, Finishing } from "./finish.ts";
import { ASSOCIATE, ASSOCIATE_REMINDER, taskText } from "./prompt.ts";
import { deedsOf, fitting, readTask } from "./task-record.ts";

/** Does one task, or goes on with it, up to its result. What halts the task alone is a result, too: it failed. */
export async function carryOut(
  crew: Crew,
  task: DirectorTask,
  news: Conversation<Finished>["news"],
): Promise<AssociateResult | Halt> {
  const chapter = crew.chapter.within({ task: task.task_id });
  const record = await readTask(chapter, task.task_id);
  if (record.finished !== undefined) return record.finished;
  const attempt = record.attempts + 1;
  await chapter.append("task.started", { attempt }, { id: `${task.task_id}-s${attempt}` });
  const ending = new AbortController();
  const { hands, pace } = crew;
  const seconds = () => Math.min(task.time_budget_s, hands.limits.task.time_s);
  const over = () => ending.abort(new Halted(reached("task", amount(seconds(), "second"))));
  const stopClock = pace.clock(() => seconds() * 1000, over);
  const signal = AbortSignal.any([crew.signal, ending.signal]);
  const spent = new Spent();
  const meter = crew.meter.within({ name: "task", may: () => allowanceOf(crew, task), spent: () => spent });
  const work = hands.work(chapter, task, meter);
  try {
    const end = await perform({ crew, chapter, meter, news, signal, task, work });
    if (isHalt(end) && end.scope === "ask") return end;
    // Nothing of the task may run on behind its checks: what it changed then, nobody would have checked.
    await work.jobs.stopAll();
    await meter.catchUp(chapter);
    const finished: Finished = isHalt(end) ? failedBy(end, task.task_id) : end;
    const checking = { chapter, dispatch: hands.dispatch, work, signal, meter, call: finished.call, attempt };
    const verify = finished.status === "ok" ? await runChecks(checking, task) : [];
    if (crew.signal.aborted) return haltOf(crew.signal);
    if (!isHalt(verify)) return await conclude(chapter, task, finished, work, verify);
    return verify.scope === "ask" ? verify : await conclude(chapter, task, failedBy(verify, finished.call), work);
  } finally {
    stopClock();
    await work.jobs.stopAll();
    await meter.catchUp(chapter);
  }
}

function allowanceOf({ hands }: Crew, { cost_budget, token_budget }: DirectorTask) {
  const { task } = hands.limits;
  return {
    ...task,
    ...(token_budget !== undefined && { tokens: Math.min(token_budget, task.tokens) }),
    ...(cost_budget !== undefined && { cost_usd: Math.min(cost_budget, task.cost_usd) }),
  };
}

interface Performance {
  readonly crew: Crew;
  readonly chapter: Chapter;
  /** What the user says meanwhile. */
  readonly news: Conversation<Finished>["news"];
  readonly signal: AbortSignal;
  readonly meter: Meter;
  readonly task: DirectorTask;
  readonly work: Work;
}

async function perform({ crew, chapter, meter, news, signal, task, work }: Performance): Promise<Finished | Halt> {
  const { costOf, hands, pace, signals } = crew;
  const finishing = new Finishing();
  const transcript = await recallTranscript(chapter, "associate");
  const conversation: Conversation<Finished> = {
    role: "associate",
    model: crew.associate,
    system: ASSOCIATE,
    tools: [...hands.dispatch.specs(work), FINISH_SPEC],
    transcript,
    chapter,
    signals,
    meter,
    costOf,
    signal,
    dispatch: hands.dispatch,
    work,
    pace,
    own: new Map([["finish", finishing]]),
    reminder: ASSOCIATE_REMINDER,
    opening: async () => taskText(task, await hands.dispatch.glance(NOTES, work, MAX_NOTES)),
    news,
    spoken: (text) => finishing.spoken(text, task.task_id),
  };
  return converse(conversation);
}

/** What people leave for agents in a workspace. */
const NOTES = "workspace/AGENTS.md";
const MAX_NOTES = 8000;

function failedBy({ detail }: Halt, call: Id): Finished {
  return { call, questions: [], status: "failed", summary: detail };
}

const MAX_CITED = 100;

async function conclude(
  chapter: Chapter,
  task: DirectorTask,
  { call, questions, status, summary }: Finished,
  { read }: Work,
  verify: AssociateResult["verify"] = [],
): Promise<AssociateResult> {
  const broken = verify.some(({ exit }) => exit !== 0);
  const result: AssociateResult = {
    ...(await deedsOf(chapter, task.task_id, call)),
    citations: fitting([...read.files].slice(0, MAX_CITED).map(([key, hash]) => ({ hash, source: pathFromKey(key) }))),
    questions: fitting(questions),
    status: broken ? "failed" : status,
    summary: await chapter.put(summary),
    verify,
  };
  await chapter.append("task.finished", result, { id: `${task.task_id}-finished` });
  return result;
}
