import { isDeepStrictEqual } from "node:util";
import { type EventType, type KnownEvent, pathKey, recognise, type Target } from "@choiros/contract";
import type { ActOptions } from "../computer-port.ts";
import type { Done, Refused } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { refused } from "./write-file.ts";

/** What an action is, as far as its event shows it. */
export interface Deed {
  /** What its event may be. */
  readonly types: readonly EventType[];
  /** What it was done to; only for those whose event has it for certain, or what is below it. */
  readonly key?: string;
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
  deed: Deed,
): Promise<Done | Refused | undefined> {
  if (id === undefined) return undefined;
  const asked = await log.append({ source: "system", type: "message", id, payload: { text: "?" } }, { expectedSeq: 0 });
  const query = asked.ok ? { from: asked.seq, to: asked.seq } : { cause: { call: id }, limit: 1 };
  if (!asked.ok && cause?.call !== id) return undefined;
  for await (const event of log.read(query)) {
    const known = recognise(event);
    if (!asked.ok || !known.ok || !isOf(known.value, deed))
      return refused(`the id ${id} is another action's, of event ${event.seq}: nothing was done. Use a new one`);
    const { payload } = known.value;
    const changed = "changes" in payload ? payload.changes.length : "count" in payload ? payload.count : 0;
    const notes = ["this had been done before, and was not done again"];
    return { ok: true, seq: asked.seq, call: known.value.cause?.call ?? id, changed, blocked: [], notes };
  }
  return undefined;
}

function isOf({ payload, type }: KnownEvent, { key, target, types }: Deed): boolean {
  if (!types.includes(type)) return false;
  if (target !== undefined) return "target" in payload && isDeepStrictEqual(payload.target, target);
  if (key === undefined || !("changes" in payload)) return true; // a long list isn't read for this
  return payload.changes.some((change) => "path" in change && isWithin(pathKey(change.path), key));
}

function isWithin(inner: string, key: string): boolean {
  return inner === key || inner.startsWith(`${key}/`);
}
