/**
 * Text that an agent, a file or its name brought, made safe to show: what can't be seen, or turns the writing around, is
 * written out as `\u{202e}`, so that nothing looks like something else.
 */
export function plain(text: string): string {
  return text.replace(HIDDEN, writtenOut);
}

/** The same, but the ends of lines, as whichever system writes them, and tabs stay. */
export function plainText(text: string): string {
  const lines = text.replace(/\r(?=\n|$)/g, "");
  return lines.replace(HIDDEN, (char) => (char === "\n" || char === "\t" ? char : writtenOut(char)));
}

/** The same in one line: where lines end there is a space. */
export function plainLine(text: string): string {
  return plain(text.trim().replaceAll(/[ \t]*\r?\n\s*/g, " "));
}

/** A text to be judged: also with nothing that pushes the rest of it out of sight. */
export function plainWords(text: string): string {
  return linesOf(text)
    .join("\n")
    .trim()
    .replace(/\n{3,}/g, "\n\n");
}

/** A text to be judged as it is: its blanks and empty lines stay, and where they would push the rest out of sight it says how many. */
export function plainWhole(text: string): string {
  const blanks = (run: string) => `⟨${run.length} blanks⟩`;
  const lines = plainText(text)
    .split("\n")
    .map((line) => (line.trim() === "" ? "" : line.replace(/[\p{Zs}\t]{41,}/gu, blanks)));
  return lines.join("\n").replace(/\n{4,}/g, (run) => `\n⟨${run.length - 1} empty lines⟩\n`);
}

/** Lines that list something, such as what an approval covers, as one. */
export function plainList(text: string): string {
  return linesOf(text)
    .filter((line) => line !== "")
    .join(", ");
}

/** Each without what pushes the rest of it out of sight. */
function linesOf(text: string): string[] {
  return text.split(/\r?\n/).map((line) => plain(line.replace(/[\p{Zs}\t]+/gu, " ").trim()));
}

/** Also U+2800, a sign that is drawn as nothing; but not what only makes one picture of signs that are pictures. */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic})\ufe0f|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function writtenOut(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}
