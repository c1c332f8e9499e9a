import type { Ask, Command, Incomplete, Nothing } from "./command.ts";
import { PHRASES, type Phrase } from "./grammar.ts";

/** What somebody typed into the bar: a command, or else an ask. Never throws, whatever it is. */
export function parseBar(text: string, now: Date): Command | Ask | Incomplete | Nothing {
  const said = text.trim();
  if (said === "") return { do: "nothing" };
  const [, asked] = /^ask\s+(.+)$/is.exec(said) ?? []; // for what would be a command otherwise
  if (asked !== undefined) return { do: "ask", text: isSentence(said, asked) ? said : asked };
  if (/^ask$/i.test(said)) return { do: "incomplete", words: "ask", needs: "what you want, in words" };
  const found = phraseOf(said);
  if (found === undefined) return { do: "ask", text: said };
  const { phrase, rest } = found;
  const { argument, words } = phrase;
  const lines = rest.includes("\n") && phrase.do !== "run"; // what needs several lines is a letter to somebody
  if (lines || (argument === undefined && rest !== "")) return { do: "ask", text: said };
  const command = rest === "" && argument?.needs !== undefined ? undefined : phrase.read(rest, now);
  if (command !== undefined) return command;
  if (argument?.needs !== undefined && (rest === "" || phrase.isMeant?.(rest) === true))
    return { do: "incomplete", words, needs: argument.needs };
  return { do: "ask", text: said };
}

/** "Ask the queen": who begins as sentences do, and goes on with no command, means the word. */
function isSentence(said: string, rest: string): boolean {
  return said.startsWith("Ask") && phraseOf(rest) === undefined;
}

/** The command that a text begins with, by the most of its words, and what follows them. */
export function phraseOf(text: string): { readonly phrase: Phrase; readonly rest: string } | undefined {
  let best: { readonly phrase: Phrase; readonly rest: string } | undefined;
  for (const phrase of PHRASES) {
    for (const words of [phrase.words, ...(phrase.also ?? [])]) {
      const rest = restAfter(text, words);
      if (rest !== undefined && (best === undefined || rest.length < best.rest.length)) best = { phrase, rest };
    }
  }
  return best;
}

function restAfter(text: string, words: string): string | undefined {
  let rest = text.trim();
  for (const word of words.split(" ")) {
    if (rest.slice(0, word.length).toLowerCase() !== word) return undefined;
    const after = rest.slice(word.length);
    if (after !== "" && !/^\s/.test(after)) return undefined;
    rest = after.trimStart();
  }
  return rest;
}
