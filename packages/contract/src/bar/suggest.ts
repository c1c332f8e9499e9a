import { PHRASES, type Phrase, shape } from "./grammar.ts";
import { phraseOf } from "./parse.ts";

export interface Suggestion {
  /** What the bar holds when it is chosen; ends with a space where something has to follow. */
  readonly fill: string;
  /** As the help shows it: `new doc [NAME]`. */
  readonly shows: string;
  readonly help: string;
}

/** The commands that a text could become, the likeliest first; all of them where there is none yet. */
export function suggest(text: string): Suggestion[] {
  const begun = text.trimStart().replace(/\s+/g, " ").toLowerCase();
  const found = phraseOf(begun);
  if (found !== undefined && (found.rest !== "" || begun.endsWith(" "))) return within(found.phrase, found.rest);
  const starts = PHRASES.filter((phrase) => spellings(phrase).some((words) => words.startsWith(begun)));
  const inside = PHRASES.filter(
    (phrase) => !starts.includes(phrase) && spellings(phrase).some((words) => words.includes(` ${begun}`)),
  );
  return [...starts, ...inside].map(suggestion);
}

/** What may follow the words of a command. */
function within(phrase: Phrase, rest: string): Suggestion[] {
  const { argument, help, words } = phrase;
  if (argument === undefined) return rest === "" ? [suggestion(phrase)] : [];
  const isAsk = rest !== "" && phrase.read(rest, new Date()) === undefined && phrase.isMeant?.(rest) !== true;
  if (argument.choices === undefined && isAsk) return []; // "run the tests" is said to somebody
  if (argument.choices === undefined) return [{ ...suggestion(phrase), fill: `${words} ${rest}` }];
  return argument.choices
    .filter((choice) => choice.startsWith(rest))
    .map((choice) => ({ fill: `${words} ${choice}`, shows: `${words} ${choice}`, help }));
}

function suggestion(phrase: Phrase): Suggestion {
  const fill = phrase.argument?.needs === undefined ? phrase.words : `${phrase.words} `;
  return { fill, shows: shape(phrase), help: phrase.help };
}

function spellings({ also = [], words }: Phrase): readonly string[] {
  return [words, ...also];
}
