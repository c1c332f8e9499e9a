import type { Ask } from "../../asks/ask-rows.ts";
import { isOpen, rankOf, standWords } from "../../asks/ask-words.ts";

interface Sought {
  /** All of them, in what was said or in how it stands, whatever their case. */
  readonly words: string;
  readonly openOnly: boolean;
}

/** By how they stand; of those that stand alike the newest first. */
export function fitting(asks: readonly Ask[], texts: ReadonlyMap<string, string>, { words, openOnly }: Sought): Ask[] {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  return asks
    .filter((ask) => !openOnly || isOpen(ask))
    .filter((ask) => {
      const said = `${texts.get(ask.id) ?? ask.title}\n${standWords(ask)}`.toLowerCase();
      return sought.every((word) => said.includes(word));
    })
    .sort((one, two) => rankOf(one) - rankOf(two) || two.seq - one.seq);
}
