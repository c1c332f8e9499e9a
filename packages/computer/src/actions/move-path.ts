import { isBelow, pathFromKey } from "@choiros/contract";
import { commit, withParents } from "../commit.ts";
import { type ActOptions, attentive } from "../computer-port.ts";
import type { Change, Outcome } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { shownPath } from "../shown-path.ts";
import { entriesBelow } from "./remove-path.ts";
import { refused } from "./write-file.ts";

/** A move is exact in both places; that it was one is told by the event's type. */
export function movePath(parts: Parts, from: string, to: string, options: ActOptions = {}): Promise<Outcome> {
  return parts.turns.take(async () => {
    const { notes } = await parts.reconciler.ready([from, to], { below: true, onProgress: attentive(options) });
    const there = await parts.state.entries([from, to]);
    const entry = there.get(from);
    if (entry === undefined)
      return refused(`there is nothing at ${shownPath(from)}: 'choir files' lists what is there`, "missing");
    if (there.has(to)) return refused(`${shownPath(to)} is there already: move it away first, or choose another name`);
    if (isBelow(to, from)) return refused(`${shownPath(from)} can't be moved into itself`);
    const changes: Change[] = [
      { key: from, before: entry, after: null },
      { key: to, before: null, after: entry },
    ];
    if (entry.kind === "dir") {
      for await (const { key, entry: inside } of entriesBelow(parts, from)) {
        changes.push({ key, before: inside, after: null });
        changes.push({ key: `${to}${key.slice(from.length)}`, before: null, after: inside });
      }
    }
    const complete = await withParents(parts, changes);
    if ("why" in complete) return refused(complete.why);
    const extra = { from: pathFromKey(from), to: pathFromKey(to) };
    if (entry.kind !== "dir") return commit(parts, { type: "file.move", extra }, complete, { ...options, notes });
    return commit(parts, { type: "dir.move", extra }, complete, { ...options, notes, moved: { from, to } });
  });
}
