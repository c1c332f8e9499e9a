import {
  type ContentRef,
  type DirectorTask,
  type KeyChange,
  type KnownEvent,
  type PathChange,
  type Payload,
  pathKey,
  recognise,
} from "@choiros/contract";
import type { Moment } from "../../desk/socket.ts";

/** What became of one ask, step by step. */
export interface Course {
  readonly items: readonly Item[];
  /** The message that it began with. */
  readonly first: Moment | undefined;
  /** The keys that it changed, as far as its events name them. */
  readonly changed: ReadonlySet<string>;
  /** How many changes stand in lists that are too long for their events. */
  readonly more: number;
  /** How long agents were at it, until it last paused or ended. */
  readonly workedMs: number;
  /** Since when they are, while they are. */
  readonly workingSince: string | undefined;
}

export type Item = TaskItem | Step;
export type Step = CallStep | CheckStep | ApprovalStep | QuestionStep | PauseStep | ReplyStep | AnswerStep;

export interface TaskItem {
  readonly is: "task";
  readonly id: string;
  readonly seq: number;
  readonly plan: DirectorTask;
  status: "planned" | "denied" | "running" | Payload<"task.finished">["status"];
  attempt: number;
  since: string | undefined;
  until: string | undefined;
  reason: string | undefined;
  /** The event that says how it ended, and how much it says of it. */
  end: { readonly seq: number; readonly summary: ContentRef } | undefined;
  readonly steps: Step[];
}

export interface CallStep {
  readonly is: "call";
  readonly id: string;
  readonly moment: Moment;
  readonly tool: string;
  end: { readonly moment: Moment; readonly payload: Payload<"tool.result"> } | undefined;
  /** What it changed, each an event of its own. */
  readonly edits: Moment[];
}

export interface CheckStep {
  readonly is: "check";
  readonly seq: number;
  readonly command: string;
  readonly exit: number;
  readonly output: ContentRef | undefined;
}

export interface ApprovalStep {
  readonly is: "approval";
  readonly seq: number;
  readonly covers: string;
  readonly why: string | undefined;
  decision: Payload<"approval.given">["decision"] | undefined;
}

export interface QuestionStep {
  readonly is: "question";
  readonly seq: number;
  readonly question: string;
}

export interface PauseStep {
  readonly is: "pause";
  readonly seq: number;
  readonly why: Payload<"ask.paused">["why"];
  readonly detail: string;
}

/** What the user did about it: it went on, or was left. */
export interface ReplyStep {
  readonly is: "reply";
  readonly seq: number;
  readonly type: "ask.resumed" | "ask.left";
}

export interface AnswerStep {
  readonly is: "answer";
  readonly seq: number;
  readonly status: Payload<"ask.answered">["status"];
  readonly answer: ContentRef;
}

/** The events of one ask, in order. What a newer version wrote is left out. */
export function courseOf(moments: readonly Moment[]): Course {
  const making = new Making();
  for (const moment of moments) {
    const known = recognise(moment.event);
    if (known.ok) making.take(known.value, moment);
  }
  return making;
}

class Making implements Course {
  readonly items: Item[] = [];
  readonly changed = new Set<string>();
  first: Moment | undefined;
  more = 0;
  workedMs = 0;
  workingSince: string | undefined;
  readonly #tasks = new Map<string, TaskItem>();
  readonly #calls = new Map<string, CallStep>();
  readonly #approvals = new Map<string, ApprovalStep>();

