import { newId, type Payload, recognise } from "@choiros/contract";
import { LogError } from "@choiros/log";
import type { Need } from "../lease/lease.ts";
import type { Context } from "./tool.ts";

export type Decision = Payload<"approval.given">["decision"];

/**
 * Asks the user, and waits for the answer as long as it takes: it comes from the console, through the log. Where the wait
 * is given up, the question is taken back.
 */
export async function askApproval(
  needs: readonly Need[],
  why: string,
  { work, cause, signal }: Pick<Context, "work" | "cause" | "signal">,
): Promise<Decision> {
  signal.throwIfAborted();
  const { computer } = work;
  const approval = newId();
  const payload = { approval, covers: needs.join("\n"), why };
  const asked = await computer.log.append({ source: "agent", type: "approval.asked", cause, payload });
  if (!asked.ok) throw new LogError("misuse", asked.message);
  for await (const event of computer.log.subscribe({ from: asked.seq + 1, signal })) {
    if (event.type !== "approval.given") continue;
    const known = recognise(event);
    if (!known.ok || known.value.type !== "approval.given" || known.value.payload.approval !== approval) continue;
    // Only the user gives leave; anybody else can but refuse it.
    return known.value.source === "user" ? known.value.payload.decision : "denied";
  }
  // Ended by the signal, or with the log: then there is nobody left to answer.
  if (signal.aborted) await computer.answer(approval, "denied", { source: "system" });
  signal.throwIfAborted();
  throw new LogError("closed", "the log was closed while an approval was waited for");
}
