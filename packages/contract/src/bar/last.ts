import type { KnownEvent } from "../envelope.ts";
import type { Target } from "../payloads.ts";

/**
 * What "undo" means: the newest action that isn't taken back already; going back to a moment is one. `events` are the last
 * ones, the newest first; what is older than they are isn't found. Windows come and go without it, and so does what
 * somebody did outside.
 */
export function lastDone(events: readonly KnownEvent[]): Target | undefined {
  const taken: Target[] = [];
  for (const event of events) {
    if (taken.some((target) => isAimedAt(target, event))) continue;
    if (isGoBack(event)) return { seq: event.seq };
    if (event.type === "undo") taken.push(event.payload.target);
    else if (isAction(event)) return event.cause?.call === undefined ? { seq: event.seq } : { call: event.cause.call };
  }
  return undefined;
}

/** What "redo" means: the newest undo that stands, where nothing else was done since. */
export function lastUndone(events: readonly KnownEvent[]): Target | undefined {
  const taken: Target[] = [];
  for (const event of events) {
    if (taken.some((target) => isAimedAt(target, event))) continue;
    if (isGoBack(event)) return undefined;
    if (event.type === "undo") {
      const { target } = event.payload;
      const isRedo = events.some((other) => other.type === "undo" && !isGoBack(other) && isAimedAt(target, other));
      if (!isRedo) return { seq: event.seq };
      taken.push(target);
    } else if (isAction(event)) return undefined;
  }
  return undefined;
}

/** What somebody did that can be taken back; where windows stand isn't meant. */
export function isAction({ payload, source, type }: KnownEvent): boolean {
  return source !== "system" && ("changes" in payload || "list" in payload) && !type.startsWith("window.");
}

/** Everything after a moment was taken back at once. */
function isGoBack(event: KnownEvent): boolean {
  return event.type === "undo" && "since" in event.payload.target;
}

/** At the event itself, or at what it belongs to; going back is aimed at no one. */
function isAimedAt(target: Target, { cause, seq }: KnownEvent): boolean {
  if ("seq" in target) return target.seq === seq;
  if ("call" in target) return target.call === cause?.call;
  if ("task" in target) return target.task === cause?.task;
  return "ask" in target && target.ask === cause?.ask;
}
