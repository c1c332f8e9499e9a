import { type Doing, isPlainUndo, type Target, undoTargetOf } from "@choiros/contract";
import type { Turn } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { takenBack, type Undos } from "../../desk/undos.ts";
import { hasChanges } from "../../shown/has-changes.ts";
import { type FoldRow, isFold, type Row } from "./fold.ts";

/** What is to be taken back, and how that is called. */
export interface Aim {
  readonly target: Target;
  readonly title: string;
  /** What was taken back is done again. */
  readonly turn?: Turn;
}

/** What can be done about an event; `undefined` where there is nothing to take back, or to do again. */
export function aimOf(moment: Moment, undos: Undos): Aim | undefined {
  const { event } = moment;
  const target = undoTargetOf(moment);
  if (target === undefined) return undefined;
  const taken = hasChanges(moment) && takenBack(undos, doingIn([moment], event.cause, event.seq), "step");
  if (isPlainUndo(event)) return taken ? undefined : redoing(target); // an undo that was undone is done with
  return taken ? taken.redo && redoing(taken.redo) : { target, title: titleOf(target) };
}

/** The same for a line; of several events, for all of them. */
export function aimOfRow(row: Row, undos: Undos): Aim | undefined {
  if (!isFold(row)) return aimOf(row.moment, undos);
  const target = foldTarget(row);
  const changes = row.moments.filter(hasChanges);
  if (target === undefined || changes.length === 0) return undefined;
  const taken = takenBack(undos, doingIn(changes, { ...outerOf(row), ...target }), wholeOf(row));
  return taken ? taken.redo && redoing(taken.redo) : { target, title: titleOf(target) };
}

/** Whether all that a line is about is taken back. */
export function isTaken(row: Row, undos: Undos): boolean {
  const moments = isFold(row) ? row.moments.filter(hasChanges) : [row.moment].filter(hasChanges);
  if (moments.length === 0 || (isFold(row) && foldTarget(row) === undefined)) return false;
  const doing = isFold(row)
    ? doingIn(moments, { ...outerOf(row), ...foldTarget(row) })
    : doingIn(moments, row.moment.event.cause, row.moment.event.seq);
  return takenBack(undos, doing, "step") !== undefined;
}

function doingIn(moments: readonly Moment[], cause: Doing["cause"], seq?: number): Doing {
  const seqs = moments.map(({ event }) => event.seq); // the newest first
  return { seq, cause, first: seqs.at(-1) ?? 0, last: seqs[0] ?? 0 };
}

function wholeOf({ kind }: FoldRow): "step" | "task" | "ask" {
  return kind === "ask" || kind === "task" ? kind : "step";
}

/** What a task or a call is a part of. */
function outerOf({ kind, moments }: FoldRow): Doing["cause"] {
  const { ask, task } = moments[0]?.event.cause ?? {};
  const outer = { ...(ask !== undefined && { ask }), ...(kind === "call" && task !== undefined && { task }) };
  return kind === "ask" ? undefined : outer;
}

function redoing(target: Target): Aim {
  return { target, title: "Redo what this took back", turn: "again" };
}

/** How taking it back is called. */
function titleOf(target: Target): string {
  if ("seq" in target) return "Undo just this";
  if ("call" in target) return "Undo all of this";
  return `Undo all of this ${"task" in target ? "task" : "ask"}`;
}

function foldTarget({
  kind,
  of,
}: FoldRow): Extract<Target, { ask: string } | { task: string } | { call: string }> | undefined {
  switch (kind) {
    case "ask":
      return { ask: of };
    case "task":
      return { task: of };
    case "call":
      return { call: of };
    case "windows":
      return undefined; // each of them for itself
  }
}
