import type { Target } from "./payloads.ts";
import type { Cause } from "./source.ts";

/** One undo, as the table of undos has it. */
export type UndoValue = {
  readonly cause: Cause | null;
  readonly seq: number;
  readonly target: Target;
};

/** What may be taken back: one event, or all of one cause, with the first and the last event by which it changed something. */
export interface Doing {
  readonly seq?: number | undefined;
  readonly cause?: Cause | null | undefined;
  readonly first: number;
  readonly last: number;
}

/** An undo by which something went, or came again. */
interface Turn {
  readonly undo: UndoValue;
  readonly isTaken: boolean;
}

/**
 * The undo by which it is taken back now; undoing that one brings it again. `undos` are all of them, the oldest first. What
 * is undone step by step, undone whole, and done again is as it was before it was undone whole.
 */
export function takenBackBy(undos: readonly UndoValue[], doing: Doing): UndoValue | undefined {
  const turns: Turn[] = [];
  for (const undo of undos) {
    if (undo.seq <= doing.last) continue;
    const was = turns.at(-1)?.isTaken ?? false;
    const isTaken = isTakenAfter(undo.target, { doing, turns, was });
    if (isTaken !== was) turns.push({ undo, isTaken });
  }
  const last = turns.at(-1);
  return last?.isTaken === true ? last.undo : undefined;
}

function isTakenAfter(
  target: Target,
  { doing, turns, was }: { doing: Doing; turns: readonly Turn[]; was: boolean },
): boolean {
  if ("since" in target)
    return target.since < doing.first || (turns.findLast(({ undo }) => undo.seq <= target.since)?.isTaken ?? false);
  if (isAimedAt(target, doing)) return true;
  let isTaken = was;
  for (const turn of turns.toReversed())
    if (turn.isTaken === isTaken && isAimedAt(target, turn.undo)) isTaken = !isTaken; // as it was before
  return isTaken;
}

/** What an undo, or the undo of an undo, was about in the first place. */
export function undoneFirst(undos: readonly UndoValue[], undo: UndoValue): Target {
  const former = undos.find((other) => other.seq < undo.seq && isAimedAt(undo.target, other));
  return former === undefined ? undo.target : undoneFirst(undos, former);
}

/** At the event itself, or at what it belongs to; going back is aimed at no one. */
export function isAimedAt(target: Target, { cause, seq }: Pick<Doing, "cause" | "seq">): boolean {
  if ("seq" in target) return target.seq === seq;
  if ("call" in target) return target.call === cause?.call;
  if ("task" in target) return target.task === cause?.task;
  return "ask" in target && target.ask === cause?.ask;
}
