import { type Envelope, type KnownEvent, recognise } from "../envelope.ts";
import type { EventType, Payload, Target } from "../payloads.ts";
import { isAimedAt, keptAllOf } from "../taken-back.ts";

/** What can be taken back is of these types. Where windows stand isn't meant: they come and go without it. */
export const ACTION_TYPES: readonly EventType[] = [
  "file.write",
  "file.delete",
  "file.move",
  "dir.create",
  "dir.delete",
  "dir.move",
  "files.changed",
  "settings.change",
  "undo",
];

/** What is asked of a log: so many events of these types up to `to`, the newest first. */
export interface LookedBack {
  readonly newest: true;
  readonly type: string[];
  readonly limit: number;
  readonly to?: number;
}

/** What the events say, `"nothing"` where there is nothing to find; `undefined` where older ones have to be asked. */
type Found = Target | "nothing" | undefined;

/** A log is asked for so many at first, and then for ever more: the answer is nearly always among the first. */
const FIRST = 200;
const MOST = 10_000;

/** Looks from the end of the log as far back as it takes, however much else happened since. */
export async function lookBack(
  read: (query: LookedBack) => Promise<readonly Envelope[]>,
  find: (events: readonly KnownEvent[]) => Found,
): Promise<Target | undefined> {
  const events: KnownEvent[] = [];
  let before: { readonly to?: number } = {};
  for (let limit = FIRST; ; limit = Math.min(limit * 4, MOST)) {
    const page = await read({ newest: true, type: [...ACTION_TYPES], limit, ...before });
    for (const event of page) {
      const known = recognise(event);
      if (known.ok) events.push(known.value);
    }
    const found = find(events);
    if (found !== undefined) return found === "nothing" ? undefined : found;
    const to = (page.at(-1)?.seq ?? 1) - 1;
    if (page.length < limit || to < 1) return undefined;
    before = { to };
  }
}

/**
 * What "undo" means: the newest action that isn't taken back already; going back to a moment is one. `events` are the last
 * ones, the newest first. What somebody did outside isn't meant.
 */
export function lastDone(events: readonly KnownEvent[]): Target | undefined {
  const taken: Undo[] = [];
  for (const event of events) {
    if (taken.some((undo) => hasTaken(undo, event))) continue;
    if (isGoBack(event)) return { seq: event.seq };
    if (event.type === "undo") taken.push(event.payload);
    else if (isAction(event)) return event.cause?.call === undefined ? { seq: event.seq } : { call: event.cause.call };
  }
  return undefined;
}

/** What "redo" means: the newest undo that stands, where nothing else was done since. */
export function lastUndone(events: readonly KnownEvent[]): Found {
  const taken: Undo[] = [];
  for (const event of events) {
    if (taken.some((undo) => hasTaken(undo, event))) continue;
    if (isGoBack(event)) return "nothing";
    if (event.type === "undo") {
      const { target } = event.payload;
      const isRedo = events.some((other) => other.type === "undo" && !isGoBack(other) && isAimedAt(target, other));
      if (!isRedo) return { seq: event.seq };
      taken.push(event.payload);
    } else if (isAction(event)) return "nothing";
  }
  return undefined;
}

type Undo = Payload<"undo">;

/** Whether an undo was aimed at it, and didn't keep all of it. */
function hasTaken({ kept, target }: Undo, event: KnownEvent): boolean {
  return isAimedAt(target, event) && !keptAllOf(kept, event);
}

/** What somebody did that can be taken back. */
export function isAction({ source, type }: KnownEvent): boolean {
  return source !== "system" && ACTION_TYPES.includes(type);
}

/** Everything after a moment was taken back at once. */
function isGoBack(event: KnownEvent): boolean {
  return event.type === "undo" && "since" in event.payload.target;
}
