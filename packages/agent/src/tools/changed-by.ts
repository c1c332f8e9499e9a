import type { Computer } from "@choiros/computer";
import { type Entry, type Id, inlineChanges, type PathChange, recognise } from "@choiros/contract";
import { changeLines } from "@choiros/log";
import type { ToolOutcome } from "./dispatch-port.ts";

/** So many are named. */
const NAMED = 20;

/** What a call did to files, by its events. */
export async function changedBy(
  computer: Computer,
  call: Id,
): Promise<Required<Pick<ToolOutcome, "changed" | "files" | "bytes">>> {
  const changed: string[] = [];
  let [files, bytes] = [0, 0];
  for await (const event of computer.log.read({ cause: { call }, types: ["files.changed"] })) {
    const known = recognise(event);
    if (!known.ok) continue; // a newer version's: it has no place among what is counted here
    if (known.value.type === "files.changed" && "list" in known.value.payload) {
      const { count, list } = known.value.payload;
      files += count;
      for await (const slice of changeLines((await computer.contents.get(list.hash)) ?? nothing()))
        for (const one of slice) bytes += sizeOf("path" in one ? (one as PathChange).after : null); // told by its path
      continue;
    }
    for (const one of inlineChanges(known.value)) {
      if (!("key" in one)) continue;
      files++;
      bytes += sizeOf(one.after);
      if (changed.length < NAMED) changed.push(one.key);
    }
  }
  return { changed, files, bytes };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function sizeOf(entry: Entry | null): number {
  return entry === null || entry.kind === "dir" ? 0 : entry.size;
}
