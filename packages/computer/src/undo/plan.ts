import type { Entry, Json } from "@choiros/contract";
import type { ReadEntry } from "../merge/merge-entries.ts";
import type { Change, Choices, Conflict } from "../outcome.ts";
import { type Arranged, arrange, type Wish } from "./arrange.ts";
import { fold, type Step } from "./fold.ts";
import { withLosses } from "./losses.ts";
import { type Merged, Merges } from "./merges.ts";
import { slices } from "./slices.ts";
import type { Standing } from "./standing.ts";
import { planValues } from "./values.ts";

export interface UndoRequest {
  /** What the target did, in order. One event's changes may come in several slices. */
  readonly target: AsyncIterable<readonly Change[]>;
  readonly standing: Standing;
  readonly read: ReadEntry;
  readonly choices?: Choices;
}

/** All of it, or none: there is nothing to do where a conflict is left. */
export type UndoPlan =
  | {
      readonly outcome: "ready";
      /** Exactly what stands and what will stand, each place once: paths in order of their keys, then names in order. */
      readonly changes: readonly Change[];
      /** Contents that the changes name and that a merge made: to be stored first. */
      readonly merged: readonly Merged[];
      readonly stays: readonly string[];
      /** Conflicts that were settled as "mine". */
      readonly kept: readonly string[];
    }
  | {
      readonly outcome: "conflict";
      readonly conflicts: readonly Conflict[];
      /** What would change besides, to be shown and not to be done. */
      readonly rest: readonly Change[];
      readonly stays: readonly string[];
    }
  | { readonly outcome: "nothing"; readonly why: string; readonly stays: readonly string[] };

/** Plans to take back what a target did and nothing else. Touches nothing itself. */
export async function planUndo({ target, standing, read, choices = {} }: UndoRequest): Promise<UndoPlan> {
  const { paths, names } = await gather(target);
  if (paths.size === 0 && names.size === 0) return nothing("it changed no file, window or setting");
  const merges = new Merges(read);
  const wishes = await withLosses(await wishesFor(paths, standing, merges), standing, (key, entry) =>
    merges.made(key, entry),
  );
  const tree = await arrange(wishes, standing, choices);
  const values = await planValues(names, standing, choices);
  const changes: Change[] = [...tree.changes, ...values.changes];
  const conflicts = [...tree.conflicts, ...values.conflicts];
  if (conflicts.length > 0) return { outcome: "conflict", conflicts, rest: changes, stays: tree.stays };
  const kept = [...tree.kept, ...values.kept];
  if (changes.length === 0) return nothing(whyNothing(tree, kept), tree.stays);
  return { outcome: "ready", changes, merged: merges.in(tree.changes), stays: tree.stays, kept };
}

function nothing(why: string, stays: readonly string[] = []): UndoPlan {
  return { outcome: "nothing", why, stays };
}

function whyNothing(tree: Arranged, kept: readonly string[]): string {
  if (kept.length > 0) return "everything is kept as it stands";
  if (tree.stays.length > 0) return "the folders it made hold other things now";
  return "everything is already as it was before";
}

interface Gathered {
  readonly paths: Map<string, Step<Entry | null>[]>;
  readonly names: Map<string, Step<Json>[]>;
}

async function gather(target: AsyncIterable<readonly Change[]>): Promise<Gathered> {
  const gathered: Gathered = { paths: new Map(), names: new Map() };
  for await (const changes of target) {
    for (const change of changes) {
      if ("name" in change) addStep(gathered.names, change.name, change);
      else addStep(gathered.paths, change.key, change);
    }
  }
  return gathered;
}

function addStep<Value>(steps: Map<string, Step<Value>[]>, key: string, { before, after }: Step<Value>): void {
  const known = steps.get(key);
  if (known === undefined) steps.set(key, [{ before, after }]);
  else known.push({ before, after });
}

async function wishesFor(paths: Gathered["paths"], standing: Standing, merges: Merges): Promise<Wish[]> {
  const wishes: Wish[] = [];
  for await (const slice of slices(paths)) {
    const entries = await standing.entries(slice.map(([key]) => key));
    for (const [key, steps] of slice) {
      const now = entries.get(key) ?? null;
      const folded = await fold(now, steps, merges.rulesFor(key));
      const left = steps.at(-1)?.after ?? null;
      if (folded.clash === undefined) wishes.push({ key, now, left, want: folded.value });
      else wishes.push({ key, now, left, want: now, clash: folded.clash });
    }
  }
  return wishes;
}
