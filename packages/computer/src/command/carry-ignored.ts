import type { Parts } from "../parts.ts";
import { shownPath } from "../shown-path.ts";
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
}

/**
 * Brings what a command did to ignored paths into the folder, now that everything else has landed. Says what could not be
 * brought there.
 */
export async function carryIgnored(parts: Parts, place: LayerPlace, found: LayerChanges): Promise<string[]> {
  const { folder } = parts;
  const { layer, upper, aside, began } = place;
  const { ignored, emptied } = found;
  if (emptied.length > 0) await folder.call("folder.clear", { keys: emptied, before: began, aside });
  if (ignored.length === 0) return [];
  const shared: string[] = [];
  for (let keys = ignored; keys.length > 0; ) {
    const found = await folder.call("folder.layer.shared", { layer, keys });
    shared.push(...found.shared);
    keys = found.left;
  }
  const replaced = await opaqueAmong(upper, shared);
  const notes: string[] = [];
  for (let keys = ignored; keys.length > 0; ) {
    const { left, failed } = await folder.call("folder.layer.carry", { layer, keys, replaced, aside, before: began });
    notes.push(
      ...failed.map(({ key, why }) => `${shownPath(key)}, which is ignored, is not as the command left it: ${why}`),
    );
    keys = left;
  }
  return notes;
}
