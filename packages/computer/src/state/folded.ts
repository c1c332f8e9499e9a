/** As texts are compared that somebody typed: some systems write ä as two characters. */
export function folded(text: string): string {
  return text.toLowerCase().normalize("NFC");
}

/** What a path has to have in it, in any order, to be found by a text. */
export function wordsIn(text: string): string[] {
  return folded(text)
    .split(/\s+/)
    .filter((word) => word !== "");
}
