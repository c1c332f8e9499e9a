import type { Kept, KeptChange } from "./change.ts";
import { pathKey } from "./path-key.ts";
import type { Target } from "./payloads.ts";
import type { Cause } from "./source.ts";

/** One undo, as the table of undos has it. */
export type UndoValue = {
  readonly cause: Cause | null;
  /** What it didn't take back; where that is too much for an event, how much it is. */
  readonly kept?: readonly KeptChange[] | number;
  readonly seq: number;
  readonly target: Target;
};

/** What may be taken back: one event, or all of one cause, with the first and the last event by which it changed something. */
export interface Doing {
  readonly seq?: number | undefined;
  readonly cause?: Cause | null | undefined;
  readonly first: number;
  readonly last: number;
  /** Where it changed something: keys of paths, and names. `undefined` where not all of them are known. */
  readonly places?: ReadonlySet<string> | undefined;
}

/** That something is taken back, all of it or most. */
export interface Taken {
  /** The undo by which it is; undoing that one brings it again. */
  readonly by: UndoValue;
  /** Where it was kept, and stands; folders, which may come and go with files, apart. */
  readonly but: readonly string[];
  readonly folders: readonly string[];
  /** How many more places were kept, where it isn't known which. */
  readonly others: number;
}

/**
 * How it is taken back now. `undos` are all of them, the oldest first. What is undone step by step, undone whole, and done
 * again is as it was before it was undone whole. What was kept isn't taken back, until it is by another undo.
 */
export function takenBackBy(undos: readonly UndoValue[], doing: Doing): Taken | undefined {
  const rest = follow(undos, doing);
  const kept = [...placesKept(undos, doing, rest)].map(([place, isDir]) => {
    const bys = doingsAt(undos, doing, place).map((one) => byNow(follow(undos, one, place)));
    return { place, isDir, stands: bys.includes(undefined), bys };
  });
  const { places } = doing;
  const isRest = places === undefined || !places.size || kept.length < places.size;
  const gone = kept.filter(({ stands }) => !stands).flatMap(({ bys }) => bys.flatMap((by) => by ?? []));
  const by = isRest ? byNow(rest) : gone.toSorted((one, two) => one.seq - two.seq).at(-1);
  if (by === undefined) return undefined;
  const standing = kept.filter(({ stands }) => stands);
  const { true: folders = [], false: but = [] } = Object.groupBy(standing, ({ isDir }) => `${isDir}`);
  const [butPlaces, folderPlaces] = [but, folders].map((some) => some.map(({ place }) => place));
  return { by, but: butPlaces ?? [], folders: folderPlaces ?? [], others: rest.others };
}

/** What an undo, or the undo of an undo, was about in the first place. */
export function undoneFirst(undos: readonly UndoValue[], undo: UndoValue): Target {
  const former = undos.find((other) => other.seq < undo.seq && isAimedAt(undo.target, other));
  return former === undefined ? undo.target : undoneFirst(undos, former);
}

/** At the event itself, or at what it belongs to; going back is aimed at no one. */
export function isAimedAt(target: Target, { cause, seq }: Pick<Doing, "cause" | "seq">): boolean {
  if ("seq" in target) return target.seq === seq;
  if ("call" in target) return target.call === cause?.call;
  if ("task" in target) return target.task === cause?.task;
  return "ask" in target && target.ask === cause?.ask;
}

/** Whether an undo kept all that an event changed. A folder that stays for what is in it is nothing left to undo. */
export function keptAllOf(
  kept: Kept | undefined,
  { payload, seq }: { readonly payload: object; readonly seq: number },
): boolean {
  if (!Array.isArray(kept) || !("changes" in payload) || !Array.isArray(payload.changes)) return false;
  const own = kept.filter((one) => one.seq === seq);
  return own.length >= payload.changes.length && own.some(({ dir }) => dir !== true);
}

/** Where a change that was kept is: the key of its path, or its name. */
function placeOfKept(kept: KeptChange): string {
  return "path" in kept ? pathKey(kept.path) : kept.key;
}

