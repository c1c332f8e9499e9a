import type { ContentRef } from "./content.ts";
import type { Payload } from "./payloads.ts";
import type { Event, Fact, Get } from "./state.ts";

/** The key is the task's id. */
export type TaskValue = {
  readonly ask: string | null;
  /** How often it was begun. */
  readonly attempt: number;
  readonly conversation: string | null;
  readonly finished: string | null;
  readonly instruction: string;
  readonly kind: Payload<"task.planned">["kind"];
  readonly planned: string;
  /** Why it was denied. */
  readonly reason: string | null;
  /** The seq of its plan. */
  readonly seq: number;
  readonly started: string | null;
  readonly status: "planned" | "approved" | "denied" | "running" | Payload<"task.finished">["status"];
  readonly summary: ContentRef | null;
};

type TaskEvent = Event<"task.planned" | "task.approved" | "task.denied" | "task.started" | "task.finished">;

/** A task is what its plan made it; an event about one that was never planned says nothing. */
export function factsOfTask(event: TaskEvent, get: Get): Fact[] {
  if (event.type === "task.planned") return [{ table: "task", key: event.payload.task_id, value: plannedTask(event) }];
  const key = event.cause?.task;
  const former = key === undefined ? undefined : (get("task", key) as TaskValue | null | undefined); // only written here
  if (key === undefined || former === undefined || former === null) return [];
  return [{ table: "task", key, value: { ...former, ...newsOfTask(event) } }];
}

function plannedTask({ cause, payload, seq, ts }: Event<"task.planned">): TaskValue {
  return {
    ask: cause?.ask ?? null,
    attempt: 0,
    conversation: cause?.conversation ?? null,
    finished: null,
    instruction: payload.instruction,
    kind: payload.kind,
    planned: ts,
    reason: null,
    seq,
    started: null,
    status: "planned",
    summary: null,
  };
}

function newsOfTask(event: Exclude<TaskEvent, { type: "task.planned" }>): Partial<TaskValue> {
  switch (event.type) {
    case "task.approved":
      return { status: "approved" };
    case "task.denied":
      return { status: "denied", reason: event.payload.reason ?? null };
    case "task.started":
      return { status: "running", attempt: event.payload.attempt, started: event.ts, finished: null };
    case "task.finished":
      return { status: event.payload.status, finished: event.ts, summary: event.payload.summary };
  }
}
