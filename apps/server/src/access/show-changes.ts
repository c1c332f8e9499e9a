import { type Change, type Computer, describeChanges } from "@choiros/computer";
import type { Entry } from "@choiros/contract";
import type { Shown } from "./shapes.ts";

/** Changes as they are shown: with `lines`, also what they do to files of text. */
export async function* showChanges(
  computer: Computer,
  changes: Iterable<Change>,
  lines: boolean,
): AsyncGenerator<Shown> {
  for (const change of changes) {
    const diff = lines ? await linesOf(computer, change) : undefined;
    yield { change, ...(diff !== undefined && { lines: diff }) };
  }
}

async function linesOf(computer: Computer, change: Change): Promise<string | undefined> {
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
