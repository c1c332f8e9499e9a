import type { Id } from "@choiros/contract";

/** So much of what a tool says goes to the model, unless the tool has its own measure. */
export const MOST_BYTES = 16 * 1024;

/** Text for a model: all of it, or its beginning and its end, and where the rest is to be had. */
export function bounded(text: string, call: Id, most = MOST_BYTES): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  const head = wholeLines(bytes.subarray(0, most / 2), "head");
  const tail = wholeLines(bytes.subarray(bytes.length - most / 2), "tail");
  const left = bytes.length - head.length - tail.length;
  return `${head}\n… ${left} bytes are left out here: job_output with {"job": "${call}", "offset": ${head.length}} shows them …\n${tail}`;
}

/** Cut at a line's end where one is near, else at a character's. */
function wholeLines(bytes: Buffer, part: "head" | "tail"): Buffer {
  const feed = part === "head" ? bytes.lastIndexOf(10) : bytes.indexOf(10);
  const near = part === "head" ? feed > bytes.length / 2 : feed >= 0 && feed < bytes.length / 2;
  if (near) return part === "head" ? bytes.subarray(0, feed + 1) : bytes.subarray(feed + 1);
  return part === "head" ? wholeEnd(bytes) : wholeStart(bytes);
}

/** Without the rest of a character that it begins with. What isn't UTF-8 stays as it is, but for a few bytes. */
export function wholeStart(bytes: Buffer): Buffer {
  let from = 0;
  while (from < MOST_OF_A_CHARACTER - 1 && isInside(bytes[from])) from++;
  return bytes.subarray(from);
}

/** Without a character that has only begun at its end. */
export function wholeEnd(bytes: Buffer): Buffer {
  for (let back = 1; back < MOST_OF_A_CHARACTER; back++) {
    const byte = bytes.at(-back) ?? 0;
    if (isInside(byte)) continue;
    const has = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return has > back ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}

const MOST_OF_A_CHARACTER = 4;

/** A byte that goes on with a character of UTF-8. */
function isInside(byte = 0): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
