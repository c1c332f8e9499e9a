import { canonicalise, type Json } from "@choiros/contract";
import { commit } from "../commit.ts";
import type { ActOptions } from "../computer-port.ts";
import type { Outcome } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { refused } from "./write-file.ts";

/** Only what becomes another value is in the event. */
export function changeSettings(
  parts: Parts,
  values: ReadonlyMap<string, Json>,
  options: ActOptions = {},
): Promise<Outcome> {
  return parts.turns.take(async () => {
    await parts.projector.reached((await parts.log.head()).seq);
    const now = await parts.state.values([...values.keys()]);
    const changes = [...values]
      .map(([name, after]) => ({ name, before: now.get(name) ?? null, after }))
      .filter(({ before, after }) => canonicalise(before) !== canonicalise(after));
    if (changes.length === 0) return refused("these settings are so already: nothing was changed", "nothing");
    return commit(parts, { type: "settings.change", extra: {} }, changes, options);
  });
}
