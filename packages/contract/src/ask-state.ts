import type { ContentRef } from "./content.ts";
import type { KnownEvent } from "./envelope.ts";
import type { Path } from "./path.ts";
import type { Payload } from "./payloads.ts";

/** The key is the ask's id, which is its first message's. */
export type AskValue = {
  readonly answer: ContentRef | null;
  /** How often it was taken up. */
  readonly attempt: number;
  /** The event by which it was taken up last; 0 before that. */
  readonly begun: number;
  readonly conversation: string | null;
  /** What its model calls came to, as far as their price is known. */
  readonly cost_usd: number;
  /** Whether one of them had no known price. */
  readonly cost_unknown: boolean;
  /** Why it doesn't go on. */
  readonly detail: string | null;
  /** The ask that it told something, where it is none of its own. */
  readonly into: string | null;
  readonly look: readonly Path[];
  /** What waits for the user's answer. */
  readonly question: { readonly choices: readonly string[]; readonly text: string } | null;
  readonly seq: number;
  readonly since: string;
  readonly status: AskStatus;
  /** The beginning of what was said; `null` where it is a content. */
  readonly title: string | null;
  readonly tokens_in: number;
  readonly tokens_out: number;
  /** When it last began, paused or ended. */
  readonly until: string;
};

/** The key is the ask's id. It stands until the ask is over. */
export type PendingValue = Pick<AskValue, "begun" | "status">;

export type AskStatus =
  | "queued"
  | "running"
  | "steered"
  /** It waits for the user: for an answer to its question, or for an approval. */
  | "wondering"
  | "approval"
  | Payload<"ask.paused">["why"]
  | "left"
  | Payload<"ask.answered">["status"];

/** Nobody needs to do anything about these any more. */
export function isOver(status: AskStatus): boolean {
  return status === "steered" || status === "left" || status === "done" || status === "given-up";
}

/** Nothing runs any more, and it isn't over: the user resumes it, undoes it, or leaves it. */
export function isPaused(status: AskStatus): boolean {
  return status === "stopped" || status === "limit" || status === "interrupted" || status === "failed";
}

export type AskEvent = Extract<
  KnownEvent,
  { type: `ask.${string}` | "approval.asked" | "approval.given" | "model.call" }
>;

export function newAsk(
  { seq, ts }: { readonly seq: number; readonly ts: string },
  conversation: string | null,
  title: string | null,
): AskValue {
  return {
    answer: null,
    attempt: 0,
    begun: 0,
    conversation,
    cost_usd: 0,
    cost_unknown: false,
    detail: null,
    into: null,
    look: [],
    question: null,
    seq,
    since: ts,
    status: "queued",
    title,
    tokens_in: 0,
    tokens_out: 0,
    until: ts,
  };
}

/** What was said to an ask that waited for an answer is one. */
export function told(ask: AskValue): AskValue {
  return ask.status === "wondering" ? { ...ask, question: null, status: "running" } : ask;
}

/** What an event makes of the ask that it belongs to. */
export function newsOfAsk(ask: AskValue, event: AskEvent): AskValue {
  const until = event.ts;
  switch (event.type) {
    case "ask.started":
      return {
        ...{ ...ask, attempt: event.payload.attempt, begun: event.seq },
        ...{ detail: null, question: null, status: "running", until },
      };
    case "ask.steered":
      return { ...ask, into: event.payload.into, status: "steered", until };
    case "ask.wondered": {
      const { choices = [], question } = event.payload;
      return { ...ask, question: { choices, text: question }, status: "wondering", until };
    }
    case "ask.paused":
      return { ...ask, detail: event.payload.detail, question: null, status: event.payload.why, until };
    case "ask.resumed":
      return { ...ask, detail: null, status: "queued", until };
    case "ask.left":
      return { ...ask, question: null, status: "left", until };
    case "ask.answered": {
      const { answer, look, status } = event.payload;
      return { ...ask, answer, detail: null, look, question: null, status, until };
    }
    case "approval.asked":
      return ask.status === "running" ? { ...ask, status: "approval" } : ask;
    case "approval.given":
      return ask.status === "approval" ? { ...ask, status: "running" } : ask;
    case "model.call":
      return paid(ask, event.payload);
  }
}

/**
 * A call that brought nothing is paid by nobody, unless the provider had counted by then; of one that was interrupted
 * nobody knows what it brought.
 */
function paid(ask: AskValue, { cost_usd, response, status, tokens_in, tokens_out }: Payload<"model.call">): AskValue {
  const mayCost = response !== null || status === "interrupted" || tokens_in !== null || tokens_out !== null;
  return {
    ...ask,
    cost_unknown: ask.cost_unknown || (cost_usd === null && mayCost),
    cost_usd: ask.cost_usd + (cost_usd ?? 0),
    tokens_in: ask.tokens_in + (tokens_in ?? 0),
    tokens_out: ask.tokens_out + (tokens_out ?? 0),
  };
}
