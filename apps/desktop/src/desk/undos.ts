import {
  Cause,
  type Doing,
  isWindowKey,
  type Json,
  KeptChange,
  plain,
  shownKey,
  type Taken,
  Target,
  takenBackBy,
  type UndoValue,
  undoneFirst,
} from "@choiros/contract";
import { useMemo } from "react";
import { z } from "zod";
import { placesIn } from "../shown/places.ts";
import { useWatched } from "../watched.ts";
import { count } from "../words.ts";
import type { DeskApi } from "./api.ts";
import type { Moment } from "./socket.ts";

/** As the contract's table of undos has it. */
const Undo = z.object({
  cause: Cause.nullable(),
  kept: z.union([z.array(KeptChange), z.int()]).exactOptional(),
  seq: z.int(),
  target: Target,
}) satisfies z.ZodType<UndoValue>;

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
  /** "taken back", and what of it isn't. */
  readonly words: string;
  readonly isWhole: boolean;
  /** The places where it was kept, and stands, as far as they are known. */
  readonly but: readonly string[];
  /** `undefined` where it went with more than itself: doing that again would be more than this. */
  readonly redo: Target | undefined;
}

/** What it is: what was undone as the same can be done again as that. */
type Whole = "step" | "task" | "ask";

const KINDS: Readonly<Record<Whole, readonly string[]>> = { step: ["seq", "call"], task: ["task"], ask: ["ask"] };

export function takenBack(undos: Undos, doing: Doing, whole: Whole): TakenBack | undefined {
  const taken = takenBackBy(undos, doing);
  if (taken === undefined) return undefined;
  const { but, by } = taken;
  const [kind = ""] = Object.keys(undoneFirst(undos, by));
  const redo = KINDS[whole].includes(kind) ? { seq: by.seq } : undefined;
  const rest = restWords(taken);
  if (rest === undefined) return { words: "taken back", isWhole: true, but, redo };
  return { words: `taken back, but for ${rest}`, isWhole: false, but, redo };
}

/** Where events changed something, as far as that is a matter to what any undo kept. */
export function placesOf(undos: Undos, moments: readonly Moment[]): Doing["places"] {
  return undos.some(({ kept }) => kept !== undefined) ? placesIn(moments) : undefined;
}

function restWords({ but, others }: Taken): string | undefined {
  const [only] = but;
  const many = but.length + others;
  if (only === undefined && many === 0) return undefined;
  if (only === undefined || many > 1) return count(many, others === 0 && but.every(isPath) ? "file" : "change");
  if (isPath(only)) return shownKey(only).split("/").at(-1);
  return isWindowKey(only) ? "a window" : `the setting ${plain(only)}`;
}

function isPath(place: string): boolean {
  return /^(?:workspace|artifacts|choiros)\//.test(place);
}
