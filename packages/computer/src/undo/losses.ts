import type { Entry } from "@choiros/contract";
import { sameEntry } from "../merge/merge-entries.ts";
import type { Wish } from "./arrange.ts";
import { slices } from "./slices.ts";
import { ask, type Standing } from "./standing.ts";

const PRUNED = "its content is gone from history";

/**
 * Marks what can't be brought back because its content was pruned: better a conflict than an undo that says it did.
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
  const gone = await ask(
    needed,
    async (hashes) => new Map(Array.from(await standing.gone(hashes), (hash) => [hash, true])),
  );
  if (gone.size === 0) return wishes;
  return wishes.map((wish) => (gone.has(hashOf(wish) ?? "") ? { ...wish, lost: PRUNED } : wish));
}
