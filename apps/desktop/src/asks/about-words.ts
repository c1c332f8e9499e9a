import { isLikelySecret, plain } from "@choiros/contract";
import { quoted } from "../bar/completions.ts";

/** How an ask about something begins in the bar; after `ask` it is one, whatever it names. */

export function aboutPaths(keys: readonly string[]): string {
  return `ask about ${named(keys)} `;
}

interface Lines {
  readonly first: number;
  readonly last: number;
  /** What is chosen there. */
  readonly text: string;
}

/** What may be a key or a password isn't quoted: what is said goes to a model, and stays in the log. */
export function aboutLines(key: string, { first, last, text }: Lines): string {
  const lines = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  if (isLikelySecret(key)) return `ask about ${lines} of ${named([key])} `;
  return `ask about “${beginning(text, LINE_CHARACTERS)}” in ${lines} of ${named([key])} `;
}

export function aboutEvent(seq: number, words: string): string {
  return `ask about event ${seq}, “${beginning(words, EVENT_CHARACTERS)}”: `;
}

const LINE_CHARACTERS = 40;
const EVENT_CHARACTERS = 60;

/** Its first words, in one line. */
function beginning(text: string, most: number): string {
  const line = plain(text.trim().split("\n", 1)[0] ?? "");
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}

/** As the bar has names of files. */
function named(keys: readonly string[]): string {
  return keys.map((key) => `@${quoted(key)}`).join(" ");
}
