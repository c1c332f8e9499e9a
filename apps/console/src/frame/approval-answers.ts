import type { Decision } from "../server/computer-api.ts";

type Answer = readonly [decision: Decision, words: string, look: string];

/** What an approval can be answered with. For good it is the owner's to allow: that holds for all computers here. */
export function answersFor(owner: boolean): readonly Answer[] {
  return ANSWERS.filter(([decision]) => owner || decision !== "always");
}

const ANSWERS: readonly Answer[] = [
  ["once", "Allow once", "button gold"],
  ["task", "Allow for this task", "button"],
  ["always", "Always allow, on all computers of this server", "button"],
  ["denied", "Deny", "button danger"],
];
