import type { Decision } from "../server/computer-api.ts";

type Answer = readonly [decision: Decision, words: string, look: string];

interface Asked {
  /** Whoever sits here is the owner of the server. */
  readonly owner: boolean;
  readonly beforeTask: boolean;
}

/**
 * What an approval can be answered with. For good it is the owner's to allow: that holds for all computers here. Before a
 * task begins there is no step that "once" could be for.
 */
export function answersFor({ owner, beforeTask }: Asked): readonly Answer[] {
  return ANSWERS.filter(([decision]) => (owner || decision !== "always") && !(beforeTask && decision === "once"));
}

const ANSWERS: readonly Answer[] = [
  ["once", "Allow once", "button"],
  ["task", "Allow for this task", "button"],
  ["always", "Always allow, on all computers of this server", "button"],
  ["denied", "Deny", "button danger"],
];
