import { commit, withParents } from "../commit.ts";
import { type ActOptions, attentive } from "../computer-port.ts";
import type { Outcome } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { shownPath } from "../shown-path.ts";
import { planRewind } from "../undo/rewind.ts";
import { standingIn } from "../undo-standing.ts";
import { refused } from "./write-file.ts";

/** Brings a path back to what it was at a moment, with everything below it, and nothing else. */
export function restorePath(parts: Parts, key: string, at: number, options: ActOptions = {}): Promise<Outcome> {
  return parts.turns.take(async () => {
    const { notes } = await parts.reconciler.ready([key], { below: true, onProgress: attentive(options) });
    const { state } = parts;
    const head = state.appliedSeq;
    if (at > head) return refused(`there is no event ${at} yet: the last one is ${head}`, "missing");
    const entry = (await state.entries([key], at)).get(key);
    if (entry === undefined)
      return refused(
        `there was nothing at ${shownPath(key)} after event ${at}: 'choir history' shows when there was`,
        "missing",
      );
    const diff = state.diff(head, at, { under: key });
    const plan = await planRewind({ diff, standing: standingIn(parts, at) });
    if (plan.outcome === "nothing")
      return refused(`${shownPath(key)} already is as it was after event ${at}`, "nothing");
    if (plan.outcome === "conflict") {
      const [first] = plan.conflicts;
      return refused(
        first === undefined
          ? `${shownPath(key)} can't be brought back`
          : `${shownPath(first.key)}: ${first.why}; nothing was touched`,
      );
    }
    const complete = await withParents(parts, plan.changes);
    if ("why" in complete) return refused(complete.why);
    const single = plan.changes.length === 1 && entry.kind !== "dir";
    if (single) return commit(parts, { type: "file.write", extra: {} }, complete, { ...options, notes });
    return commit(parts, { type: "files.changed", extra: { by: "command" } }, complete, { ...options, notes });
  });
}
