import { type CauseKind, Kept, keptAllOf, Target } from "@choiros/contract";
import { useEffect, useState } from "react";
import type { DeskApi, EventQuery } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { Moment } from "../../desk/socket.ts";
import { hasChanges } from "../../shown/has-changes.ts";

export interface Related {
  /** What it came from, the first cause first. */
  readonly because: readonly Moment[];
  /** What came of it, in order, as far as is read. */
  readonly led: readonly Moment[];
  /** All of what came of it, where that is more. */
  readonly all: Begun | undefined;
  readonly problem?: string;
}

export interface Begun {
  readonly kind: Exclude<CauseKind, "conversation">;
  readonly id: string;
}

const MOST = 30;
const MOST_UNDOS = 500;

/** The ask, the task or the call that this event is the beginning of. */
export function begunBy({ event }: Moment): Begun | undefined {
  const { ask, call } = event.cause ?? {};
  if (event.type === "tool.call" && call !== undefined) return { kind: "call", id: call };
  if (event.type === "task.planned") return { kind: "task", id: String(event.payload.task_id) };
  return event.type === "message" && ask === event.id ? { kind: "ask", id: ask } : undefined;
}

/** Where what an event came from is to be found, the first cause first. Of a task's ask all plans are asked for. */
export function causeQueries(moment: Moment): EventQuery[] {
  const { event } = moment;
  const { ask, call, task } = event.cause ?? {};
  const begun = begunBy(moment);
  const before = { to: event.seq - 1, limit: 1 };
  const target = event.type === "undo" ? Target.safeParse(event.payload.target).data : undefined;
  return [
    ...(ask !== undefined && begun?.kind !== "ask" ? [{ ...before, cause: { ask }, type: ["message"] }] : []),
    ...(task !== undefined && begun?.kind !== "task" ? [planQuery({ ask, task }, event.seq - 1)] : []),
    ...(call !== undefined && begun?.kind !== "call" ? [{ ...before, cause: { call }, type: ["tool.call"] }] : []),
    ...(target === undefined ? [] : [targetQuery(target)]),
  ];
}

/** A plan is of its ask; only what it plans is of the task. */
function planQuery({ ask, task }: { ask: string | undefined; task: string }, to: number): EventQuery {
  return ask === undefined ? { to, cause: { task }, limit: 1 } : { to, cause: { ask }, type: ["task.planned"] };
}

/** Of an ask's plans the one of this task. */
export function isCauseOf({ event }: Moment, found: Moment): boolean {
  if (found.event.type !== "task.planned" || event.cause?.task === undefined) return true;
  return found.event.payload.task_id === event.cause.task;
}

/** What was taken back. */
function targetQuery(target: Target): EventQuery {
  if ("seq" in target) return { from: target.seq, to: target.seq };
  if ("since" in target) return { from: target.since + 1, to: target.since + 1 };
  return { cause: target, limit: 1 };
}

/** Whether an undo was of this event, and didn't keep all of it. */
export function isTakenBackBy({ event }: Moment, undo: Moment): boolean {
  const target = Target.safeParse(undo.event.payload.target).data;
  if (target === undefined || undo.event.seq <= event.seq) return false;
  if (keptAllOf(Kept.safeParse(undo.event.payload.kept).data, event)) return false;
  if ("seq" in target) return target.seq === event.seq;
  if ("since" in target) return target.since < event.seq;
  return Object.entries(target).every(([kind, id]) => event.cause?.[kind] === id);
}

/** What an event came from, and what came of it; followed as it goes on. */
export function useRelated(desk: DeskApi, moment: Moment): Related | undefined {
  const [related, setRelated] = useState<Related>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    const onFailure = (error: unknown): Related => ({ because: [], led: [], all: undefined, problem: sentence(error) });
    relatedTo(desk, moment, ended.signal)
      .catch(onFailure)
      .then((found) => {
        if (!ended.signal.aborted) setRelated(found);
      });
    return () => ended.abort();
  }, [desk, moment, round]);
  useEffect(() => {
    const begun = begunBy(moment);
    const concerns = (one: Moment) =>
      one.event.type === "undo" || (begun !== undefined && one.event.cause?.[begun.kind] === begun.id);
    return desk.follow((moments) => {
      if (moments.some(concerns)) setRound((now) => now + 1);
    });
  }, [desk, moment]);
  return related;
}

async function relatedTo(desk: DeskApi, moment: Moment, signal: AbortSignal): Promise<Related> {
  const ask = async (query: EventQuery) => {
    const found: Moment[] = [];
    await desk.events(query, { signal, onItem: (one) => found.push(one) });
    return found;
  };
  const begun = begunBy(moment);
  const from = moment.event.seq + 1;
  const [because, came, undos] = await Promise.all([
    Promise.all(causeQueries(moment).map(ask)),
    begun === undefined ? [] : ask({ cause: { [begun.kind]: begun.id }, from, limit: MOST + 1 }),
    hasChanges(moment) || begun !== undefined ? ask({ from, type: ["undo"], limit: MOST_UNDOS }) : [],
  ]);
  const taken = undos.filter((undo) => isTakenBackBy(moment, undo));
  const led = new Map([...came.slice(0, MOST), ...taken].map((one) => [one.event.seq, one]));
  return {
    because: because.flat().filter((found) => isCauseOf(moment, found)),
    led: [...led.values()].sort((one, two) => one.event.seq - two.event.seq),
    all: came.length > MOST ? begun : undefined,
  };
}
