import { type Entry, parentKey } from "@choiros/contract";
import { sameEntry } from "../merge/merge-entries.ts";
import type { Choice, Choices, Conflict, TreeChange } from "../outcome.ts";
import type { Clash } from "./fold.ts";
import { slices } from "./slices.ts";
import { ask, type Standing } from "./standing.ts";

/** What should stand at a path, as far as that path alone is concerned. */
export interface Wish {
  readonly key: string;
  readonly now: Entry | null;
  /** What the target left there. */
  readonly left: Entry | null;
  readonly want: Entry | null;
  readonly clash?: Clash<Entry | null>;
  /** Why what is wanted can't be had, whatever anybody picks. */
  readonly lost?: string;
}

export interface Arranged {
  /** In order of their keys. Done all together they leave a tree: whatever stands, stands in a directory. */
  readonly changes: readonly TreeChange[];
  readonly conflicts: readonly Conflict[];
  /** Directories that were to go, but hold something else. */
  readonly stays: readonly string[];
  /** Conflicts that were settled as "mine". */
  readonly kept: readonly string[];
}

/**
 * Makes a tree of wishes. Only paths that are wished for are touched, and folders that aren't there but have to be.
 * A conflict that nobody settled is taken as "mine" for what stands around it.
 */
export async function arrange(wishes: Iterable<Wish>, standing: Standing, choices: Choices): Promise<Arranged> {
  const tree = await look(wishes, standing, choices);
  for (const level of tree.levels) {
    for await (const slice of slices(level)) for (const place of slice) refuseWhatCannotBe(tree, place);
  }
  for (const level of tree.levels.toReversed()) {
    for await (const slice of slices(level)) for (const place of slice) settle(tree, place);
  }
  const { places } = tree;
  await giveModes(places, standing);
  return collect(places);
}

interface Place extends Wish {
  readonly pick: Choice | undefined;
  /** What will stand there. */
  final: Entry | null;
  conflict?: Conflict;
  kept?: boolean;
  stays?: boolean;
  /** A folder that has to be there again for something in it. */
  made?: boolean;
}

interface Tree {
  readonly places: Map<string, Place>;
  /** What stands above the places, where it isn't a place itself. */
  readonly around: ReadonlyMap<string, Entry>;
  /** How many entries a directory holds; while places are settled: will hold. */
  readonly held: Map<string, number>;
  /** Places by their depth. */
  readonly levels: Place[][];
}

const IN_A_FILE = "a file stands where its folder was";
const HOLDS_MORE = "a folder stands there now, with other things in it";

async function look(wishes: Iterable<Wish>, standing: Standing, choices: Choices): Promise<Tree> {
  const places = new Map<string, Place>();
  const levels: Place[][] = [];
  const folders: string[] = [];
  for await (const slice of slices(wishes)) {
    for (const wish of slice) {
      const place = placeOf(wish, choices.each?.get(wish.key) ?? choices.all);
      places.set(place.key, place);
      addToLevel(levels, place);
      if (place.now?.kind === "dir") folders.push(place.key);
    }
  }
  const around = await ask(await foldersAround(places), (keys) => standing.entries(keys));
  return { places, around, held: await ask(folders, (keys) => standing.children(keys)), levels };
}

function placeOf(wish: Wish, pick: Choice | undefined): Place {
  return { ...wish, pick, final: wish.now };
}

async function foldersAround(places: ReadonlyMap<string, Place>): Promise<Set<string>> {
  const seen = new Set<string>();
  for await (const slice of slices(places.keys())) {
    for (const key of slice) {
      for (let above = parentKey(key); above !== undefined && !seen.has(above); above = parentKey(above))
        seen.add(above);
    }
  }
  for (const key of seen) if (places.has(key)) seen.delete(key);
  return seen;
}

function addToLevel(levels: Place[][], place: Place): void {
  let depth = 0;
  for (let above = parentKey(place.key); above !== undefined; above = parentKey(above)) depth++;
  while (levels.length <= depth) levels.push([]);
  levels[depth]?.push(place);
}

