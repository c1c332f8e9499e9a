import type { Ask } from "../../asks/ask-rows.ts";
import { byNeed, isOpen, standWords } from "../../asks/ask-words.ts";

interface Sought {
  /** All of them, in what was said or in how it stands, whatever their case. */
  readonly words: string;
  readonly openOnly: boolean;
}

export function fitting(asks: readonly Ask[], texts: ReadonlyMap<string, string>, { words, openOnly }: Sought): Ask[] {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = asks
    .filter((ask) => !openOnly || isOpen(ask))
    .filter((ask) => {
      const said = `${texts.get(ask.id) ?? ask.title}\n${standWords(ask)}`.toLowerCase();
      return sought.every((word) => said.includes(word));
    });
  return byNeed(found);
}
