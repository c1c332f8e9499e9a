import { newId, type Payload, recognise } from "@choiros/contract";
import { LogError } from "@choiros/log";
import type { Need } from "../lease/lease.ts";
import type { Context } from "./tool.ts";

export type Decision = Payload<"approval.given">["decision"];

/** So much text a question may have, and so much of what it is for. */
const MOST_ASKED = 32_768;
const MOST_WHY = 4096;

export const TOO_MUCH = "that is too much to be asked for at once: take less";

/**
 * Asks the user, and waits for the answer as long as it takes: it comes from the console, through the log. Where the wait
 * is given up, the question is taken back. What nobody could read to the end isn't asked.
 */
export async function askApproval(
  needs: readonly Need[],
  why: string,
  { work, cause, signal }: Pick<Context, "work" | "cause" | "signal">,
): Promise<Decision | "too-much"> {
  signal.throwIfAborted();
  const { computer, pace } = work;
  const approval = newId();
  const covers = needs.join("\n");
  if (covers.length > MOST_ASKED) return "too-much";
  const payload = { approval, covers, why: beginningOf(why, MOST_WHY) };
  const asked = await computer.log.append({ source: "agent", type: "approval.asked", cause, payload });
  if (!asked.ok) throw new LogError("misuse", asked.message);
  pace.rest();
  for await (const event of computer.log.subscribe({ from: asked.seq + 1, signal })) {
    if (event.type !== "approval.given") continue;
    const known = recognise(event);
    if (!known.ok || known.value.type !== "approval.given" || known.value.payload.approval !== approval) continue;
    await pace.ready(signal);
    signal.throwIfAborted();
    // Only the user gives leave; anybody else can but refuse it.
    return known.value.source === "user" ? known.value.payload.decision : "denied";
  }
  // Ended by the signal, or with the log: then there is nobody left to answer.
  if (signal.aborted) await computer.answer(approval, "denied", { source: "system" });
  signal.throwIfAborted();
  throw new LogError("closed", "the log was closed while an approval was waited for");
}

/** As much of a text as there is room for, which says where it isn't all. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const left = ` … (cut off: ${text.length} characters in all)`;
  return `${text.slice(0, most - left.length).toWellFormed()}${left}`; // it may have cut a character in two
}
