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
  let [from, to] = [0, bytes.length];
  if (part === "tail") while (from < to && isInside(bytes[from])) from++;
  if (part === "head") {
    while (to > from && isInside(bytes[to - 1])) to--;
    if (to > from && (bytes[to - 1] ?? 0) >= 0xc0) to--; // a character that has only begun
  }
  return bytes.subarray(from, to);
}

/** A byte that goes on with a character of UTF-8. */
function isInside(byte = 0): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
