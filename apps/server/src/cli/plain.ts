/**
 * Text that came from a file name, a model or a document, made safe to show: what a terminal would obey (escape
 * sequences, carriage returns, reversed writing) is written out instead.
 */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** A text of several lines as one, which shows where they end. */
export function oneLine(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => plain(line.trim()));
  return lines.filter((line) => line !== "").join(" ⏎ ");
}

/** The same for JSON, in its own spelling: it stays the same document. */
export function plainJson(text: string): string {
  return text.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
}

/** At most so many characters of it. */
export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}

/** `1 event`, `2 events`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** `0 B`, `1.5 kB`, `212 MB`: what a person wants to know of a size. */
export function size(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit++;
  }
  return `${unit > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit]}`;
}
