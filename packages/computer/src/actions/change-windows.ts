import { canonicalise, type WindowValue } from "@choiros/contract";
import { commit } from "../commit.ts";
import type { ActOptions } from "../computer-port.ts";
import type { Outcome } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { refused } from "./write-file.ts";

/** What is done to windows, as the event is named. */
export type WindowAct = "open" | "close" | "change" | "focus";

/**
 * One gesture is one event, which has the windows that become another. Only `open` brings one, only `close` takes one away:
 * whoever moves a window that somebody else closed meanwhile doesn't open it again.
 */
export function changeWindows(
  parts: Parts,
  as: WindowAct,
  windows: ReadonlyMap<string, WindowValue | null>,
  options: ActOptions = {},
): Promise<Outcome> {
  return parts.turns.take(async () => {
    await parts.projector.reached((await parts.log.head()).seq);
    const now = await parts.state.values([...windows.keys()]);
    const changes = [...windows]
      .map(([name, after]) => ({ name, before: now.get(name) ?? null, after }))
      .filter(({ before, after }) => canonicalise(before) !== canonicalise(after));
    if (changes.length === 0) return refused("these windows are so already: nothing was changed", "nothing");
    const came = changes.find(({ before }) => before === null);
    if (came !== undefined && as !== "open") return refused(`${came.name} is not open (any more)`, "missing");
    const gone = changes.find(({ after }) => after === null);
    if (gone !== undefined && as !== "close")
      return refused(`${gone.name} would go: that is to be asked for as 'close'`);
    return commit(parts, { type: `window.${as}`, extra: {} }, changes, options);
  });
}
