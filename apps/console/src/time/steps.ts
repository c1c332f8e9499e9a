import { pathKey, recognise } from "@choiros/contract";
import type { Shown } from "../server/shapes.ts";
import type { History } from "./history.ts";

/** Farther than this the server is quicker: it tells the net change alone. */
const FAR = 400;

/**
 * The changes from one moment to another as far as the events at hand tell them; `undefined` where one of them isn't here,
 * or has a list that is too long to be in it.
 */
export function stepsBetween(history: History, from: number, to: number): Shown[] | undefined {
  if (Math.abs(to - from) > FAR) return undefined;
  const onward = to > from;
  const steps: Shown[] = [];
  for (let seq = onward ? from + 1 : from; seq !== (onward ? to + 1 : to); seq += onward ? 1 : -1) {
    const moment = history.at(seq);
    const known = moment === undefined ? undefined : recognise(moment.event);
    if (known?.ok !== true || "list" in known.value.payload) return undefined;
    if (!("changes" in known.value.payload)) continue;
    for (const change of known.value.payload.changes) {
      if (!("path" in change)) continue;
      const { before, after, path } = change;
      steps.push({
        change: { key: pathKey(path), ...(onward ? { before, after } : { before: after, after: before }) },
      });
    }
  }
  return steps;
}
