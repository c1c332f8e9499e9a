import { parentKey } from "@choiros/contract";
import { attentive, type Watching } from "./computer-port.ts";
import { folded, wordsIn } from "./state/folded.ts";
import type { State } from "./state/state.ts";
import type { TreeLine } from "./state/state-rows.ts";

/**
 * The paths that have all words of a text in them, whatever their case, the best first: whose name begins with the text,
 * whose name begins with a word and has all of them, whose name has all of them, and then the rest; the shorter before the longer.
 */
export async function findPaths(state: State, text: string, limit: number, options: Watching): Promise<TreeLine[]> {
  const words = wordsIn(text);
  if (words.length === 0) return [];
  const tell = attentive(options);
  const best: Ranked[][] = [[], [], [], []];
  let done = 0;
  for await (const { lines, looked } of state.find(words)) {
    done += looked;
    tell({ what: "paths", done });
    for (const line of lines) best[rankOf(line.key, words)]?.push({ line, length: line.key.length });
    for (const ranked of best) if (ranked.length > limit * 2) ranked.sort(shorter).splice(limit);
  }
  return best
    .flatMap((ranked) => ranked.sort(shorter))
    .slice(0, limit)
    .map(({ line }) => line);
}

interface Ranked {
  readonly line: TreeLine;
  readonly length: number;
}

/** In order of keys where they are as long: they come in that order, and sorting keeps it. */
function shorter(a: Ranked, b: Ranked): number {
  return a.length - b.length;
}

function rankOf(key: string, words: readonly string[]): number {
  const name = folded(key.slice((parentKey(key)?.length ?? -1) + 1));
  if (name.startsWith(words.join(" "))) return 0;
  if (!words.every((word) => name.includes(word))) return 3;
  return words.some((word) => name.startsWith(word)) ? 1 : 2;
}
