import type { ContentState } from "@choiros/log";
import type { Parts } from "./parts.ts";
import type { Loss, Standing } from "./undo/standing.ts";

/** What stands now, and stood at `earlier`, as a plan asks for it. */
export function standingIn({ state, contents }: Parts, earlier: number): Standing {
  return {
    entries: (keys) => state.entries(keys),
    values: (names) => state.values(names),
    children: (keys) => state.children(keys),
    earlier: (keys) => state.entries(keys, earlier),
    async gone(hashes) {
      const states = await contents.checkMany(hashes); // read, not asked for: one that is damaged would not land
      const found = hashes.map((hash, i) => [hash, states[i] ?? "missing"] as const);
      return new Map(found.filter(isLoss));
    },
  };
}

function isLoss(found: readonly [hash: string, state: ContentState]): found is [string, Loss] {
  return found[1] !== "present";
}
