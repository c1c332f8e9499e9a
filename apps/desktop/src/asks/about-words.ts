import { plain } from "@choiros/contract";
import { quoted } from "../bar/completions.ts";

/** How an ask about something begins in the bar; after `ask` it is one, whatever it names. */

export function aboutPaths(keys: readonly string[]): string {
  return `ask about ${named(keys)} `;
}

export function aboutLines(key: string, { first, last }: { readonly first: number; readonly last: number }): string {
  const lines = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  return `ask about ${lines} of ${named([key])} `;
}

const EVENT_CHARACTERS = 60;

export function aboutEvent(seq: number, words: string): string {
  const line = plain(words.trim().split("\n", 1)[0] ?? "");
  const short = line.length > EVENT_CHARACTERS ? `${line.slice(0, EVENT_CHARACTERS - 1).trimEnd()}…` : line;
  return `ask about event ${seq}, “${short}”: `;
}

/** As the bar has names of files. */
function named(keys: readonly string[]): string {
  return keys.map((key) => `@${quoted(key)}`).join(" ");
}
