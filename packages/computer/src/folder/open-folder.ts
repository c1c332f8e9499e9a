import { createHash } from "node:crypto";
import { constants, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "@choiros/contract";
import { sameEntry } from "../merge/merge-entries.ts";
import { type Cleared, type ClearRequest, clearAway } from "./clear-away.ts";
import { isAsLeft, type Left, OwnersDoors, shutLeftOpen, TO_LAND, TO_LOOK } from "./doors.ts";
import { errorCode } from "./folder-error.ts";
import { IGNORE_KEY, Ignored } from "./ignored.ts";
import { Lander } from "./landing.ts";
import { Layer } from "./layer.ts";
import { type Found, matches } from "./look.ts";
import { Looks } from "./looks.ts";
import { readName } from "./names.ts";
import { type Doors, inside, itself, Root, type Walk } from "./root.ts";
import { rulesIn } from "./rules.ts";
import { Scan, type Scanned } from "./scan.ts";
import { type Noted, Seen, type SeenRow } from "./seen.ts";
import { entryOf, isSettled, type Stat, standing } from "./stat.ts";

/** What was found, with what was seen there last. */
export type FoundHere = Found & { readonly was: Entry | undefined };

/** A computer's folder on the thread that may wait for the disk. Each call is one slice. */
export class OpenFolder {
  readonly root: Root;
  readonly seen: Seen;
  readonly lander: Lander;
  /** For whatever changes something. Root needs none: no mode holds it up. */
  readonly doors: Doors | undefined;
  readonly #doorsToLook: Doors | undefined;
  readonly #left: Left = new Map();
  #ignored = new Ignored("");
  /** What `#ignored` was read from. */
  #ruled: SeenRow | undefined;
  readonly #scans = new Map<number, Scan>();
  #nextScan = 1;
  readonly #layers = new Map<number, Layer>();
  #nextLayer = 1;

  constructor(path: string) {
    this.root = new Root(path);
    try {
      this.seen = new Seen(join(path, ".choir", "seen.sqlite"));
    } catch (error) {
      this.root.close();
      throw error;
    }
    this.lander = new Lander(this.seen);
    const isRoot = process.geteuid?.() === 0;
    this.doors = isRoot ? undefined : new OwnersDoors(this.seen, TO_LAND, this.#left);
    this.#doorsToLook = isRoot ? undefined : new OwnersDoors(this.seen, TO_LOOK, this.#left);
    shutLeftOpen(this.root, this.seen);
  }

  /** As many of the keys, from the first on, as fit into a slice; each found thing with what was seen there last. */
  look(keys: readonly string[], bytes: boolean, fresh = false): FoundHere[] {
    const end = performance.now() + SLICE_MS;
    const rows: (SeenRow | undefined)[] = [];
    const found = this.#looks(bytes, (looks, walk) => {
      for (const key of keys) {
        const row = this.seen.get(key);
        rows.push(row);
        looks.at(walk, key, fresh ? undefined : row);
        if (looks.isFull || performance.now() > end) break;
      }
    });
    const here = found.map((one, i) => ({ ...one, was: wasAt(rows[i]) }));
    // Also what was read though it was known, as a locked file has other times since.
    const refreshed = here.flatMap((one, i): Noted[] => {
      if (one.is !== "entry" || !sameEntry(one.entry, one.was) || matches(rows[i], one.stat)) return [];
      return [{ key: keys[i] ?? "", seen: { hash: rows[i]?.hash ?? null, stat: one.stat } }];
    });
    if (refreshed.length > 0) this.seen.note(refreshed);
    return here;
  }

  beginScan(under: readonly string[] | undefined): number {
    const inUse = (name: string) => this.lander.inUse(name);
    this.#scans.set(this.#nextScan, new Scan(this.seen, this.#rules(), { under, inUse }));
    return this.#nextScan++;
  }

  scan(id: number): Scanned {
    const scan = this.#scans.get(id);
    if (scan === undefined) throw new Error("this scan is over");
    const slice = this.#looking((walk) => scan.next(walk, SLICE_MS));
    if (slice.done) this.#scans.delete(id);
    return slice;
  }

  endScan(id: number): void {
    this.#scans.delete(id);
  }

  openLayer(upper: string): number {
    this.#layers.set(this.#nextLayer, new Layer(upper, this.seen, this.#rules()));
    return this.#nextLayer++;
  }

  layer(id: number): Layer {
    const layer = this.#layers.get(id);
    if (layer === undefined) throw new Error("this layer is not open");
    return layer;
  }

  closeLayer(id: number): void {
    this.#layers.get(id)?.close();
    this.#layers.delete(id);
  }

  clearAway(request: ClearRequest): Cleared {
    const rules = this.#rules();
    const isTracked = (key: string) => this.seen.get(key) !== undefined;
    const isIgnored = (key: string, isDirectory: boolean) => rules.has(key, isDirectory);
    return clearAway(this, request, { isTracked, isIgnored });
  }

  /** The directories, opened for whoever asked, who also closes them; `undefined` where there is none, or it is ignored. */
  openDirectories(keys: readonly string[]): (number | undefined)[] {
    const rules = this.#rules();
    return this.#looking((walk) =>
      keys.map((key) => {
        const fd = walk.directory(key);
        if (typeof fd !== "number" || this.#isIgnored(key, rules)) return undefined;
        return openSync(itself(fd), constants.O_RDONLY | constants.O_DIRECTORY);
      }),
    );
  }

  /** The directories in these that aren't ignored, or are tracked all the same. */
  directoriesIn(keys: readonly string[]): string[] {
    const rules = this.#rules();
    return this.#looking((walk) => keys.flatMap((key) => this.#directoriesIn(walk, key, rules)));
  }

  /** Of what a watcher was told of, all but the directories that nobody touched but we, to look into them. */
  touched(keys: readonly string[]): readonly string[] {
    if (this.#left.size === 0) return keys;
    return this.#looking((walk) => keys.filter((key) => !this.#isAsLeft(walk, key)));
  }

  close(): void {
    for (const id of [...this.#layers.keys()]) this.closeLayer(id);
    this.seen.close();
    this.root.close();
  }

  #isIgnored(directory: string, rules: Ignored): boolean {
    return directory.includes("/") && rules.has(directory, true) && this.seen.get(directory) === undefined;
  }

  #directoriesIn(walk: Walk, key: string, rules: Ignored): string[] {
    const fd = walk.directory(key);
    if (typeof fd !== "number") return [];
    try {
      return readdirSync(itself(fd), { encoding: "latin1", withFileTypes: true })
        .filter((child) => child.isDirectory())
        .map((child) => `${key}/${readName(child.name).part}`)
        .filter((child) => !this.#isIgnored(child, rules));
    } catch (error) {
      if (errorCode(error) === "EACCES") return []; // a scan says so
      throw error;
    }
  }

  #isAsLeft(walk: Walk, key: string): boolean {
    const place = walk.place(key);
    const stats = "miss" in place ? undefined : standing(inside(place.dir, place.name));
    return typeof stats === "object" && isAsLeft(this.#left, stats);
  }

  #looking<Result>(work: (walk: Walk) => Result): Result {
    return this.root.walk(work, this.#doorsToLook);
  }

  #looks(bytes: boolean, work: (looks: Looks, walk: Walk) => void): Found[] {
    const looks = new Looks(bytes);
    try {
      this.#looking((walk) => work(looks, walk));
      return looks.found();
    } finally {
      looks.close();
    }
  }

  /**
   * Looked at anew for each scan: it is a file like any other. To read it where it is locked gives it other times, which
   * whoever looks at it next has to know, and the other way round: else each of the two would send the other to it.
   */
  #rules(): Ignored {
    const row = this.seen.get(IGNORE_KEY);
    const known = row?.hash === this.#ruled?.hash ? row : this.#ruled;
    const [found = NOTHING] = this.#looks(true, (looks, walk) => looks.at(walk, IGNORE_KEY, known));
    if (found.is === "entry" && found.same) return this.#ignored;
    const text = rulesIn(found);
    const ruled = "stat" in found ? ruledBy(found.stat, text) : undefined;
    const isSeen = row !== undefined && row.hash === ruled?.hash && row.stat.mode === ruled.stat.mode;
    if (isSeen) this.seen.note([{ key: IGNORE_KEY, seen: ruled }]);
    this.#ruled = ruled;
    if (text !== this.#ignored.text) this.#ignored = new Ignored(text);
    return this.#ignored;
  }
}

export const SLICE_MS = 25;
const NOTHING: Found = { is: "nothing" };

function wasAt(row: SeenRow | undefined): Entry | undefined {
  return row && entryOf(row.stat, row.hash);
}

function ruledBy(stat: Stat, text: string): SeenRow {
  return { stat, sure: isSettled(stat), hash: createHash("sha256").update(text).digest("hex") };
}
