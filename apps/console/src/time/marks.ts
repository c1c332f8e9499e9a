import type { Moment } from "../server/shapes.ts";

export type MarkKind = "ask" | "task" | "undo" | "checkpoint";

/** A moment that one may want to go back to. */
export interface Mark {
  readonly kind: MarkKind;
  readonly seq: number;
}

const KINDS: Readonly<Record<string, MarkKind>> = {
  "checkpoint.created": "checkpoint",
  message: "ask",
  "task.planned": "task",
  undo: "undo",
};

export const MARKED: readonly string[] = Object.keys(KINDS);

export function markOf({ event }: Moment): Mark | undefined {
  const kind = KINDS[event.type];
  if (kind === undefined || (kind === "ask" && event.source !== "user")) return undefined;
  return { kind, seq: event.seq };
}

/** The nearest one before or after a moment. */
export function nextMark(marks: readonly Mark[], seq: number, direction: 1 | -1): number | undefined {
  const found = direction === 1 ? marks.find((mark) => mark.seq > seq) : marks.findLast((mark) => mark.seq < seq);
  return found?.seq;
}
