import type { Received } from "../model/received.ts";
import type { Step, Turn } from "../model/script.ts";
import { answer, finish, plan, run, write } from "./scripts.ts";

/** What the Associate has to do; each step shows in a file whether it was done once. */
const STEPS: readonly Step[] = [write("a.txt", "A\n"), run("cat a.txt >> log.txt")];

/** The files that stand at the end, however often it was cut off. */
export const LEFT = { "a.txt": "A\n", "log.txt": "A\n" } as const;

/** Goes by what the conversation says alone: so it plays the same part before and after a crash. */
export function crashScript(request: Received): Turn {
  const heard = request.messages.flatMap(({ role, text }) => (role === "tool" ? [text] : []));
  if (request.tools.includes("plan")) {
    return heard.length === 0
      ? [plan({ verify: ["test -f log.txt"] })]
      : [answer("It is done.", { look: ["log.txt"] })];
  }
  const done = heard.filter((text) => !UNDONE.test(text)).length;
  return [STEPS[done] ?? finish()];
}

/** What a call that was cut off says when it left nothing. */
const UNDONE = /interrupted.*(?:it changed nothing|nothing of it was kept)/;
