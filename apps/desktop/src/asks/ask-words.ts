import { dollars, isOver, isPaused } from "@choiros/contract";
import { number } from "../words.ts";
import type { Ask } from "./ask-rows.ts";

type Status = Ask["status"];

const WORDS: Readonly<Record<Status, string>> = {
  approval: "needs your approval",
  done: "done",
  failed: "couldn't go on",
  "given-up": "gave up",
  interrupted: "was interrupted",
  left: "left as it is",
  limit: "reached a limit",
  queued: "waits",
  running: "running",
  steered: "told another ask",
  stopped: "stopped",
  withdrawn: "taken back",
  wondering: "has a question",
};

export function statusWords(status: Status): string {
  return WORDS[status] ?? String(status); // of a newer server
}

/** How it stands, also where it is taken back. */
export function standWords({ status, taken }: Pick<Ask, "status" | "taken">): string {
  if (taken === undefined || status === "withdrawn") return statusWords(status);
  return isOver(status) ? taken.words : `${statusWords(status)}, and ${taken.words}`;
}

/** Whether somebody or something has still to do with it. */
export function isOpen({ status }: Pick<Ask, "status">): boolean {
  return status !== "withdrawn" && !isOver(status);
}

/** Whether it goes on only once the user did something. */
export function needsUser({ status }: Pick<Ask, "status">): boolean {
  return status === "approval" || status === "wondering" || (status !== "withdrawn" && isPaused(status));
}

/** Whether others have to wait for it. What waits for the user holds up nobody. */
export function isBusy({ status }: Pick<Ask, "status">): boolean {
  return status === "running";
}

/** Whether an agent is at it. What waits for the user is at work, too: it holds what it runs. */
export function isAtWork({ status }: Pick<Ask, "status">): boolean {
  return status === "running" || status === "approval" || status === "wondering";
}

/** What waits for an answer comes first, then what runs, what has yet to, and what doesn't go on; then the rest. */
function rankOf(ask: Pick<Ask, "status">): number {
  if (isBusy(ask)) return 1;
  if (isAtWork(ask)) return 0;
  if (ask.status === "queued") return 2;
  return isOpen(ask) ? 3 : 4;
}

/** By how they stand: of those that stand alike the newest first, but what waits for its turn as it will have it. */
export function byNeed(asks: readonly Ask[]): Ask[] {
  return asks.toSorted(
    (one, two) => rankOf(one) - rankOf(two) || (one.status === "queued" ? queued(one, two) : two.seq - one.seq),
  );
}

/** One that was resumed waits from then on. */
function queued(one: Ask, two: Ask): number {
  return Date.parse(one.until) - Date.parse(two.until) || one.seq - two.seq;
}

/** What it came to so far; `undefined` where nothing was spent. */
export function costWords({ cost_unknown, cost_usd, tokens_in, tokens_out }: Costs): string | undefined {
  if (cost_unknown) return cost_usd > 0 ? `${dollars(cost_usd)} and more` : "cost unknown";
  return tokens_in + tokens_out === 0 && cost_usd === 0 ? undefined : dollars(cost_usd);
}

/** What a user must know who counts on a limit of money: without a price there is nothing to hold against it. */
export function unlimitedWords({ cost_unknown }: Pick<Ask, "cost_unknown">): string | undefined {
  return cost_unknown ? "no limit in USD holds" : undefined;
}

type Costs = Pick<Ask, "cost_unknown" | "cost_usd" | "tokens_in" | "tokens_out">;

export function tokenWords({ tokens_in, tokens_out }: Costs): string {
  return `${number.format(tokens_in)} tokens in, ${number.format(tokens_out)} out`;
}

/** As a clock for work shows it. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
