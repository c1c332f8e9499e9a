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
  /** What `why` may have but a part of: `null` where it can't be had. */
  readonly whole: string | null | undefined;
  readonly by: string;
  readonly cause: Cause;
  readonly since: string;
}

/** An ask that agents are at, also while they only think. */
interface Work {
  readonly ask: string;
  /** It has a question, and waits for the answer. */
  readonly wonders: boolean;
}

/** What the bar shows of what isn't over. */
export interface Busy {
  /** The call that is stopped where there is no ask. */
  readonly call: string;
  readonly ask: string | undefined;
  readonly by: string;
  /** The command, or the tool; `undefined` while nothing is called. */
  readonly what: string | undefined;
  /** What it waits for, of the user. */
  readonly wants: "approval" | "answer" | undefined;
}

/** What began and isn't over. */
export interface Unfinished {
  readonly asks: readonly Work[];
  readonly running: readonly Running[];
  readonly waiting: readonly Approval[];
}

/** What is done just now; where nothing is, what waits for the user to go on. */
export function busyOf({ asks, running, waiting }: Unfinished): Busy[] {
  const held = (call: string) => waiting.some(({ cause }) => cause.call === call);
  const calls = running.filter(({ call }) => !held(call)).map((one): Busy => ({ ...one, wants: undefined }));
  const quiet = asks
    .filter(({ ask }) => !calls.some((one) => one.ask === ask))
    .map(({ ask, wonders }): Busy => {
      const isHeld = waiting.some(({ cause }) => cause.ask === ask);
      return {
        ask,
        by: "agent",
        call: ask,
        what: undefined,
        wants: isHeld ? "approval" : wonders ? "answer" : undefined,
      };
    });
  const all = [...calls, ...quiet];
  const working = all.filter(({ wants }) => wants === undefined);
  return working.length > 0 ? working : all;
}

export const NOTHING: Unfinished = { asks: [], running: [], waiting: [] };

/** What isn't over after these events; the very same where they say nothing about it. */
export function goOn(former: Unfinished, moments: readonly Moment[]): Unfinished {
  return moments.reduce(after, former);
}

function after(former: Unfinished, { command, event, whole }: Moment): Unfinished {
  const known = recognise(event);
  if (!known.ok) return former;
  const { cause = {}, payload, source: by, ts, type } = known.value;
  switch (type) {
    case "approval.asked": {
      const { approval: id, covers, why } = payload;
      const one = { id, covers, why, whole: whole ?? (payload.whole && null), by, cause, since: ts };
      return { ...former, waiting: [...without(former.waiting, id), one] };
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
    case "ask.wondered":
      return { ...former, asks: wondering(former.asks, cause.ask, true) };
    case "ask.steered":
      return { ...former, asks: wondering(former.asks, payload.into, false) };
    case "ask.started":
    case "ask.paused":
    case "ask.left":
    case "ask.answered": {
      const { ask } = cause;
      const asks = former.asks.filter((one) => one.ask !== ask);
      const begun = type === "ask.started" && ask !== undefined ? [{ ask, wonders: false }] : [];
      return { ...former, asks: [...asks, ...begun] };
    }
    default:
      return former;
  }
}

function wondering(asks: readonly Work[], ask: string | undefined, wonders: boolean): Work[] {
  return asks.map((one) => (one.ask === ask ? { ask: one.ask, wonders } : one));
}

function without(approvals: readonly Approval[], id: string): Approval[] {
  return approvals.filter((one) => one.id !== id);
}
