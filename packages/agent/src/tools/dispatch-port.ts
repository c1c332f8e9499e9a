import type { ActOptions, Computer } from "@choiros/computer";
import type { Cause, ContentRef, Id } from "@choiros/contract";
import type { Signals } from "@choiros/log";
import type { Lease, Need } from "../lease/lease.ts";
import type { Pace } from "../loop/pace.ts";
import type { ToolSpec, ToolUse } from "../models/model.ts";
import type { Reading } from "./reading.ts";

/** Where tools are called, and the only place: the lease is enforced here, and by the sandbox. */
export interface Dispatch {
  /** What this work may use, for the model. */
  specs(work: Work): readonly ToolSpec[];
  /**
   * `tool.call` is durable before anything happens, and `tool.result` after it; both have `call` in their cause. Wrong
   * input, a denied approval and a text that doesn't match are answers to the model, not errors.
   */
  call(use: ToolUse, call: Id, work: Work, signal: AbortSignal): Promise<ToolOutcome>;
  /**
   * The beginning of a text that a model is shown unasked, up to so many characters. `undefined` where there is none, or it
   * may not be read without a question.
   */
  glance(key: string, work: Work, most: number): Promise<Glance | undefined>;
}

export interface Glance {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Whose tools they are: one task's, or the Director's, who only looks. */
export interface Work {
  readonly computer: Computer;
  readonly signals: Signals;
  /** While the user is waited for, others have the turn. */
  readonly pace: Pick<Pace, "ready" | "rest">;
  /** The conversation, the ask and, of an Associate, the task. */
  readonly cause: Cause;
  readonly lease: Lease;
  /** What was granted for the whole task, before it began or while it worked. */
  readonly grants: Set<Need>;
  /** What its model has read: what it edits must still be that. */
  readonly read: Reading;
  /** Whether this may still be written, within the limits of the task, the ask and the day. */
  readonly mayLand: NonNullable<ActOptions["mayLand"]>;
  /** Commands that run on, by their call. */
  readonly jobs: Jobs;
}

/** Background jobs of one task; none outlives it. */
export interface Jobs {
  start(job: Job): void;
  get(call: Id): Job | undefined;
  /** How many haven't ended. */
  readonly running: number;
  /** Ends them all, and resolves when nothing of them runs. */
  stopAll(): Promise<void>;
}

/** A command that runs on while its model does something else. */
export interface Job {
  readonly call: Id;
  /**
   * What it has said so far, or the end of it where that was much: `from` is the place of its first byte. Nothing once it
   * has ended, for the log has it then. `undefined` where it may have seen what is hidden from it: then it ends.
   */
  said(): Promise<{ readonly from: number; readonly bytes: Uint8Array } | undefined>;
  /** How it ended; `undefined` while it runs. */
  readonly outcome: ToolOutcome | undefined;
  readonly ended: Promise<ToolOutcome>;
  stop(): void;
}

export interface ToolOutcome {
  readonly status: "ok" | "failed" | "denied" | "stopped";
  /** For the model: bounded, and says where the whole is. */
  readonly text: string;
  readonly output?: ContentRef;
  readonly exit?: number;
  /** The keys that it changed, as far as there are few. */
  readonly changed?: readonly string[];
  /** How many paths it changed, and how many bytes of files it left at them. */
  readonly files?: number;
  readonly bytes?: number;
}
