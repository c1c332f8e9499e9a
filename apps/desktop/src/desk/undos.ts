import { Cause, type Doing, type Json, Target, takenBackBy, type UndoValue, undoneFirst } from "@choiros/contract";
import { useMemo } from "react";
import { z } from "zod";
import { useWatched } from "../watched.ts";
import type { DeskApi } from "./api.ts";

/** As the contract's table of undos has it. */
const Undo = z.object({ cause: Cause.nullable(), seq: z.int(), target: Target }) satisfies z.ZodType<UndoValue>;

export type Undos = readonly UndoValue[];

/** Every undo that there was, the oldest first. */
function undosIn(rows: ReadonlyMap<string, Json>): Undos {
  return [...rows.values()].flatMap((row) => Undo.safeParse(row).data ?? []).sort((one, two) => one.seq - two.seq);
}

export function useUndos(desk: Pick<DeskApi, "undos">): Undos {
  const rows = useWatched(desk.undos);
  return useMemo(() => undosIn(rows), [rows]);
}

/** That something is taken back, and what would do it again. */
export interface TakenBack {
  /** `undefined` where it went with more than itself: doing that again would be more than this. */
  readonly redo: Target | undefined;
}

/** What it is: what was undone as the same can be done again as that. */
type Whole = "step" | "task" | "ask";

const KINDS: Readonly<Record<Whole, readonly string[]>> = { step: ["seq", "call"], task: ["task"], ask: ["ask"] };

export function takenBack(undos: Undos, doing: Doing, whole: Whole): TakenBack | undefined {
  const by = takenBackBy(undos, doing);
  if (by === undefined) return undefined;
  const [kind = ""] = Object.keys(undoneFirst(undos, by));
  return { redo: KINDS[whole].includes(kind) ? { seq: by.seq } : undefined };
}
