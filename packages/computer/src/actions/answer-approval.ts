import { type Cause, type Id, isForTask, newId, type Payload, recognise } from "@choiros/contract";
import { LogError } from "@choiros/log";
import type { ActOptions } from "../computer-port.ts";
import type { Outcome } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { refused } from "./write-file.ts";

export type Decision = Payload<"approval.given">["decision"];

/** The answer belongs to the ask and the task that the question came from. */
export function answerApproval(
  parts: Parts,
  approval: Id,
  decision: Decision,
  options: ActOptions = {},
): Promise<Outcome> {
  const { log, projector, turns } = parts;
  return turns.take(async () => {
    await projector.reached((await log.head()).seq);
    const asked = await whenAsked(parts, approval);
    if (asked === undefined)
      return refused(`no approval '${approval}' waits for an answer: it has one, or was never asked for`, "missing");
    const askedBy = await causeOf(parts, asked);
    if (decision === "once" && isForTask({ cause: askedBy }))
      return refused(
        `the approval '${approval}' is for a whole task, not for one step: allow it for this task, or deny it`,
      );
    const { id, signal, source = "user" } = options;
    const from: Cause = { ...askedBy, ...options.cause };
    const cause = { ...from, call: from.call ?? newId() };
    signal?.throwIfAborted(); // from here on it has happened
    const draft = { source, type: "approval.given", cause, payload: { approval, decision } } as const;
    const appended = await log.append(id === undefined ? draft : { ...draft, id });
    if (!appended.ok) {
      if (appended.reason === "invalid") return refused(appended.message);
      throw new LogError("misuse", appended.message);
    }
    await projector.reached(appended.seq);
    return { ok: true, seq: appended.seq, call: cause.call, changed: 0, blocked: [], notes: [] };
  });
}

/** The event that asked; `undefined` where nobody waits for an answer. */
async function whenAsked({ state }: Parts, approval: Id): Promise<number | undefined> {
  for await (const rows of state.rows("approval", { under: approval })) {
    const row = rows.find(({ key }) => key === approval);
    if (row !== undefined) return row.seq;
  }
  return undefined;
}

async function causeOf({ log }: Parts, seq: number): Promise<Cause> {
  for await (const event of log.read({ from: seq, to: seq })) {
    const known = recognise(event);
    if (known.ok) return known.value.cause ?? {};
  }
  return {};
}
