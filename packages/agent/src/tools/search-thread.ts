import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { SearchedText, SearchHit, Wanted } from "./search-port.ts";

// A pattern that somebody else wrote may take forever: here it holds up nobody, and is ended with its thread.
const port = parentPort as MessagePort; // this file is the entry of a worker, and nothing else
const { pattern, flags, most } = workerData as Wanted; // only `searchTexts` starts it
const regex = new RegExp(pattern, flags);
const LINE_CHARACTERS = 300;

port.on("message", (texts: readonly SearchedText[]) => {
  const hits: SearchHit[] = [];
  for (const { key, text } of texts) {
    for (const [i, line] of text.split("\n").entries()) {
      if (hits.length >= most) break;
      const at = line.search(regex);
      if (at >= 0) hits.push({ key, line: i + 1, text: around(line.replace(/\r$/, ""), at) });
    }
  }
  port.postMessage(hits);
});

/** A line, or what is around the match in one that is long. */
function around(line: string, at: number): string {
  if (line.length <= LINE_CHARACTERS) return line;
  const from = Math.max(0, Math.min(at - LINE_CHARACTERS / 3, line.length - LINE_CHARACTERS));
  return `${from > 0 ? "…" : ""}${line.slice(from, from + LINE_CHARACTERS)}…`;
}
