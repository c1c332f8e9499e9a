import type { Entry } from "@choiros/contract";
import type { Place } from "./hidden-files.ts";
import { type Mask, placeIn } from "./mask.ts";

/** Ends a command; resolves when nothing of it runs. `seen`: it may have seen what came. */
export type EndMasked = (key: string, seen: boolean) => Promise<void>;

/** The commands that run with something hidden from them. What they see is the folder itself: what comes into it, they see. */
export class Masks {
  readonly #root: string;
  readonly #standing = new Map<Mask, EndMasked>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Until what it gives is called. */
  stand(mask: Mask, end: EndMasked): () => void {
    this.#standing.set(mask, end);
    return () => void this.#standing.delete(mask);
  }

  /** Before these land: whoever isn't to see one of them ends first. */
  async landing(items: readonly { readonly key: string; readonly to: Entry | null }[]): Promise<void> {
    for (const [mask, end] of this.#standing) {
      const one = items.find(({ key, to }) => to !== null && to.kind !== "link" && mask.wouldShow(key, to.kind));
      if (one !== undefined) await end(one.key, false);
    }
  }

  /** Before a directory gets another place. */
  moving(from: string, to: string): Promise<void> {
    return this.bringing([{ key: to, path: placeIn(this.#root, from).path }]);
  }

  /** Before what lies elsewhere comes into the folder, as it is. */
  async bringing(places: readonly Place[]): Promise<void> {
    for (const [mask, end] of this.#standing) {
      const key = await mask.uncoveredAt(places);
      if (key !== undefined) await end(key, false);
    }
  }

  /** Somebody else did something at these paths, or nobody knows where. */
  async happened(keys: readonly string[] | "anywhere"): Promise<void> {
    for (const [mask, end] of this.#standing) {
      const places = keys === "anywhere" ? undefined : keys.map((key) => placeIn(this.#root, key));
      const key = await (places === undefined ? mask.uncovered() : mask.uncoveredAt(places));
      if (key !== undefined) await end(key, true);
    }
  }
}
