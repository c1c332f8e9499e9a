import { type ContentRef, type Kept, type KeptChange, KeptList, MAX_INLINE_CHANGES } from "@choiros/contract";
import { type Contents, LogError } from "@choiros/log";

/** What an undo kept, in the form its event takes: in it, or as a content of its own. */
export async function carryKept(contents: Contents, kept: readonly KeptChange[]): Promise<Kept> {
  if (kept.length <= MAX_INLINE_CHANGES && JSON.stringify(kept).length <= MAX_INLINE_CHARACTERS) return [...kept];
  const list = await contents.put(Buffer.from(`[\n${kept.map((one) => JSON.stringify(one)).join(",\n")}\n]`));
  return { count: kept.length, list };
}

/** Its changes may take most of the room that an event has. */
const MAX_INLINE_CHARACTERS = 32 * 1024;

/** What stands in such a content. */
export async function readKept(contents: Contents, { hash }: ContentRef, seq: number): Promise<readonly KeptChange[]> {
  const bytes = await contents.get(hash);
  if (bytes === undefined) throw new LogError("damaged", `the list of what event ${seq} kept is gone`);
  const text = Buffer.concat(await Array.fromAsync(bytes)).toString();
  return KeptList.parse(JSON.parse(text));
}
