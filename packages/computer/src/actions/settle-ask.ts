import { type AskValue, type Cause, type Id, isPaused, newId } from "@choiros/contract";
import { LogError } from "@choiros/log";
import type { ActOptions } from "../computer-port.ts";
import type { Outcome } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { refused } from "./write-file.ts";

/** What the user decides about an ask that paused: it goes on, or stays as it is. */
export type Settled = "resumed" | "left";

/** Only an ask that paused can be settled, and each pause once: whoever comes second is told so. */
export function settleAsk(parts: Parts, ask: Id, as: Settled, options: ActOptions = {}): Promise<Outcome> {
  const { log, projector, turns } = parts;
  return turns.take(async () => {
    await projector.reached((await log.head()).seq);
    const value = await askOf(parts, ask);
    if (value === undefined) return refused(`there is no ask '${ask}'`, "missing");
    if (!isPaused(value.status)) return refused(`that ask isn't paused: it is ${WORDS[value.status] ?? "over"}`);
    const { id, signal, source = "user" } = options;
    const call = options.cause?.call ?? newId();
    const of: Cause = value.conversation === null ? { ask } : { ask, conversation: value.conversation };
    signal?.throwIfAborted(); // from here on it has happened
    const draft = { source, type: `ask.${as}`, cause: { ...of, call }, payload: {} } as const;
    const appended = await log.append(id === undefined ? draft : { ...draft, id });
    if (!appended.ok) {
      if (appended.reason === "invalid") return refused(appended.message);
      throw new LogError("misuse", appended.message);
    }
    await projector.reached(appended.seq);
    return { ok: true, seq: appended.seq, call, changed: 0, blocked: [], notes: [] };
  });
}

const WORDS: Readonly<Record<string, string>> = {
  approval: "waiting for an approval",
  queued: "waiting for its turn",
  running: "running",
  wondering: "waiting for an answer",
};

async function askOf({ state }: Parts, ask: Id): Promise<AskValue | undefined> {
  for await (const rows of state.rows("ask", { under: ask })) {
    const row = rows.find(({ key }) => key === ask);
    if (row !== undefined) return row.value as AskValue; // only the contract writes it
  }
  return undefined;
}
