import { type ContentRef, type Entry, isBelow, pathFromKey } from "@choiros/contract";
import { type Act, commit } from "../commit.ts";
import { type ActOptions, attentive, type Deed } from "../computer-port.ts";
import type { Outcome, Refused } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { shownPath } from "../shown-path.ts";
import { Arrangement } from "./arrangement.ts";
import { refused } from "./write-file.ts";

/**
 * Moves, copies, removals and new files and folders, one after the other and all as one event; or none of them. Each finds
 * what the ones before it leave. A copy has the contents of what it was made from, which are stored once.
 */
export async function arrangePaths(parts: Parts, deeds: readonly Deed[], options: ActOptions = {}): Promise<Outcome> {
  const empty = deeds.some((deed) => "file" in deed) ? await parts.contents.put(Buffer.alloc(0)) : NOTHING;
  return parts.turns.take(async () => {
    const keys = deeds.flatMap(keysOf);
    const { notes } = await parts.reconciler.ready(keys, { below: true, onProgress: attentive(options) });
    const arrangement = new Arrangement(parts.state);
    await arrangement.look(keys);
    const [first] = deeds;
    const entry = first === undefined ? null : await arrangement.at(keysOf(first)[0] ?? "");
    for (const deed of deeds) {
      options.signal?.throwIfAborted();
      const fault = await perform(arrangement, deed, empty);
      if (fault !== undefined) return fault;
    }
    const changes = arrangement.changes();
    if (changes.length === 0) return refused("all of that is so already: nothing was changed", "nothing");
    const alone = deeds.length === 1 ? first : undefined;
    const act = alone !== undefined ? actOf(alone, entry) : deeds.every((deed) => "remove" in deed) ? GONE : SEVERAL;
    return commit(parts, act, changes, { ...options, notes, moved: await wholeMoves(deeds, arrangement) });
  });
}

/** The paths that one is about. */
export function keysOf(deed: Deed): readonly string[] {
  if ("move" in deed) return [deed.move.from, deed.move.to];
  if ("copy" in deed) return [deed.copy.from, deed.copy.to];
  if ("remove" in deed) return [deed.remove.key];
  return ["folder" in deed ? deed.folder.key : deed.file.key];
}

const NOTHING: ContentRef = { hash: "", size: 0 };
const SEVERAL: Act = { type: "files.changed", extra: { by: "desk" } };
const GONE: Act = { type: "file.delete", extra: {} };

async function perform(arrangement: Arrangement, deed: Deed, empty: ContentRef): Promise<Refused | undefined> {
  if ("folder" in deed) return make(arrangement, deed.folder.key, { kind: "dir", mode: 0o755 });
  if ("file" in deed) return make(arrangement, deed.file.key, { ...empty, kind: "file", mode: 0o644 });
  if ("remove" in deed) {
    const { key } = deed.remove;
    if ((await arrangement.at(key)) === null) return missing(key);
    for (const [inside] of await arrangement.within(key)) arrangement.set(inside, null);
    return undefined;
  }
  const moves = "move" in deed;
  const { from, to } = moves ? deed.move : deed.copy;
  if ((await arrangement.at(from)) === null) return missing(from);
  if (isBelow(to, from)) return refused(`${shownPath(from)} can't be ${moves ? "moved" : "copied"} into itself`);
  const found = await arrangement.within(from);
  const fault = await make(arrangement, to, found[0]?.[1] ?? { kind: "dir", mode: 0o755 });
  if (fault !== undefined) return fault;
  for (const [key, entry] of found) {
    if (moves) arrangement.set(key, null);
    arrangement.set(`${to}${key.slice(from.length)}`, entry);
  }
  return undefined;
}

async function make(arrangement: Arrangement, key: string, entry: Entry): Promise<Refused | undefined> {
  if ((await arrangement.at(key)) !== null)
    return refused(`${shownPath(key)} is there already: move it away first, or choose another name`);
  const fault = await arrangement.put(key, entry);
  return fault === undefined ? undefined : refused(fault);
}

function missing(key: string): Refused {
  return refused(`there is nothing at ${shownPath(key)}: it was moved or deleted meanwhile, or never there`, "missing");
}

/** How one deed alone is told. */
function actOf(deed: Deed, entry: Entry | null): Act {
  const extra = {};
  if ("move" in deed) {
    const between = { from: pathFromKey(deed.move.from), to: pathFromKey(deed.move.to) };
    return entry?.kind === "dir" ? { type: "dir.move", extra: between } : { type: "file.move", extra: between };
  }
  if ("folder" in deed) return { type: "dir.create", extra };
  if ("file" in deed) return { type: "file.write", extra };
  if ("remove" in deed) return { type: entry?.kind === "dir" ? "dir.delete" : "file.delete", extra };
  return entry?.kind === "dir" ? SEVERAL : { type: "file.write", extra };
}

/** Directories that can be moved on disk as a whole, and take what is ignored along: those that no other deed is about. */
async function wholeMoves(deeds: readonly Deed[], arrangement: Arrangement): Promise<Way[]> {
  const whole: Way[] = [];
  for (const deed of deeds) {
    if (!("move" in deed) || (await arrangement.at(deed.move.to))?.kind !== "dir") continue;
    const { from, to } = deed.move;
    const others = deeds.filter((other) => other !== deed && !isFolderAbove(other, to)).flatMap(keysOf);
    if (!others.some((key) => touch(from, key) || touch(to, key))) whole.push({ from, to });
  }
  return whole;
}

function isFolderAbove(deed: Deed, key: string): boolean {
  return "folder" in deed && isBelow(key, deed.folder.key);
}

interface Way {
  readonly from: string;
  readonly to: string;
}

function touch(a: string, b: string): boolean {
  return a === b || isBelow(a, b) || isBelow(b, a);
}