/** What the undo is after at a place: in a clash that nobody settled, what it would bring back. */
function goalOf(place: Place): Entry | null {
  if (place.clash === undefined) return place.want;
  return place.pick === "mine" ? place.now : place.clash.back;
}

/** From the top down: what is gone for good, or would have to stand in a file. */
function refuseWhatCannotBe(tree: Tree, place: Place): void {
  const goal = goalOf(place);
  if (goal === null || sameEntry(goal, place.now)) return;
  // What stands is in a directory, and whatever holds something stays one.
  if (place.lost !== undefined) refuse(place, place.lost);
  else if (place.now === null && isInFile(tree, place.key)) refuse(place, IN_A_FILE);
}

function isInFile({ places, around }: Tree, key: string): boolean {
  for (let above = parentKey(key); above !== undefined; above = parentKey(above)) {
    const place = places.get(above);
    const now = place === undefined ? (around.get(above) ?? null) : place.now;
    if (now?.kind === "dir") return false;
    const then = place === undefined || place.conflict !== undefined || place.kept ? now : wanted(place);
    if (then !== null && then.kind !== "dir") return true;
  }
  return false;
}

/** With a clash that nobody settled taken as "mine". */
function wanted(place: Place): Entry | null {
  return place.clash !== undefined && place.pick === undefined ? place.now : goalOf(place);
}

function refuse(place: Place, why: string): void {
  place.final = place.now;
  if (place.pick === "mine") place.kept = true;
  else place.conflict = conflictAt(place, why, ["mine"]);
}

function conflictAt(place: Place, why: string, choices: readonly Choice[]): Conflict {
  const { key, now, clash } = place;
  return { key, left: clash === undefined ? place.left : clash.left, now, back: goalOf(place), why, choices };
}

/** From the bottom up: what will stand at a place, now that it is known what will stand in it. */
function settle(tree: Tree, place: Place): void {
  if (place.conflict === undefined && !place.kept) decide(place, (tree.held.get(place.key) ?? 0) > 0);
  const grown = Number(place.final !== null) - Number(place.now !== null);
  const above = parentKey(place.key);
  if (grown === 0 || above === undefined) return;
  tree.held.set(above, (tree.held.get(above) ?? 0) + grown);
  if (grown > 0 && !tree.places.has(above) && !tree.around.has(above) && parentKey(above) !== undefined) {
    const folder: Place = { key: above, now: null, left: null, want: null, final: null, pick: undefined };
    tree.places.set(above, folder);
    addToLevel(tree.levels, folder);
  }
}

function decide(place: Place, holds: boolean): void {
  const goal = goalOf(place);
  if (holds && place.now?.kind === "dir" && goal?.kind !== "dir") {
    if (goal === null) place.stays = true;
    else refuse(place, HOLDS_MORE);
  } else if (place.clash !== undefined && place.pick === undefined) {
    place.conflict = conflictAt(place, place.clash.why, ["mine", "theirs"]);
  } else {
    place.final = goal;
    place.kept = place.clash !== undefined && place.pick === "mine";
  }
  if (holds && place.final?.kind !== "dir") {
    place.made = true;
    place.final = USUAL_FOLDER;
  }
}

const USUAL_FOLDER: Entry = { kind: "dir", mode: 0o755 };

async function giveModes(places: ReadonlyMap<string, Place>, standing: Standing): Promise<void> {
  const made = [...places.values()].filter((place) => place.made);
  const earlier = await ask(
    made.map((place) => place.key),
    (keys) => standing.earlier(keys),
  );
  for (const place of made) {
    const before = earlier.get(place.key);
    if (before?.kind === "dir") place.final = before;
  }
}

function collect(places: ReadonlyMap<string, Place>): Arranged {
  const all = [...places.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  return {
    changes: all
      .filter((place) => !sameEntry(place.now, place.final))
      .map(({ key, now, final }) => ({ key, before: now, after: final })),
    conflicts: all.flatMap((place) => place.conflict ?? []),
    stays: all.filter((place) => place.stays).map((place) => place.key),
    kept: all.filter((place) => place.kept).map((place) => place.key),
  };
}
