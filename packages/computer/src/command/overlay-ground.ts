import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@choiros/log";
import { commit, withParents } from "../commit.ts";
import type { Blocked, TreeChange } from "../outcome.ts";
import { slices } from "../state/state-rows.ts";
import { beyondBounds, beyondLimit, NOTHING_KEPT, outsideOf } from "./bounds.ts";
import { carryIgnored, type LayerPlace } from "./carry-ignored.ts";
import type { MayChange } from "./command.ts";
import type { Caller, CommandParts, Ground, Kept } from "./ground.ts";
import type { Hidden } from "./hidden-files.ts";
import { mergeLayer } from "./merge-layer.ts";
import { type LayerChanges, readLayer } from "./read-layer.ts";

/** What the command does stays in a layer of its own until it has ended. Thrown away before, nothing has happened. */
export class OverlayGround implements Ground {
  readonly folder: Ground["folder"];
  readonly #parts: CommandParts;
  readonly #caller: Caller;
  readonly #place: string;
  readonly #upper: string;
  readonly #name = Symbol("a command");
  #came: ReadonlySet<string> = new Set();
  #hidden: Hidden = { files: [], dirs: [] };
  #baseSeq = 0;
  #began = 0;

  /** `place` is a folder of its own, removed when it is over. */
  constructor(parts: CommandParts, caller: Caller, place: string) {
    this.#parts = parts;
    this.#caller = caller;
    this.#place = place;
    this.#upper = join(this.#place, "upper");
    this.folder = { overlay: { upper: this.#upper, work: join(this.#place, "work") } };
  }

  async prepare(): Promise<void> {
    for (const name of LAYER_PARTS) await mkdir(join(this.#place, name), { mode: 0o700 });
    this.#began = (await lstat(this.#place)).ctimeMs; // by the disk's own clock
    this.#came = this.#parts.arrivals.begin(this.#name);
  }

  begin(called: number, hidden: Hidden): void {
    this.#baseSeq = called;
    this.#hidden = hidden;
  }

  async keep(): Promise<Kept> {
    const { folder, turns } = this.#parts;
    const layer = await folder.call("folder.layer.open", { upper: this.#upper });
    try {
      const { onProgress } = this.#caller;
      const options = { upper: this.#upper, layer, baseSeq: this.#baseSeq, onProgress };
      const found = this.#seen(await readLayer(this.#parts, options)); // before the turn, for that may take long
      return await turns.take(() => this.#land(found, layer));
    } finally {
      await folder.call("folder.layer.close", layer).catch(() => {}); // by now it may have landed
    }
  }

  async discard(): Promise<Kept> {
    return { ...NOTHING_KEPT, notes: ["nothing of what it did was kept"] };
  }

  close(): void {
    this.#parts.arrivals.end(this.#name);
  }

  /** What was to be mounted over a file that somebody removed at that moment may have left one there. */
  #seen(found: LayerChanges): LayerChanges {
    const hidden = new Set([...this.#hidden.files, ...this.#hidden.dirs]);
    if (hidden.size === 0) return found;
    return { ...found, changes: new Map([...found.changes].filter(([key]) => !hidden.has(key))) };
  }

  async #land(found: LayerChanges, layer: number): Promise<Kept> {
    const { onProgress, mayChange, signal } = this.#caller;
    const outside = mayChange === undefined ? [] : outsideIn(found, await mayChange());
    signal?.throwIfAborted(); // others may have had their turn before
    if (outside.length > 0) return beyondBounds(outside, NOTHING_KEPT);
    const ready = await this.#parts.reconciler.ready([...found.changes.keys()], { onProgress });
    const merged = await mergeLayer(this.#parts, found);
    if (found.ignored.length + found.emptied.length + found.gone.length > 0) await mkdir(join(this.#place, CARRIES));
    const kept = await this.#commit(merged.changes);
    if ("tooMuch" in kept) return beyondLimit(kept.tooMuch, NOTHING_KEPT);
    const gone = [...found.gone, ...kept.blocked.map(({ key }) => key)]; // what can't be kept may be in their way
    const carried = await carryIgnored(this.#parts, this.#layerPlace(layer), { ...found, gone });
    const untimed = await this.#setTimes(found.times);
    const blocked = kept.blocked.length === 0 ? [] : await this.#again(kept.blocked);
    const notes = [...ready.notes, ...found.notes, ...merged.notes, ...kept.notes, ...carried.notes, ...untimed];
    return { changed: kept.changed, ignored: carried.changed, blocked, notes };
  }

  /** By now it has happened: what goes wrong here is no more than a note. */
  async #setTimes(all: LayerChanges["times"]): Promise<string[]> {
    try {
      for (const times of slices(all, AT_ONCE)) await this.#parts.folder.call("folder.times", times);
      return [];
    } catch (error) {
      return [`not every file has the time that it left there: ${messageOf(error)}`];
    }
  }

  #layerPlace(layer: number): LayerPlace {
    const onBrought = (keys: readonly string[]) => this.#parts.arrivals.brought(this.#name, keys);
    const aside = join(this.#place, ASIDE);
    return { layer, upper: this.#upper, aside, began: this.#began, came: this.#came, onBrought };
  }

  /** What was in the way may be gone by now. */
  async #again(blocked: readonly Blocked[]): Promise<Blocked[]> {
    const { reconciler } = this.#parts;
    await reconciler.retry().catch(() => {}); // they stay blocked, and are tried again
    const still = new Map(reconciler.blocked().map((one) => [one.key, one]));
    return blocked.flatMap(({ key }) => still.get(key) ?? []);
  }

  async #commit(
    changes: readonly TreeChange[],
  ): Promise<Omit<Kept, "ignored" | "tooMuch"> | Required<Pick<Kept, "tooMuch">>> {
    if (changes.length === 0) return { changed: 0, blocked: [], notes: [] };
    const complete = await withParents(this.#parts, changes);
    if ("why" in complete) throw new Error(complete.why); // merging left nothing below what is no directory
    const { source, cause, mayLand, signal, onLanding } = this.#caller;
    const watched = { ...(signal && { signal }), ...(onLanding && { onProgress: onLanding }) };
    const options = { source, cause, ...watched, ...(mayLand && { mayLand }) };
    const done = await commit(this.#parts, { type: "files.changed", extra: { by: "command" } }, complete, options);
    if (!done.ok && done.reason === "limit") return { tooMuch: done.message };
    if (!done.ok) throw new Error(done.message);
    return { changed: done.changed, blocked: done.blocked, notes: done.notes };
  }
}

/** Also of what no event tells of: what is ignored, and what went with a directory. Nobody has looked below these. */
function outsideIn({ changes, emptied, gone, ignored }: LayerChanges, mayChange: MayChange): string[] {
  const unseen = [...ignored, ...emptied, ...gone].filter((key) => !mayChange(key, "whole"));
  return [...new Set([...outsideOf(changes, mayChange), ...unseen])];
}

const AT_ONCE = 500;
/** In a command's place: that it did something to what is ignored, which is brought over after its event. */
export const CARRIES = "carries";
const ASIDE = "aside";
/** What of a layer there is in its place. */
export const LAYER_PARTS = ["upper", "work", ASIDE];
