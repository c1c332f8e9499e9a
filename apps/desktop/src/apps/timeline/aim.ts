import { type Doing, isPlainUndo, type Target, undoTargetOf } from "@choiros/contract";
import type { Turn } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { placesOf, type TakenBack, takenBack, type Undos } from "../../desk/undos.ts";
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
  const taken = hasChanges(moment) ? takenOfRow({ moment }, undos) : undefined;
  if (isPlainUndo(event)) return taken?.isWhole ? undefined : redoing(target); // an undo that was undone is done with
  return aimedAt(target, taken);
}

/** The same for a line; of several events, for all of them. */
export function aimOfRow(row: Row, undos: Undos): Aim | undefined {
  if (!isFold(row)) return aimOf(row.moment, undos);
  const target = foldTarget(row);
  if (target === undefined || !row.moments.some(hasChanges)) return undefined;
  return aimedAt(target, takenOfRow(row, undos));
}

/** That what a line is about is taken back. */
export function takenOfRow(row: Row | { readonly moment: Moment }, undos: Undos): TakenBack | undefined {
  if (!("kind" in row)) {
    const { cause, seq } = row.moment.event;
    return hasChanges(row.moment) ? takenBack(undos, doingIn(undos, [row.moment], cause, seq), "step") : undefined;
  }
  const moments = row.moments.filter(hasChanges);
  const target = foldTarget(row);
  if (moments.length === 0 || target === undefined) return undefined;
  return takenBack(undos, doingIn(undos, moments, { ...outerOf(row), ...target }), wholeOf(row));
}

/** Where it is taken back, what does it again; where that is more than this, what takes the rest of it back. */
function aimedAt(target: Target, taken: TakenBack | undefined): Aim | undefined {
  if (taken?.redo !== undefined) return redoing(taken.redo);
  return taken?.isWhole ? undefined : { target, title: titleOf(target) };
}

function doingIn(undos: Undos, moments: readonly Moment[], cause: Doing["cause"], seq?: number): Doing {
  const seqs = moments.map(({ event }) => event.seq); // the newest first
  return { seq, cause, first: seqs.at(-1) ?? 0, last: seqs[0] ?? 0, places: placesOf(undos, moments) };
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
