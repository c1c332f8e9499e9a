import { Cause, type Doing, type Json, Target, takenBackBy, type UndoValue } from "@choiros/contract";
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
  /** `undefined` where everything went back to a moment: doing that again would be more than this. */
  readonly redo: Target | undefined;
}

export function takenBack(undos: Undos, doing: Doing): TakenBack | undefined {
  const by = takenBackBy(undos, doing);
  return by && { redo: "since" in by.target ? undefined : { seq: by.seq } };
}
