import { MAX_SMALL_CONTENT_BYTES, newId, type Payload, recognise } from "@choiros/contract";
import { LogError } from "@choiros/log";
import type { Need } from "../lease/lease.ts";
import { type Shown, shownCall } from "./shown-call.ts";
import type { Context } from "./tool.ts";

export type Decision = Payload<"approval.given">["decision"];

/** So much text a question may have, so much of what it is for, and so many bytes the whole of that. */
const MOST_ASKED = 32_768;
const MOST_WHY = 4096;
const MOST_WHOLE = MAX_SMALL_CONTENT_BYTES; // what is longer no moment brings along

export const TOO_MUCH = "that is too much to be asked for at once: take less";

/**
 * Asks the user, and waits for the answer as long as it takes: it comes from the console, through the log. Where the wait
 * is given up, the question is taken back. What nobody could read to the end isn't asked. `why` in a few words, where the call itself isn't that.
 */
export async function askApproval(
  needs: readonly Need[],
  { why, ...call }: Shown & { readonly why?: string },
  { work, cause, signal }: Pick<Context, "work" | "cause" | "signal">,
): Promise<Decision | "too-much"> {
  signal.throwIfAborted();
  const { computer, pace } = work;
  const approval = newId();
  const covers = needs.join("\n");
  if (covers.length > MOST_ASKED) return "too-much";
  const whole = await computer.contents.put(Buffer.from(shownCall(call, MOST_WHOLE)));
  const payload = { approval, covers, whole, why: beginningOf(why ?? shownCall(call, MOST_WHY), MOST_WHY) };
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

/** Whoever has said no so often has said it: of one task the user isn't asked any more then. */
export const MOST_DENIED = 10;

/** How often the user has denied what this task asked for, as the log has it. */
export async function deniedOf({ work: { cause, computer } }: Pick<Context, "work">): Promise<number> {
  let denied = 0;
  for await (const event of computer.log.read({ cause, types: ["approval.given"] })) {
    const isOwn = event.source === "user" && event.cause?.task === cause.task;
    if (isOwn && event.payload.decision === "denied") denied += 1;
  }
  return denied;
}

/** As much of a text as there is room for, which says where it isn't all. */
function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const left = ` … (cut off: ${text.length} characters in all)`;
  return `${text.slice(0, most - left.length).toWellFormed()}${left}`; // it may have cut a character in two
}
