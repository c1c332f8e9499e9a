import type { Parts } from "./parts.ts";
import type { Standing } from "./undo/standing.ts";

/** What stands now, and stood at `earlier`, as a plan asks for it. */
export function standingIn({ state, contents }: Parts, earlier: number): Standing {
  return {
    entries: (keys) => state.entries(keys),
    values: (names) => state.values(names),
    children: (keys) => state.children(keys),
    earlier: (keys) => state.entries(keys, earlier),
    async gone(hashes) {
      const there = await contents.hasMany(hashes);
      return new Set(hashes.filter((_, i) => !there[i]));
    },
  };
}
