import { randomUUID } from "node:crypto";
import { type ChunkFiles, groupsOf } from "./chunk-files.ts";
import type { ChunkPlace } from "./chunk-row.ts";
import { writeAll } from "./content-source.ts";
import type { LargeParts } from "./large-contents.ts";

/**
 * Removes what nobody has any more from the disk. A file that also holds what others have is replaced: the copy is on the
 * disk first, then the list names it, then the file goes. Only then does the list forget it.
 */
export async function sweep(parts: LargeParts, files: ChunkFiles): Promise<void> {
  const { mixed } = await parts.call("untidy", {});
  for (const name of mixed) while (!(await sort(parts, files, name)));
  const { going } = await parts.call("untidy", {});
  for (const name of going) {
    await files.remove(name);
    await parts.call("change", { kind: "gone", name });
  }
}

/** `false` where it has to be tried again, for the list has changed meanwhile. */
async function sort({ call }: LargeParts, files: ChunkFiles, from: string): Promise<boolean> {
  const { keep, unused } = await call("plan", { name: from });
  if (unused > 0 && keep.length === 0) return call("change", { kind: "moved", from, to: null, ids: [], ats: [] });
  if (unused === 0 || !(await files.has(from))) {
    await call("change", { kind: "settled", name: from });
    return true;
  }
  const to = randomUUID();
  await call("change", { kind: "begin", name: to });
  let moved = false;
  try {
    const ats = await copy(files, keep, to);
    moved = await call("change", { kind: "moved", from, to, ids: keep.map(({ id }) => id), ats });
    return moved;
  } finally {
    if (!moved) await call("change", { kind: "abandon", name: to }).catch(() => {}); // else the next opening does
  }
}

/** As they are stored, damaged or not: that is for others to tell. Says where each lies now. */
async function copy(files: ChunkFiles, chunks: readonly ChunkPlace[], to: string): Promise<number[]> {
  const ats: number[] = [];
  let end = 0;
  const file = await files.create(to);
  try {
    for (const group of groupsOf(chunks)) {
      const start = end;
      for (const { stored } of group) {
        ats.push(end);
        end += stored ?? 0;
      }
      const bytes = await files.readStored(group);
      await writeAll(file, [bytes, Buffer.alloc(end - start - bytes.length)]); // zeros for what the file has not
    }
    await files.makeLasting(to, file);
    return ats;
  } finally {
    await file.close();
  }
}
