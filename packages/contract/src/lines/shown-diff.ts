import { plainText } from "../plain.ts";

/** One line of a unified diff, made safe to show. */
export interface DiffLine {
  readonly kind: "added" | "removed" | "same" | "hunk";
  readonly text: string;
  /** How it ends, where what stood there, or stands around it, ends otherwise. */
  readonly end?: "CRLF" | "LF";
}

/**
 * The lines of a unified diff, from its first `@@` on, and no more than `most` of them. How a line ends isn't part of its
 * text; where ends changed they are named, so that lines which differ in nothing else don't look the same.
 */
export function shownDiff(body: readonly string[], most = body.length): DiffLine[] {
  const shown: DiffLine[] = [];
  for (let start = 0, end = 0; start < Math.min(most, body.length); start = end) {
    while (end < body.length && isChange(body[end]) === isChange(body[start])) end++;
    const named = isChange(body[start]) && hasOtherEnds(body, start, end);
    for (const [i, line] of body.slice(start, Math.min(end, most)).entries())
      shown.push(lineOf(line, named ? endAt(body, start + i) : undefined, hasNoEnd(body, start + i)));
  }
  return shown;
}

/** "\ No newline at end of file": the line before it has no end at all. */
const NO_END = "\\";

function lineOf(line: string, end: DiffLine["end"], hasNone: boolean): DiffLine {
  const text = hasNone ? plainText(`${line}.`).slice(0, -1) : plainText(line); // a `\r` ends nothing there
  return { kind: kindOf(line), text, ...(end !== undefined && { end }) };
}

function kindOf(line: string): DiffLine["kind"] {
  if (line.startsWith("@@")) return "hunk";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
}

function endAt(body: readonly string[], i: number): DiffLine["end"] {
  const line = body[i];
  if (line === undefined || line.startsWith("@@") || line.startsWith(NO_END) || hasNoEnd(body, i)) return undefined;
  return line.endsWith("\r") ? "CRLF" : "LF";
}

function hasNoEnd(body: readonly string[], i: number): boolean {
  return body[i + 1]?.startsWith(NO_END) === true;
}

function isChange(line = ""): boolean {
  const sign = line.charAt(0);
  return sign === "+" || sign === "-" || sign === NO_END;
}

/** What only came, or only went, is held against the lines around it. */
function hasOtherEnds(body: readonly string[], start: number, end: number): boolean {
  const signs = new Set<string>();
  const ends = new Set<DiffLine["end"]>();
  for (let i = start; i < end; i++) {
    signs.add(body[i]?.charAt(0) ?? "");
    ends.add(endAt(body, i));
  }
  if (!signs.has("+") || !signs.has("-")) for (const i of [start - 1, end]) ends.add(endAt(body, i));
  ends.delete(undefined);
  return ends.size > 1;
}