/** An undo by which something went, or came again. */
interface Turn {
  readonly undo: UndoValue;
  readonly isTaken: boolean;
}

interface Followed {
  readonly turns: readonly Turn[];
  readonly others: number;
}

/** What became of it by one undo after the other; at one place, or but for what was kept. */
function follow(undos: readonly UndoValue[], doing: Doing, place?: string): Followed {
  const turns: Turn[] = [];
  let others = 0;
  for (const undo of undos) {
    if (undo.seq <= doing.last || (place !== undefined && keeps(undo, doing, turns, place))) continue;
    if (typeof undo.kept === "number" && isPartOf(doing, undo.target)) continue; // it may have been kept
    const was = turns.at(-1)?.isTaken ?? false;
    const isTaken = isTakenAfter(undo.target, { doing, turns, was });
    if (isAimedAt(undo.target, doing)) others = typeof undo.kept === "number" ? undo.kept : 0;
    if (isTaken !== was) turns.push({ undo, isTaken });
  }
  return { turns, others };
}

function byNow({ turns }: Followed): UndoValue | undefined {
  const last = turns.at(-1);
  return last?.isTaken === true ? last.undo : undefined;
}

function isTakenAfter(
  target: Target,
  { doing, turns, was }: { doing: Doing; turns: readonly Turn[]; was: boolean },
): boolean {
  if ("since" in target)
    return target.since < doing.first || (turns.findLast(({ undo }) => undo.seq <= target.since)?.isTaken ?? false);
  if (isAimedAt(target, doing)) return true;
  let isTaken = was;
  for (const turn of turns.toReversed())
    if (turn.isTaken === isTaken && isAimedAt(target, turn.undo)) isTaken = !isTaken; // as it was before
  return isTaken;
}

/** Whether an undo left it there: it, or what an earlier undo had made of it. */
function keeps(undo: UndoValue, doing: Doing, turns: readonly Turn[], place: string): boolean {
  return changesKept(undo).some(
    (one) => placeOfKept(one) === place && (isOf(one, doing) || turns.some((turn) => turn.undo.seq === one.seq)),
  );
}

/** The places where any of it may have been kept, and whether those are folders. */
function placesKept(undos: readonly UndoValue[], doing: Doing, { turns }: Followed): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const one of undos.flatMap(changesKept)) {
    const place = placeOfKept(one);
    const isIts = doing.places?.has(place) ?? (isOf(one, doing) || turns.some(({ undo }) => undo.seq === one.seq));
    if (isIts) found.set(place, one.dir === true);
  }
  return found;
}

/** What of it changed a place, as whoever kept that knew: each may have been undone by itself since. */
function doingsAt(undos: readonly UndoValue[], doing: Doing, place: string): readonly Doing[] {
  if (doing.seq !== undefined) return [doing];
  const whole = undos.filter(({ target }) => "since" in target || isAimedAt(target, doing));
  const own = whole.flatMap(changesKept).filter((one) => isOf(one, doing) && placeOfKept(one) === place);
  return own.length === 0 ? [doing] : own.map(({ cause, seq }) => ({ cause, seq, first: seq, last: seq }));
}

function changesKept({ kept }: UndoValue): readonly KeptChange[] {
  return typeof kept === "object" ? kept : [];
}

function isOf({ cause, seq }: KeptChange, doing: Doing): boolean {
  if (doing.seq !== undefined) return seq === doing.seq;
  const { ask, task, call } = doing.cause ?? {};
  if (call !== undefined) return call === cause?.call;
  return task !== undefined ? task === cause?.task : ask !== undefined && ask === cause?.ask;
}

/** Whether a target is more than this. */
function isPartOf(doing: Doing, target: Target): boolean {
  if (!isAimedAt(target, doing)) return false;
  const { task, call } = doing.cause ?? {};
  if ("seq" in target) return false;
  if (doing.seq !== undefined) return true;
  return "task" in target ? call !== undefined : "ask" in target && (task ?? call) !== undefined;
}
