import { setTimeout as delay } from "node:timers/promises";
import { answer, finish, plan, run, write } from "../../agent/scripts.ts";
import type { Received } from "../../model/received.ts";
import type { Turn } from "../../model/script.ts";

/** What stands in the workspace once the ask of this number is over, however often it was cut off: every step, once. */
export function leftBy(number: number): Readonly<Record<string, string>> {
  return { [`a-${number}.txt`]: "A\n", [`log-${number}.txt`]: "A\n", [`checked-${number}.txt`]: "once\n" };
}

/** So long it takes over an answer. */
export const THINKING_MS = 60;

/** Speaks a while, then does the next thing; goes by what the conversation says alone. */
export function agentsScript(request: Received): Turn {
  const number = Number(/Part (\d+)/.exec(request.text)?.[1]);
  const heard = request.messages.flatMap(({ role, text }) => (role === "tool" ? [text] : []));
  // Real ones take their time, too: so that a kill finds them in the middle of a word.
  const words = ["I think about it, and then ", { until: delay(THINKING_MS) }, "I go on with what is next."];
  if (request.tools.includes("plan")) {
    if (heard.length > 0) return [...words, answer(`Part ${number} is over.`)];
    return [...words, plan({ instruction: `Part ${number}`, verify: [`echo once >> checked-${number}.txt`] })];
  }
  const steps = [write(`a-${number}.txt`, "A\n"), run(`cat a-${number}.txt >> log-${number}.txt`)];
  return [...words, steps[heard.filter((text) => !UNDONE.test(text)).length] ?? finish()];
}

/** What a call that was cut off says when it left nothing. */
const UNDONE = /interrupted.*(?:it changed nothing|nothing of it was kept)/;
