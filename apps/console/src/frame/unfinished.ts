import { type Cause, recognise } from "@choiros/contract";
import type { Moment } from "../server/shapes.ts";

export interface Running {
  readonly call: string;
  readonly what: string;
  readonly by: string;
  /** The ask that it is done for. */
  readonly ask: string | undefined;
}

/** What somebody may not do before the user allows it. */
export interface Approval {
  readonly id: string;
  readonly covers: string;
  readonly why: string | undefined;
  readonly by: string;
  readonly cause: Cause;
  readonly since: string;
}

/** What began and isn't over. */
export interface Unfinished {
  /** Asks that agents are at, also while they only think. */
  readonly asks: readonly string[];
  readonly running: readonly Running[];
  readonly waiting: readonly Approval[];
}

export const NOTHING: Unfinished = { asks: [], running: [], waiting: [] };

/** What isn't over after these events; the very same where they say nothing about it. */
export function goOn(former: Unfinished, moments: readonly Moment[]): Unfinished {
  return moments.reduce(after, former);
}

function after(former: Unfinished, { command, event }: Moment): Unfinished {
  const known = recognise(event);
  if (!known.ok) return former;
  const { cause = {}, payload, source: by, ts, type } = known.value;
  switch (type) {
    case "approval.asked": {
      const { approval: id, covers, why } = payload;
      return { ...former, waiting: [...without(former.waiting, id), { id, covers, why, by, cause, since: ts }] };
    }
    case "approval.given":
      return { ...former, waiting: without(former.waiting, payload.approval) };
    case "tool.call":
    case "tool.result": {
      const { call } = cause;
      if (call === undefined) return former;
      const running = former.running.filter((one) => one.call !== call);
      if (type === "tool.result") return { ...former, running };
      return { ...former, running: [...running, { call, what: command ?? payload.tool, by, ask: cause.ask }] };
    }
    case "ask.started":
    case "ask.paused":
    case "ask.left":
    case "ask.answered": {
      const asks = former.asks.filter((one) => one !== cause.ask);
      return { ...former, asks: type === "ask.started" && cause.ask !== undefined ? [...asks, cause.ask] : asks };
    }
    default:
      return former;
  }
}

function without(approvals: readonly Approval[], id: string): Approval[] {
  return approvals.filter((one) => one.id !== id);
}
