import type { ContentRef, DirectorTask, Payload } from "@choiros/contract";
import type { Moment } from "../../desk/socket.ts";
import type { Clock, Worked } from "./clock.ts";
import type { Reply } from "./replies.ts";

/** What became of one ask, step by step. */
export interface Course {
  readonly items: readonly Item[];
  /** The message that it began with. */
  readonly first: Moment | undefined;
  /** The events by which it changed files. */
  readonly edits: readonly Moment[];
  /** How long agents were at it: not while the user was waited for. */
  readonly worked: Worked;
  /** When something last happened. */
  readonly until: string | undefined;
}

export type Item = TaskItem | Step;
export type Step = CallStep | CheckStep | ApprovalStep | QuestionStep | PauseStep | ReplyStep | AnswerStep | Reply;

export interface TaskItem {
  readonly is: "task";
  readonly id: string;
  readonly seq: number;
  readonly plan: DirectorTask;
  /** `halted`: it had begun when its ask paused, or ended. */
  status: "planned" | "denied" | "running" | "halted" | Payload<"task.finished">["status"];
  readonly worked: Clock;
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
  /** Why it failed, where its command doesn't say that. */
  readonly reason: string | undefined;
}

export interface ApprovalStep {
  readonly is: "approval";
  readonly seq: number;
  readonly covers: string;
  readonly why: string | undefined;
  /** `closed`: it was given up while it waited, and nobody answered it. */
  decision: Payload<"approval.given">["decision"] | "closed" | undefined;
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
