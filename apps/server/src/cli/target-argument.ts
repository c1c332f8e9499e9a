import { Target } from "@choiros/contract";
import { UsageError } from "../command-error.ts";

/** What an undo is aimed at: `12`, `call:ID`, `task:ID`, `ask:ID`. */
export function targetArgument(word: string): Target {
  const [, kind, id] = /^(call|task|ask):(.*)$/s.exec(word) ?? [];
  const target = kind === undefined ? seqTarget(word) : Target.safeParse({ [kind]: id }).data;
  if (target !== undefined) return target;
  throw new UsageError(`TARGET is the number of an event, or call:ID, task:ID or ask:ID, not '${word}'`);
}

function seqTarget(word: string): Target | undefined {
  return /^[1-9]\d{0,14}$/.test(word) ? { seq: Number(word) } : undefined;
}
