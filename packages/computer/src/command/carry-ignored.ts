import { messageOf } from "@choiros/log";
import type { Failed } from "../folder/give-way.ts";
import type { Parts } from "../parts.ts";
import { shownPath } from "../shown-path.ts";
import { placeIn } from "./mask.ts";
import { opaqueAmong } from "./opaque.ts";
import type { LayerChanges } from "./read-layer.ts";

export interface LayerPlace {
  /** The layer as the folder's thread has it open. */
  readonly layer: number;
  readonly upper: string;
  /** Where goes what gives way. */
  readonly aside: string;
  /** When the command began, in milliseconds of the disk's clock. */
  readonly began: number;
  /** Directories that other commands brought since. */
  readonly came: ReadonlySet<string>;
  /** Told of each directory that this one brought whole. */
  readonly onBrought: (keys: readonly string[]) => void;
}

export interface CarriedIgnored {
  /** Whether anything is another than before. */
  readonly changed: boolean;
  readonly notes: readonly string[];
}

/**
 * Brings what a command did to ignored paths into the folder, now that everything else has landed. Whatever goes wrong is
 * told in a note: by now it has happened.
 */
export async function carryIgnored(parts: Parts, place: LayerPlace, found: LayerChanges): Promise<CarriedIgnored> {
  const carrying = new Carrying(parts, place);
  try {
    await carrying.clear(found);
    const left = [...found.ignored];
    await parts.masks.bringing(left.map((key) => placeIn(place.upper, key)));
    while (left.length > 0) for (const key of await carrying.some(left.splice(-BATCH))) left.push(key);
  } catch (error) {
    carrying.notes.push(`not all that it did to ignored paths is in the folder: ${messageOf(error)}`);
  }
  return { changed: carrying.changed > 0, notes: carrying.notes };
}

const BATCH = 1_000;

class Carrying {
  changed = 0;
  readonly notes: string[] = [];
  readonly #parts: Parts;
  readonly #place: LayerPlace;

  constructor(parts: Parts, place: LayerPlace) {
    this.#parts = parts;
    this.#place = place;
  }

  async clear({ emptied, gone }: LayerChanges): Promise<void> {
    if (emptied.length === 0 && gone.length === 0) return;
    const { aside, began: before, came } = this.#place;
    this.#take(await this.#parts.folder.call("folder.clear", { keys: emptied, gone, aside, before, came }));
  }

  /** What is below those that the folder has too, and so is to be carried over by itself. */
  async some(keys: readonly string[]): Promise<string[]> {
    const { folder } = this.#parts;
    const { layer, upper, aside, began: before, came, onBrought } = this.#place;
    const modes = await folder.call("folder.layer.unlock", { layer, keys });
    const replaced = await opaqueAmong(upper, [...modes.keys()]);
    const below: string[] = [];
    for (let rest = keys; rest.length > 0; ) {
      const request = { layer, keys: rest, replaced, modes, aside, before, came };
      const carried = await folder.call("folder.layer.carry", request);
      onBrought(carried.whole);
      this.#take(carried);
      for (const key of carried.below) below.push(key);
      rest = carried.left;
    }
    return below;
  }

  #take({ changed, failed }: { readonly changed: number; readonly failed: readonly Failed[] }): void {
    this.changed += changed;
    for (const { key, why } of failed) {
      this.notes.push(`${shownPath(key)}, which is ignored, is not as the command left it: ${why}`);
    }
  }
}
