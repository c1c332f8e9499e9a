import type { Change, Choices, TreeChange, ValueChange } from "../outcome.ts";
import { arrange } from "./arrange.ts";
import { withLosses } from "./losses.ts";
import type { UndoPlan } from "./plan.ts";
import type { Standing } from "./standing.ts";

export interface RewindRequest {
  /** From what stands (`before`) to what stood (`after`), net: of everything, or of one path and what is below it. */
  readonly diff: AsyncIterable<readonly Change[]>;
  /** Its `earlier` is the moment to go back to. */
  readonly standing: Standing;
  readonly choices?: Choices;
}

/**
 * Plans to go back to a moment, whoever changed what since. Nothing is merged: that moment, exactly. Messages, tasks and
 * checkpoints are history and no changes. A conflict is only what can't be: a content that was pruned, got lost or is damaged, or, where one path
 * alone goes back, a file where its folder was.
 */
export async function planRewind({ diff, standing, choices = {} }: RewindRequest): Promise<UndoPlan> {
  const paths: TreeChange[] = [];
  const values: ValueChange[] = [];
  for await (const slice of diff) {
    for (const change of slice) {
      if ("name" in change) values.push(change);
      else paths.push(change);
    }
  }
  const wishes = paths.map(({ key, before, after }) => ({ key, now: before, left: before, want: after }));
  const tree = await arrange(await withLosses(wishes, standing), standing, choices);
  const changes: Change[] = [...tree.changes, ...values.sort((a, b) => (a.name < b.name ? -1 : 1))];
  const { conflicts, stays, kept } = tree;
  if (conflicts.length > 0) return { outcome: "conflict", conflicts, rest: changes, stays };
  if (changes.length > 0) return { outcome: "ready", changes, merged: [], stays, kept };
  const why = kept.length > 0 ? "everything is kept as it stands" : "everything is already as it was then";
  return { outcome: "nothing", why, stays };
}
