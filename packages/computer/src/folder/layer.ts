import { chmodSync, existsSync, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Entry } from "@choiros/contract";
import { IGNORE_KEY, Ignored } from "./ignored.ts";
import { lookAt } from "./look.ts";
import { AREAS, readName } from "./names.ts";
import { handle, inside, itself, type Place, Root, type Walk } from "./root.ts";
import { rulesIn } from "./rules.ts";
import type { Seen } from "./seen.ts";
import { keptMode, kindOf, type Stat } from "./stat.ts";

/** What the upper layer of an overlay has at one path: what a command that ran on it made, changed or removed. */
export type LayerItem = { readonly key: string } & (
  | { readonly is: "entry"; readonly entry: Entry; readonly mtime: number; readonly bytes?: Uint8Array }
  /** Opened for reading, for whoever asked to read and to close. */
  | { readonly is: "large"; readonly stat: Stat; readonly fd: number }
  | { readonly is: "gone" }
  /** To be carried over as it is, without an event. Nothing below it is told. */
  | { readonly is: "ignored" }
  | { readonly is: "unkept"; readonly why: string }
);

export interface LayerSlice {
  readonly items: readonly LayerItem[];
  readonly done: boolean;
}

interface Directory {
  readonly key: string;
  readonly names: readonly string[];
  next: number;
}

/** A walk over an upper layer, slice by slice. A directory comes before what is in it. */
export class Layer {
  readonly root: Root;
  readonly #seen: Seen;
  /** As the folder below has them, and as the layer has them: what either ignores isn't the log's to bring over. */
  readonly #rules: readonly Ignored[];
  readonly #stack: Directory[] = [];
  readonly #areas: string[] = [...AREAS].reverse();

  /** `ignored` are the rules of the folder below, which the layer may have changed. */
  constructor(upper: string, seen: Seen, ignored: Ignored) {
    // A command may have shut the area itself, whose mode is nobody's to keep.
    for (const area of AREAS) if (existsSync(join(upper, area))) chmodSync(join(upper, area), 0o700);
    this.root = new Root(upper);
    this.#seen = seen;
    this.#rules = this.#withOwn(ignored);
  }

  next(budgetMs: number): LayerSlice {
    const end = performance.now() + budgetMs;
    const items: LayerItem[] = [];
    let weight = 0;
    this.root.walk((walk) => {
      while (items.length < MAX_ITEMS && weight < MAX_BYTES && performance.now() < end) {
        const key = this.#nextKey(walk);
        if (key === undefined) break;
        const item = this.#item(walk, key);
        if (item === undefined) continue;
        items.push(item);
        weight += item.is === "large" ? MAX_BYTES / MAX_OPEN : item.is === "entry" ? (item.bytes?.length ?? 0) : 0;
      }
    });
    return { items, done: this.#stack.length === 0 && this.#areas.length === 0 };
  }

  close(): void {
    this.root.close();
  }

  #nextKey(walk: Walk): string | undefined {
    for (;;) {
      const top = this.#stack.at(-1);
      if (top === undefined) {
        const area = this.#areas.pop();
        if (area === undefined) return undefined;
        this.#enter(walk, area);
        continue;
      }
      const latin1 = top.names[top.next++];
      if (latin1 !== undefined) return `${top.key}/${readName(latin1).part}`;
      this.#stack.pop();
    }
  }

  /** What is in the way of it, where it can't be entered. */
  #enter(walk: Walk, key: string): string | undefined {
    const dir = walk.directory(key);
    if (typeof dir !== "number") return dir.why;
    this.#stack.push({ key, names: readdirSync(itself(dir), { encoding: "latin1" }), next: 0 });
    return undefined;
  }

  #item(walk: Walk, key: string): LayerItem | undefined {
    const place = walk.place(key);
    if ("miss" in place) return { key, is: "unkept", why: `can't be kept: ${place.why}` };
    const stats = lstatSync(inside(place.dir, place.name));
    const isDirectory = stats.isDirectory();
    const gone = stats.isCharacterDevice() && stats.rdev === 0; // how an overlay notes that something is no more
    const ignored = this.#rules.some((rules) => rules.has(key, isDirectory) || (gone && rules.has(key, true)));
    if (ignored && this.#seen.get(key) === undefined) return { key, is: "ignored" };
    if (gone) return { key, is: "gone" };
    this.#unlock(place, stats);
    const found = lookAt(walk, key, undefined, true);
    const { mode } = stats; // as the command left it
    if (found.is === "large") return { key, ...found, stat: { ...found.stat, mode } };
    if (found.is === "odd") return { key, is: "unkept", why: `is ${found.what}, which can't be kept` };
    if (found.is !== "entry")
      return { key, is: "unkept", why: `can't be kept: ${"why" in found ? found.why : found.is}` };
    const wrong = kindOf(found.stat.mode) === "dir" ? this.#enter(walk, key) : undefined;
    if (wrong !== undefined) return { key, is: "unkept", why: `can't be kept: ${wrong}` };
    const { bytes } = found;
    const item = { key, is: "entry", entry: { ...found.entry, mode: keptMode(mode) }, mtime: stats.mtimeMs } as const;
    return bytes === undefined ? item : { ...item, bytes };
  }

  /** It is ours, and thrown away: what a command left without rights can be read all the same. */
  #unlock(place: Place, stats: Stats): void {
    const needed = stats.isDirectory() ? 0o700 : stats.isFile() ? 0o400 : 0;
    if ((stats.mode & needed) === needed) return;
    handle(place, (fd) => chmodSync(itself(fd), stats.mode | needed));
  }

  #withOwn(below: Ignored): Ignored[] {
    const found = this.root.walk((walk) => lookAt(walk, IGNORE_KEY, undefined, true));
    if (found.is === "nothing") return [below];
    const text = rulesIn(found);
    return text === below.text ? [below] : [below, new Ignored(text)];
  }
}

const MAX_ITEMS = 1_000;
const MAX_BYTES = 4_194_304;
const MAX_OPEN = 16;
