import { canonicalise, type Json } from "@choiros/contract";
import type { Choices, Conflict, ValueChange } from "../outcome.ts";
import { type FoldRules, fold, type Step } from "./fold.ts";
import { ask, type Standing } from "./standing.ts";

interface PlannedValues {
  readonly changes: ValueChange[];
  readonly conflicts: Conflict[];
  readonly kept: string[];
}

const VALUE_RULES: FoldRules<Json> = {
  same: (a, b) => canonicalise(a) === canonicalise(b),
  merge: async (_base, ours) => ({ why: ours === null ? "it was removed since" : "it was changed since" }),
};

/** Windows and settings are taken back like files, but never merged. */
export async function planValues(
  names: ReadonlyMap<string, readonly Step<Json>[]>,
  standing: Standing,
  choices: Choices,
): Promise<PlannedValues> {
  const values = await ask(names.keys(), (keys) => standing.values(keys));
  const planned: PlannedValues = { changes: [], conflicts: [], kept: [] };
  for (const [name, steps] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const now = values.get(name) ?? null;
    const folded = await fold(now, steps, VALUE_RULES);
    const pick = choices.each?.get(name) ?? choices.all;
    if (folded.clash !== undefined && pick === undefined) {
      planned.conflicts.push({ key: name, now, ...folded.clash, choices: ["mine", "theirs"] });
    } else if (folded.clash !== undefined && pick === "mine") {
      planned.kept.push(name);
    } else {
      const after = folded.clash === undefined ? folded.value : folded.clash.back;
      if (!VALUE_RULES.same(now, after)) planned.changes.push({ name, before: now, after });
    }
  }
  return planned;
}
