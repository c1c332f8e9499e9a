import { type Change, type Computer, describeChanges, movedDiff, type TreeChange } from "@choiros/computer";
import type { Entry } from "@choiros/contract";
import { Moves } from "./moves.ts";
import type { Shown } from "./shapes.ts";

/** Changes as they are shown: moves as moves; with `lines`, also what they do to files of text. Asked for twice. */
export async function* showChanges(
  computer: Computer,
  pages: () => AsyncIterable<readonly Change[]>,
  lines: boolean,
): AsyncGenerator<Shown> {
  const moves = new Moves();
  for await (const page of pages()) for (const change of page) if ("key" in change) moves.add(change);
  const moved = moves.found();
  const gone = new Set([...moved.values()].map(({ key }) => key));
  for await (const page of pages()) {
    for (const change of page) {
      const origin = "key" in change ? moved.get(change.key) : undefined;
      if ("key" in change && gone.has(change.key)) continue; // told where it came to
      const diff = lines ? await linesOf(computer, change, origin) : undefined;
      const shown =
        origin === undefined ? { change } : { change: { ...change, before: origin.before }, from: origin.key };
      yield { ...shown, ...(diff !== undefined && { lines: diff }) };
    }
  }
}

async function linesOf(
  computer: Computer,
  change: Change,
  origin: TreeChange | undefined,
): Promise<string | undefined> {
  if (origin !== undefined && "key" in change) return movedDiff(origin, change);
  for await (const described of describeChanges([change], (entry) => bytesOf(computer, entry))) {
    return "diff" in described ? described.diff : undefined;
  }
  return undefined;
}

async function bytesOf(computer: Computer, entry: Entry): Promise<Uint8Array | undefined> {
  const bytes = entry.kind === "dir" ? undefined : await computer.contents.get(entry.hash);
  if (bytes === undefined) return undefined; // pruned, or to be made by a merge first
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}
