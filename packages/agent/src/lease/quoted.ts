/** What a line can't show as it is, or what would end it, is quoted as JSON is: nobody is shown another name than is meant. */
export function quoted(word: string): string {
  return NEEDS_QUOTES.test(word) ? inQuotes(word) : word;
}

/** Where it stands among somebody's words: whatever it says, it is a name. */
export function inQuotes(word: string): string {
  return inOneLine(JSON.stringify(word));
}

/** `undefined` where it isn't quoted as it must be. */
export function unquoted(word: string): string | undefined {
  if (!word.startsWith('"')) return word;
  try {
    const parsed: unknown = JSON.parse(word);
    return typeof parsed === "string" ? parsed : undefined;
  } catch {
    return undefined; // that is the answer
  }
}

/** A sentence with names in it, none of which ends its line or hides what follows. */
export function inOneLine(sentence: string): string {
  return sentence.replace(UNSEEN, (one) => one.split("").map(escaped).join("")); // a pair is written as two
}

/** Somebody's words among others': only its first line begins one, so that no other passes for what somebody else says. */
export function setOff(words: string): string {
  return words.replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, "\n  ");
}

const NEEDS_QUOTES = /[\p{C}\p{Zl}\p{Zp}]|^["\s]|\s$/u;
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
