import type { FoundSlice } from "./find.ts";
import { type TreeLine, treeLines } from "./state-rows.ts";
import type { TouchingSlice } from "./touching.ts";

/** What the thread looks for slice by slice, for others want something of it meanwhile. */

export async function* found(
  ask: (after: string) => Promise<FoundSlice>,
): AsyncGenerator<{ readonly lines: TreeLine[]; readonly looked: number }> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const { lines, looked, next }: FoundSlice = await ask(after);
    yield { lines: treeLines(lines), looked };
    after = next;
  }
}

type Range = { readonly from: number; readonly to: number };

export async function* touching(
  ask: (range: Range) => Promise<TouchingSlice>,
  whole: Range,
): AsyncGenerator<{ readonly seqs: readonly number[]; readonly left: number }> {
  for (let range: Range | undefined = whole; range !== undefined && range.from <= range.to; ) {
    const { seqs, next }: TouchingSlice = await ask({ from: range.from, to: range.to });
    yield { seqs, left: next === undefined ? 0 : next.to - next.from + 1 };
    range = next;
  }
}
