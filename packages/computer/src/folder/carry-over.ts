import { chmodSync, lstatSync, mkdirSync, renameSync, type Stats, unlinkSync } from "node:fs";
import { OwnersDoors, TO_LAND } from "./doors.ts";
import { childrenOf, type Failed, type GiveWayOptions, GivingWay, statsAt } from "./give-way.ts";
import { type Doors, handle, inside, itself, type Root, type Walk } from "./root.ts";
import { keptMode } from "./stat.ts";
import { Blocked, placeOf, setMode } from "./steps.ts";

export interface CarryRequest extends GiveWayOptions {
  readonly keys: readonly string[];
  /** Directories that the layer has in place of those in the folder; any other is what was changed in them. */
  readonly replaced: ReadonlySet<string>;
  /** As `unlock` told them. */
  readonly modes: ReadonlyMap<string, number>;
}

export interface Carried {
  /** There was no time for these. */
  readonly left: readonly string[];
  /** In directories that both have: to be carried over one by one. */
  readonly below: readonly string[];
  /** Directories that are the folder's now, with all that is in them. */
  readonly whole: readonly string[];
  /** How many paths were changed; a directory that came or went whole is one. */
  readonly changed: number;
  readonly failed: readonly Failed[];
}

/**
 * Brings what is ignored from a layer into the folder: by rename, so that its size doesn't matter. What stands in its
 * place is first moved aside, where nobody can exchange it for a link while it is removed.
 */
export function carryOver(
  layer: Root,
  { root, doors }: { readonly root: Root; readonly doors: Doors | undefined },
  request: CarryRequest,
  budgetMs: number,
): Carried {
  const end = performance.now() + budgetMs;
  const left = [...request.keys];
  const carry = (from: Walk, to: Walk) => {
    const carrying = new Carrying(from, to, new GivingWay(to, doors, request), request);
    do carrying.next(left.pop());
    while (left.length > 0 && performance.now() < end);
    return { left, ...carrying.result() };
  };
  return layer.walk((from) => root.walk((to) => carry(from, to), doors), layerDoors());
}

/**
 * Lets everybody who looks for what else an overlay says of these directories into them: the layer is ours, and thrown
 * away. Answers with the modes that a command gave them; what is no directory has none.
 */
export function unlock(layer: Root, keys: readonly string[]): Map<string, number> {
  const modes = new Map<string, number>();
  layer.walk((walk) => {
    for (const key of keys) {
      const place = walk.place(key);
      const stats = "miss" in place ? undefined : lstatSync(inside(place.dir, place.name), { throwIfNoEntry: false });
      if ("miss" in place || !stats?.isDirectory()) continue; // carrying it says what is wrong with it
      modes.set(key, stats.mode & 0o7777);
      if ((stats.mode & 0o700) !== 0o700) handle(place, (fd) => chmodSync(itself(fd), (stats.mode & 0o7777) | 0o700));
    }
  }, layerDoors());
  return modes;
}

class Carrying {
  readonly #from: Walk;
  readonly #to: Walk;
  readonly #givingWay: GivingWay;
  readonly #request: CarryRequest;
  readonly #below: string[] = [];
  readonly #whole: string[] = [];
  #carried = 0;

  constructor(from: Walk, to: Walk, givingWay: GivingWay, request: CarryRequest) {
    this.#from = from;
    this.#to = to;
    this.#givingWay = givingWay;
    this.#request = request;
  }

  next(key: string | undefined): void {
    if (key !== undefined) this.#givingWay.each(key, () => this.#carry(key), undefined);
  }

  result(): Omit<Carried, "left"> {
    const { failed, count } = this.#givingWay;
    return { below: this.#below, whole: this.#whole, changed: this.#carried + count, failed };
  }

  #carry(key: string): void {
    const source = placeOf(this.#from, key);
    const layered = lstatSync(inside(source.dir, source.name));
    if (layered.isDirectory()) this.#directory(key, layered);
    else if (isWhiteout(layered)) this.#giveWay(key);
    else if (!statsAt(this.#to, key)?.isDirectory() || this.#giveWay(key)) this.#rename(key);
  }

  #directory(key: string, layered: Stats): void {
    const mode = this.#request.modes.get(key) ?? layered.mode & 0o7777;
    const isNew = this.#request.replaced.has(key);
    const standing = statsAt(this.#to, key);
    const isBeside = standing?.isDirectory() === true && (!isNew || !this.#givingWay.from(key));
    if (standing !== undefined && !standing.isDirectory()) this.#givingWay.moveAside(key, standing);
    if (!isNew && !isBeside) {
      dropWhiteouts(this.#from, key); // what they took away went with the directory itself
      this.#rename(key);
      this.#from.reset();
      this.#setMode(key, mode);
      this.#whole.push(key);
      return;
    }
    if (!isBeside) this.#make(key); // the layer's own bears an overlay's mark
    this.#setMode(key, mode);
    for (const child of childrenOf(this.#from, key)) this.#below.push(child);
  }

  #giveWay(key: string): boolean {
    const { failed } = this.#givingWay;
    const before = failed.length;
    if (this.#givingWay.from(key)) return true;
    if (failed.length > before) return false; // told with its own path
    throw new Blocked("ENOTEMPTY", "what came or changed there since it began stays");
  }

  #make(key: string): void {
    const { dir, name } = placeOf(this.#to, key);
    mkdirSync(inside(dir, name), 0o700);
    this.#carried++;
  }

  #rename(key: string): void {
    const [source, target] = [placeOf(this.#from, key), placeOf(this.#to, key)];
    renameSync(inside(source.dir, source.name), inside(target.dir, target.name));
    this.#carried++;
  }

  #setMode(key: string, mode: number): void {
    const place = placeOf(this.#to, key);
    const { mode: now } = lstatSync(inside(place.dir, place.name));
    if (keptMode(now) === keptMode(mode)) return;
    setMode(place, "dir", mode);
    this.#carried++;
  }
}

/** Nobody needs to know which directories of a layer were left open. */
function layerDoors(): Doors | undefined {
  return process.geteuid?.() === 0 ? undefined : new OwnersDoors({ opening() {}, shut() {} }, TO_LAND, new Map());
}

/** How an overlay notes that something is no more. */
function isWhiteout(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0;
}

function dropWhiteouts(walk: Walk, key: string): void {
  for (const child of childrenOf(walk, key)) {
    const place = walk.place(child);
    if ("miss" in place) continue; // too deep to be named
    const stats = lstatSync(inside(place.dir, place.name));
    if (isWhiteout(stats)) unlinkSync(inside(place.dir, place.name));
    else if (stats.isDirectory()) dropWhiteouts(walk, child);
  }
}
