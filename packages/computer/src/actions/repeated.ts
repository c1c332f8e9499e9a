import { type Id, recognise } from "@choiros/contract";
import type { Done } from "../outcome.ts";
import type { Parts } from "../parts.ts";

/**
 * What an action came to that has been done already, by its event's id. To ask, an event is offered that can't be appended,
 * for the log is never empty: an id that is there is answered first (LOG-4).
 */
export async function repeated({ log }: Parts, id: Id): Promise<Done | undefined> {
  const asked = await log.append({ source: "system", type: "message", id, payload: { text: "?" } }, { expectedSeq: 0 });
  if (!asked.ok) return undefined;
  for await (const event of log.read({ from: asked.seq, to: asked.seq })) {
    const known = recognise(event);
    if (!known.ok) continue;
    const { payload, cause } = known.value;
    const changed = "changes" in payload ? payload.changes.length : "count" in payload ? payload.count : 0;
    const notes = ["this had been done before, and was not done again"];
    return { ok: true, seq: asked.seq, call: cause?.call ?? id, changed, blocked: [], notes };
  }
  return undefined;
}
