import { isDeepStrictEqual } from "node:util";
import { type EventType, type KnownEvent, pathKey, recognise, type Target } from "@choiros/contract";
import type { ActOptions } from "../computer-port.ts";
import type { Done, Refused } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { refused } from "./write-file.ts";

/** What an action is, as far as its event shows it. */
export interface Trace {
  /** What its event may be. */
  readonly types: readonly EventType[];
  /** What it was done to; only for those whose event has one of them for certain, or what is below it. */
  readonly keys?: readonly string[];
  readonly target?: Target;
}

/**
 * What an action came to that has been done already, by its event's id. Another action of that id is refused: nobody is
 * told that something was done which wasn't. To ask, an event is offered that can't be appended, for the log is never
 * empty: an id that is there is answered first (LOG-4).
 */
export async function repeated(
  { log }: Parts,
  { id, cause }: ActOptions,
  trace: Trace,
): Promise<Done | Refused | undefined> {
  if (id === undefined) return undefined;
  const asked = await log.append({ source: "system", type: "message", id, payload: { text: "?" } }, { expectedSeq: 0 });
  const query = asked.ok ? { from: asked.seq, to: asked.seq } : { cause: { call: id }, limit: 1 };
  if (!asked.ok && cause?.call !== id) return undefined;
  for await (const event of log.read(query)) {
    const known = recognise(event);
    if (!asked.ok || !known.ok || !isOf(known.value, trace))
      return refused(`the id ${id} is another action's, of event ${event.seq}: nothing was done. Use a new one`);
    const { payload } = known.value;
    const changed = "changes" in payload ? payload.changes.length : "count" in payload ? payload.count : 0;
    const notes = ["this had been done before, and was not done again"];
    return { ok: true, seq: asked.seq, call: known.value.cause?.call ?? id, changed, blocked: [], notes };
  }
  return undefined;
}

function isOf({ payload, type }: KnownEvent, { keys, target, types }: Trace): boolean {
  if (!types.includes(type)) return false;
  if (target !== undefined) return "target" in payload && isDeepStrictEqual(payload.target, target);
  if (keys === undefined || !("changes" in payload)) return true; // a long list isn't read for this
  const changed = payload.changes.flatMap((change) => ("path" in change ? [pathKey(change.path)] : []));
  return keys.some((key) => changed.some((one) => isWithin(one, key)));
}

function isWithin(inner: string, key: string): boolean {
  return inner === key || inner.startsWith(`${key}/`);
}