  take(event: KnownEvent, moment: Moment): void {
    const { seq, ts } = event;
    const task = this.#tasks.get(event.cause?.task ?? "");
    const steps: (Item | Step)[] = task?.steps ?? this.items;
    switch (event.type) {
      case "message":
        this.first ??= moment;
        return;
      case "ask.started":
        this.workingSince ??= ts;
        return;
      case "ask.wondered":
        return void this.items.push({ is: "question", seq, question: event.payload.question });
      case "ask.paused":
        this.#rest(ts);
        return void this.items.push({ is: "pause", seq, ...event.payload });
      case "ask.resumed":
      case "ask.left":
        this.#rest(ts);
        return void this.items.push({ is: "reply", seq, type: event.type });
      case "ask.answered": {
        this.#rest(ts);
        const { answer, status } = event.payload;
        return void this.items.push({ is: "answer", seq, status, answer });
      }
      case "task.planned":
        return void this.#plan(event.payload, seq);
      case "task.started":
      case "task.denied":
      case "task.finished":
        return void (task && ofTask(task, event));
      case "tool.call": {
        const id = event.cause?.call ?? event.id;
        const call: CallStep = { is: "call", id, moment, tool: event.payload.tool, end: undefined, edits: [] };
        this.#calls.set(id, call);
        return void steps.push(call);
      }
      case "tool.result": {
        const call = this.#calls.get(event.cause?.call ?? "");
        if (call !== undefined) call.end = { moment, payload: event.payload };
        return;
      }
      case "receipt.check": {
        const { command, exit, output } = event.payload;
        if (exit !== 0 || (output?.size ?? 0) === 0) dropRunOf(event.cause?.call, steps);
        return void steps.push({ is: "check", seq, command, exit, output });
      }
      case "approval.asked": {
        const { approval, covers, why } = event.payload;
        const step: ApprovalStep = { is: "approval", seq, covers, why, decision: undefined };
        this.#approvals.set(approval, step);
        return void steps.push(step);
      }
      case "approval.given": {
        const step = this.#approvals.get(event.payload.approval);
        if (step !== undefined) step.decision = event.payload.decision;
        return;
      }
      default:
        return void this.#change(event, moment);
    }
  }

  #rest(ts: string): void {
    if (this.workingSince !== undefined) this.workedMs += Date.parse(ts) - Date.parse(this.workingSince);
    this.workingSince = undefined;
  }

  #plan(plan: DirectorTask, seq: number): void {
    const item: TaskItem = {
      ...{ is: "task", id: plan.task_id, seq, plan, status: "planned", attempt: 0, since: undefined },
      ...{ until: undefined, reason: undefined, end: undefined, steps: [] },
    };
    this.#tasks.set(item.id, item);
    this.items.push(item);
  }

  /** Of files; windows that an agent opened are seen. What the user took back is told by Timeline. */
  #change({ payload, type }: KnownEvent, moment: Moment): void {
    if (type.startsWith("window.") || type === "undo" || type === "settings.change") return;
    if ("changes" in payload)
      for (const change of payload.changes) if (isFile(change)) this.changed.add(pathKey(change.path));
    if ("list" in payload) this.more += payload.count;
    if ("changes" in payload || "list" in payload) this.#calls.get(moment.event.cause?.call ?? "")?.edits.push(moment);
  }
}

/** Folders that come and go with files are no work of their own. */
export function isFile(change: KeyChange | PathChange): change is PathChange {
  return "path" in change && (change.after ?? change.before)?.kind !== "dir";
}

/** A check that failed shows what its command wrote, if it did: its card would be a second one. One that says more stays. */
function dropRunOf(check: string | undefined, steps: (Item | Step)[]): void {
  const last = steps.at(-1);
  if (check === undefined || last?.is !== "call" || last.edits.length > 0) return;
  if (last.id.startsWith(`${check}-`) && last.end?.payload.reason === undefined) steps.pop();
}

function ofTask(task: TaskItem, event: Extract<KnownEvent, { type: `task.${string}` }>): void {
  switch (event.type) {
    case "task.started":
      task.status = "running";
      task.attempt = event.payload.attempt;
      task.since ??= event.ts;
      task.until = undefined;
      return;
    case "task.denied":
      task.status = "denied";
      task.reason = event.payload.reason;
      return;
    case "task.finished":
      task.status = event.payload.status;
      task.until = event.ts;
      task.end = { seq: event.seq, summary: event.payload.summary };
  }
}
