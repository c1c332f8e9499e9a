import { freeName, parentKey } from "@choiros/contract";
import type { FileDeed } from "../../desk/api.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { isWithin, keyIn, outermost, partOf, shownName } from "./keys.ts";
import { copyKey } from "./naming.ts";

export type Verb = "move" | "copy";
export type Placed =
  | { readonly deeds: readonly FileDeed[]; readonly keys: readonly string[] }
  | { readonly why: string };

/**
 * How these get into a folder, each under a name that is free there; `there` is what stands in it. What is moved to where
 * it is already stays; a copy to there gets a name that says so.
 */
export function placing(verb: Verb, from: Iterable<string>, folder: string, there: readonly FileLine[]): Placed {
  const taken = new Set(there.map(({ key }) => key));
  const kinds = new Map(there.map(({ key, entry }) => [key, entry.kind]));
  const deeds: FileDeed[] = [];
  const keys: string[] = [];
  for (const key of outermost(from)) {
    if (isWithin(folder, key)) return { why: `“${shownName(key)}” can't be put into itself.` };
    const stays = parentKey(key) === folder;
    if (stays && verb === "move") continue;
    const to = stays ? copyKey(key, kinds.get(key) ?? "file", taken) : freeName(keyIn(folder, partOf(key)), taken);
    taken.add(to);
    keys.push(to);
    deeds.push(verb === "move" ? { move: { from: key, to } } : { copy: { from: key, to } });
  }
  return { deeds, keys };
}

/** What a folder shows as soon as somebody wants something done in it, before the server has answered. */
export function asIfDone(lines: readonly FileLine[], folder: string, deeds: readonly FileDeed[]): readonly FileLine[] {
  const now = new Map(lines.map((line) => [line.key, line]));
  for (const deed of deeds) {
    if ("remove" in deed) now.delete(deed.remove.key);
    else if ("move" in deed) {
      const { from, to } = deed.move;
      const line = now.get(from);
      now.delete(from);
      if (line !== undefined && parentKey(to) === folder) now.set(to, { ...line, key: to });
    } else if ("folder" in deed && parentKey(deed.folder.key) === folder)
      now.set(deed.folder.key, { key: deed.folder.key, entry: { kind: "dir", mode: 0o755 }, seq: NEWEST });
    else if ("file" in deed && parentKey(deed.file.key) === folder)
      now.set(deed.file.key, { key: deed.file.key, entry: EMPTY, seq: NEWEST });
    else if ("copy" in deed && parentKey(deed.copy.to) === folder) {
      const line = now.get(deed.copy.from);
      if (line !== undefined) now.set(deed.copy.to, { ...line, key: deed.copy.to, seq: NEWEST });
    }
  }
  return [...now.values()];
}

/** It has no number yet, and none is larger. */
const NEWEST = Number.MAX_SAFE_INTEGER;
/** The hash of nothing. */
const EMPTY_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const EMPTY = { kind: "file", hash: EMPTY_HASH, mode: 0o644, size: 0 } as const;
