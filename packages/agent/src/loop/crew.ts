import type { Computer } from "@choiros/computer";
import type { DirectorTask, Id } from "@choiros/contract";
import type { Signals } from "@choiros/log";
import type { Lease, Need } from "../lease/lease.ts";
import type { Policy } from "../lease/policy.ts";
import type { Model, ModelUsage } from "../models/model.ts";
import type { Dispatch, Work } from "../tools/dispatch-port.ts";
import type { Chapter } from "./chapter.ts";
import type { Meter } from "./meter.ts";
import type { Pace } from "./pace.ts";

/** What the two who work at an ask work with. */
export interface Hands {
  readonly dispatch: Dispatch;
  /** As they were when somebody looked last. */
  readonly limits: Policy["limits"];
  /** Looks again what the limits are; where the policy is wrong they stay, and no tool runs. */
  look(): Promise<void>;
  /** What of a planned lease the user must still allow before it runs, and what nobody may. */
  judge(task: DirectorTask): Promise<{ readonly ask: readonly Need[]; readonly never: readonly Need[] }>;
  /** From now on these are granted without asking. */
  always(needs: readonly Need[]): Promise<void>;
  /** What the user allowed for a task since this computer was opened. */
  granted(task: Id): Set<Need>;
  /** With what was allowed for its task, where it has one. */
  work(chapter: Chapter, lease: Lease, meter: Meter): Work;
}

/** Everything that belongs to one ask while it is worked at. */
export interface Crew {
  readonly computer: Computer;
  readonly signals: Signals;
  readonly director: Model;
  readonly associate: Model;
  readonly costOf: (provider: string, model: string, usage: ModelUsage) => number | null;
  readonly hands: Hands;
  readonly pace: Pace;
  /** Of the ask, and of the day. */
  readonly meter: Meter;
  /** With the ask and its conversation. */
  readonly chapter: Chapter;
  /** Ends it all; its reason is a `Halted`. */
  readonly signal: AbortSignal;
}
