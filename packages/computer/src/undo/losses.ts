import type { Entry } from "@choiros/contract";
import { sameEntry } from "../merge/merge-entries.ts";
import type { Wish } from "./arrange.ts";
import { slices } from "./slices.ts";
import { ask, type Loss, type Standing } from "./standing.ts";

const WHY: Readonly<Record<Loss, string>> = {
  pruned: "its content is gone from history",
  missing: "its content is missing: 'choir doctor' says what can be done",
  damaged: "its content is damaged: 'choir doctor' says what can be done",
};

/**
 * Marks what can't be brought back because its content was pruned, got lost or is damaged: better a conflict than an undo that says it did.
 * `made` tells of contents that don't have to be there, since a merge just made them.
 */
export async function withLosses(
  wishes: readonly Wish[],
  standing: Standing,
  made: (key: string, entry: Entry) => boolean = () => false,
): Promise<readonly Wish[]> {
  const hashOf = ({ key, now, want, clash }: Wish) => {
    const goal = clash === undefined ? want : clash.back;
    if (goal === null || goal.kind === "dir" || sameEntry(goal, now) || made(key, goal)) return undefined;
    return goal.hash;
  };
  const needed = new Set<string>();
  for await (const slice of slices(wishes)) for (const wish of slice) needed.add(hashOf(wish) ?? "");
  needed.delete("");
  const gone = await ask(needed, (hashes) => standing.gone(hashes));
  if (gone.size === 0) return wishes;
  return wishes.map((wish) => {
    const loss = gone.get(hashOf(wish) ?? "");
    return loss === undefined ? wish : { ...wish, lost: WHY[loss] };
  });
}
