/**
 * Text that an agent, a file or its name brought, made safe to show: what can't be seen, or turns the writing around, is
 * written out as `\u{202e}`, so that nothing looks like something else.
 */
export function plain(text: string): string {
  return text.replace(HIDDEN, writtenOut);
}

/** The same, but the ends of lines and tabs stay. */
export function plainText(text: string): string {
  return text.replace(HIDDEN, (char) => (char === "\n" || char === "\t" ? char : writtenOut(char)));
}

/** A text to be judged: also with nothing that pushes the rest of it out of sight. */
export function plainWords(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => plain(line.replace(/[\p{Zs}\t]+/gu, " ").trim()));
  return lines
    .join("\n")
    .trim()
    .replace(/\n{3,}/g, "\n\n");
}

/** Also U+2800, a sign that is drawn as nothing; but not what only makes one picture of signs that are pictures. */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic})\ufe0f|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function writtenOut(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}
