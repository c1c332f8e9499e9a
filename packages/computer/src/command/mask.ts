import { lstat } from "node:fs/promises";
import { isBelow, keyBytes } from "@choiros/contract/path-key";
import { AREAS } from "../folder/names.ts";
import { shownPath } from "../shown-path.ts";
import { slices } from "../state/state-rows.ts";
import { Turns } from "../turns.ts";
import { type Found, findHidden, type Hidden, type Hides, isLookedAt, type Place, type Sight } from "./hidden-files.ts";

/** More of them would keep the sandbox busy for seconds before each command. */
const MAX_HIDDEN = 500;

export interface MaskOptions {
  /** The computer's folder. */
  readonly root: string;
  readonly hides: Hides;
  /** Whether what is covered stays so when something else comes in its place: on an overlay it does, by its path. */
  readonly lasts: boolean;
}

/** What is hidden from one command, and what would have to be and isn't, for it came after the command began. */
export class Mask implements Hidden {
  readonly files: readonly string[];
  readonly dirs: readonly string[];
  readonly #options: MaskOptions;
  readonly #turns = new Turns();
  #looked: ReadonlyMap<string, Sight>;
  /** What was found uncovered: it has been seen, whatever became of it. */
  #shown: string | undefined;
  readonly #covered: ReadonlyMap<string, number>;

  private constructor(
    options: MaskOptions,
    looked: ReadonlyMap<string, Sight>,
    found: readonly (Found & { ino: number })[],
  ) {
    this.#options = options;
    this.#looked = looked;
    this.#covered = new Map(found.map(({ key, ino }) => [key, ino]));
    this.files = found.filter(({ kind }) => kind === "file").map(({ key }) => key);
    this.dirs = found.filter(({ kind }) => kind === "dir").map(({ key }) => key);
  }

  /** Over the folder as it is. Where something can't be hidden that is told, for then nothing may run. */
  static async over(options: MaskOptions): Promise<Mask | { readonly why: string }> {
    const looked = new Map<string, Sight>();
    const found = await findHidden(
      AREAS.map((key) => placeIn(options.root, key)),
      options.hides,
      looked,
    );
    const odd = found.find(({ key }) => key.includes("//"));
    if (odd !== undefined)
      return { why: `${shownPath(odd.key)} would have to be hidden from it, and its name isn't text: rename it` };
    if (found.length > MAX_HIDDEN)
      return {
        why: `${found.length} files would have to be hidden from it (${shownPath(found[0]?.key ?? "")} and others): at most ${MAX_HIDDEN} can be`,
      };
    return new Mask(options, looked, await Promise.all(found.map(withInode)));
  }

  /** Whether what is about to come there would be seen, and isn't to be. */
  wouldShow(key: string, kind: "file" | "dir"): boolean {
    if (this.dirs.some((dir) => isBelow(key, dir)) || !isLookedAt(key)) return false;
    return !(this.#options.lasts && this.#covered.has(key)) && this.#options.hides(key, kind);
  }

  /** The first of what is at these places and below that isn't to be seen there, and would be. */
  async uncoveredAt(places: readonly Place[]): Promise<string | undefined> {
    const tops = places.filter(({ key }) => isLookedAt(key) && !this.dirs.some((dir) => isBelow(key, dir)));
    return this.#firstOf(await findHidden(tops, this.#options.hides, new Map()));
  }

  /** The same everywhere, as the folder is by now: one look at each directory, and one into those that have changed. */
  uncovered(): Promise<string | undefined> {
    return this.#turns.take(async () => {
      const changed: Sight[] = [];
      for (const some of slices([...this.#looked.values()], AT_ONCE)) {
        const now = await Promise.all(some.map(isUnchanged));
        for (const [i, one] of some.entries()) if (now[i] === false) changed.push(one);
      }
      const looked = new Map(this.#looked);
      for (const { key } of changed) looked.delete(key);
      this.#shown ??= await this.#firstOf(await findHidden(changed, this.#options.hides, looked));
      this.#looked = looked;
      return this.#shown;
    });
  }

  async #firstOf(found: readonly Found[]): Promise<string | undefined> {
    for (const one of found) if (!(await this.#isCovered(one))) return one.key;
    return undefined;
  }

  async #isCovered(found: Found): Promise<boolean> {
    const ino = this.#covered.get(found.key);
    return ino !== undefined && (this.#options.lasts || ino === (await withInode(found)).ino);
  }
}

export function placeIn(root: string, key: string): Place {
  return { key, path: Buffer.concat([Buffer.from(`${root}/`), keyBytes(key)]) };
}

async function withInode(found: Found): Promise<Found & { ino: number }> {
  const stats = await lstat(found.path).catch(() => undefined); // gone again: whatever comes there is another
  return { ...found, ino: stats?.ino ?? -1 };
}

/**
 * By its ctime, which nobody can set. One that had just changed when it was looked into may have changed once more within the
 * same tick of the system's clock, and is looked into again.
 */
async function isUnchanged({ path, stats, at }: Sight): Promise<boolean> {
  const now = await lstat(path).catch(() => undefined);
  return now?.ino === stats.ino && now.ctimeMs === stats.ctimeMs && stats.ctimeMs < at - TICK_MS;
}

const TICK_MS = 100;
const AT_ONCE = 256;
