import { isUtf8 } from "node:buffer";

/** What isn't text is never merged or shown line by line. */
export function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}

/**
 * Lines with their ends, one character a byte: joined, they are the bytes again, whatever the ends are (LF, CRLF, none at
 * the last line) and with a byte order mark where there was one.
 */
export function linesOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 ? text.length : feed + 1;
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}

export function bytesOfLines(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.join(""), "latin1");
}

/** How many lines there are, without making them. */
export function countLines(bytes: Uint8Array): number {
  let count = bytes.length > 0 && bytes.at(-1) !== LINE_FEED ? 1 : 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

const LINE_FEED = 10;
