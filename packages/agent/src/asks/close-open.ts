import type { Computer } from "@choiros/computer";
import { type Id, type KnownEvent, recognise } from "@choiros/contract";
import { LogError } from "@choiros/log";
import { shownWord } from "../lease/written-path.ts";
import { closeAsked } from "../loop/close-asked.ts";
import { sum, type Written, writtenBy } from "../loop/written.ts";

type Open = Extract<KnownEvent, { type: "tool.call" | "approval.asked" }>;

/**
 * Ends what agents began and nobody goes on with: a call is told as interrupted, with what it left, and an approval that
 * nobody waits for any more is denied. Of all asks; or of one, with what its models were asked.
 */
export async function closeOpen(computer: Computer, why: string, ask?: Id): Promise<void> {
  const { events } = await computer.unfinished();
  for (const event of events) {
    const known = recognise(event);
    if (!known.ok || known.value.source !== "agent") continue;
    const { value } = known;
    if (value.type !== "tool.call" && value.type !== "approval.asked") continue;
    if (ask !== undefined && value.cause?.ask !== ask) continue;
    await close(computer, value, why);
  }
  if (ask !== undefined) await closeAsked(computer, ask);
}

async function close(computer: Computer, event: Open, why: string): Promise<void> {
  if (event.type === "approval.asked") {
    const outcome = await computer.answer(event.payload.approval, "denied", { source: "system" });
    // One that somebody answered in this very moment has its answer.
    if (!outcome.ok && outcome.reason !== "missing") throw new LogError("misuse", outcome.message);
    return;
  }
  const { cause } = event;
  if (cause?.call === undefined) return;
  const written = await writtenIn(computer, cause.call);
  const left =
    written === undefined ? "and it changed nothing" : `after it had changed ${named(written)}, which stands`;
  const reason = `${why}, ${left}`.slice(0, MAX_REASON).toWellFormed();
  const payload = { reason, status: "interrupted" } as const;
  const appended = await computer.log.append({ source: "system", type: "tool.result", cause, payload });
  if (!appended.ok) throw new LogError("misuse", appended.message);
}

async function writtenIn(computer: Computer, call: Id): Promise<Written | undefined> {
  let all: Written | undefined;
  for await (const event of computer.log.read({ cause: { call } })) {
    const known = recognise(event);
    const written = known.ok ? await writtenBy(computer, known.value) : undefined;
    if (written !== undefined && written.files > 0) all = sum(all, written);
  }
  return all;
}

const MAX_NAMED = 5;
const MAX_REASON = 4096;

function named({ keys, files }: Written): string {
  const shown = keys.slice(0, MAX_NAMED).map(shownWord).join(", ");
  return files > MAX_NAMED ? `${shown} and ${files - MAX_NAMED} more` : shown;
}
