import { type DirectorTask, type KnownEvent, recognise } from "@choiros/contract";
import type { Moment } from "../../desk/socket.ts";
import { Clock } from "./clock.ts";
import type { ApprovalStep, CallStep, Course, Item, Step, TaskItem } from "./course.ts";
import type { Reply } from "./replies.ts";

/** The events of one ask, in order, with what the user said to it meanwhile. What a newer version wrote is left out. */
export function courseOf(moments: readonly Moment[], replies: readonly Reply[] = []): Course {
  const making = new Making();
  const left = [...replies].sort((one, two) => one.seq - two.seq);
  for (const moment of moments) {
    const known = recognise(moment.event);
    for (let [next] = left; next !== undefined && next.seq < moment.event.seq; [next] = left) {
      making.hear(next);
      left.shift();
    }
    if (known.ok) making.take(known.value, moment);
  }
  for (const reply of left) making.hear(reply);
  return making;
}

class Making implements Course {
  readonly items: Item[] = [];
  readonly edits: Moment[] = [];
  readonly worked = new Clock();
  first: Moment | undefined;
  until: string | undefined;
  readonly #tasks = new Map<string, TaskItem>();
  readonly #calls = new Map<string, CallStep>();
  readonly #approvals = new Map<string, ApprovalStep>();
  /** Until when somebody was seen at it. */
  #seen = "";
  /** Whether it was taken up and hasn't paused since; and what it waits for. */
  #isUp = false;
  #wonders = false;
  readonly #asked = new Set<string>();

  /** It stands where it was said; a question is answered by it. */
  hear(reply: Reply): void {
    this.#begun().push(reply);
    this.#wonders = false;
    this.#count(reply.heard);
  }

  take(event: KnownEvent, moment: Moment): void {
    const { ts } = event;
    this.until = ts;
    if (event.type === "model.call") this.#wonders = false; // else it would have nothing to say
    this.#note(event, moment);
    if (event.type.startsWith("ask.")) this.#turn(event);
    if (event.type === "approval.asked") this.#asked.add(event.payload.approval);
    if (event.type === "approval.given") this.#asked.delete(event.payload.approval);
    // What the next opening tells of a process that was gone happened then, and not when it is told.
    const isToldLater = event.type === "ask.paused" && event.source === "system";
    this.#count(isToldLater ? this.#seen : ts);
    this.#see(event);
  }

  #see({ payload, source, ts, type }: KnownEvent): void {
    if (source === "system") return;
    const isCutOff = type === "model.call" && payload.status === "interrupted";
    this.#seen = isCutOff ? new Date(Date.parse(this.#seen) + payload.duration_ms).toISOString() : ts;
  }

  #note(event: KnownEvent, moment: Moment): void {
    const { seq } = event;
    const task = this.#tasks.get(event.cause?.task ?? "");
    const steps: (Item | Step)[] = task?.steps ?? this.items;
    switch (event.type) {
      case "message":
        this.first ??= moment;
        return;
      case "ask.wondered":
        return void this.items.push({ is: "question", seq, question: event.payload.question });
      case "ask.paused":
        return void this.#begun().push({ is: "pause", seq, ...event.payload });
      case "ask.resumed":
      case "ask.left":
        return void this.#begun().push({ is: "reply", seq, type: event.type });
      case "ask.answered": {
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
        const { command, exit, output, reason } = event.payload;
        if (exit !== 0 || (output?.size ?? 0) === 0) dropRunOf(event.cause?.call, reason, steps);
        return void steps.push({ is: "check", seq, command, exit, output, reason });
      }
      case "approval.asked": {
        const { approval, covers, why } = event.payload;
        const step: ApprovalStep = { is: "approval", seq, covers, why, decision: undefined };
        this.#approvals.set(approval, step);
        return void steps.push(step);
      }
      case "approval.given": {
        const { approval, decision } = event.payload;
        const step = this.#approvals.get(approval);
        if (step === undefined) return;
        step.decision = decision === "denied" && event.source === "system" ? "closed" : decision;
        return;
      }
      default:
        return void this.#change(event, moment);
    }
  }

  /** Whether it is worked at, by what became of it. */
  #turn({ type }: KnownEvent): void {
    this.#wonders = type === "ask.wondered";
    if (type === "ask.started") this.#isUp = true;
    if (type === "ask.started" || type === "ask.wondered" || type === "ask.steered") return;
    this.#isUp = false;
    this.#asked.clear();
    for (const task of this.#tasks.values()) if (task.status === "running") task.status = "halted";
  }

  #count(ts: string): void {
    const counts = this.#isUp && !this.#wonders && this.#asked.size === 0;
    this.worked.set(counts, ts);
    for (const task of this.#tasks.values()) task.worked.set(counts && task.status === "running", ts);
  }

  /** Where a task has begun and not ended, what happens belongs there: it goes on below. */
  #begun(): (Item | Step)[] {
    const begun = [...this.#tasks.values()].findLast(({ status }) => status === "running" || status === "halted");
    return begun?.steps ?? this.items;
  }

  #plan(plan: DirectorTask, seq: number): void {
    const item: TaskItem = {
      ...{ is: "task", id: plan.task_id, seq, plan, status: "planned", worked: new Clock() },
      ...{ reason: undefined, end: undefined, steps: [] },
    };
    this.#tasks.set(item.id, item);
    this.items.push(item);
  }

  /** Of files; windows that an agent opened are seen. */
  #change({ payload, type }: KnownEvent, moment: Moment): void {
    if (type.startsWith("window.") || type === "undo" || type === "settings.change") return;
    if (!("changes" in payload) && !("list" in payload)) return;
    this.edits.push(moment);
    this.#calls.get(moment.event.cause?.call ?? "")?.edits.push(moment);
  }
}

/** A check that failed shows what its command wrote, and why: its card would be a second one. One that says more stays. */
function dropRunOf(check: string | undefined, reason: string | undefined, steps: (Item | Step)[]): void {
  const last = steps.at(-1);
  if (check === undefined || last?.is !== "call" || last.edits.length > 0) return;
  if (last.id.startsWith(`${check}-`) && last.end?.payload.reason === reason) steps.pop();
}

function ofTask(task: TaskItem, event: Extract<KnownEvent, { type: `task.${string}` }>): void {
  switch (event.type) {
    case "task.started":
      task.status = "running";
      return;
    case "task.denied":
      task.status = "denied";
      task.reason = event.payload.reason;
      return;
    case "task.finished":
      task.status = event.payload.status;
      task.end = { seq: event.seq, summary: event.payload.summary };
  }
}
