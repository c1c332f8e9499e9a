import { commit } from "../commit.ts";
import { attentive, type RemoveOptions } from "../computer-port.ts";
import type { Change, Outcome } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { shownPath } from "../shown-path.ts";
import { refused } from "./write-file.ts";

/** A file, a link, or a directory with everything in it that is kept. What is ignored stays on the disk. */
export function removePath(parts: Parts, key: string, options: RemoveOptions = {}): Promise<Outcome> {
  return parts.turns.take(async () => {
    const { notes } = await parts.reconciler.ready([key], { below: true, onProgress: attentive(options) });
    const entry = (await parts.state.entries([key])).get(key);
    if (entry === undefined) return refused(`there is nothing at ${shownPath(key)}`, "missing");
    if (options.base !== undefined && (entry.kind === "dir" || entry.hash !== options.base))
      return refused(`${shownPath(key)} is not what was read any more: look at it, and remove it then`, "conflict");
    const changes: Change[] = [{ key, before: entry, after: null }];
    if (entry.kind !== "dir") return commit(parts, { type: "file.delete", extra: {} }, changes, { ...options, notes });
    for await (const { key: inside, entry: before } of entriesBelow(parts, key)) {
      changes.push({ key: inside, before, after: null });
    }
    return commit(parts, { type: "dir.delete", extra: {} }, changes, { ...options, notes });
  });
}

/** Everything below a directory, as it stands, in order. */
async function* entriesBelow(parts: Parts, key: string) {
  for await (const page of parts.state.tree({ under: key })) {
    for (const line of page) if (line.key !== key) yield line;
  }
}
