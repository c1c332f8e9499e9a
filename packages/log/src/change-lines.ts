import { KeyChange, MAX_EVENT_BYTES, PathChange } from "@choiros/contract";

/** Changes in one slice. */
const SLICE = 1000;

/**
 * A list of changes, read as it is written: a JSON array with one change a line, so that it never has to be in memory
 * as a whole. Throws where it is something else.
 */
export async function* changeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<(PathChange | KeyChange)[]> {
  let slice: (PathChange | KeyChange)[] = [];
  for await (const line of linesOf(bytes)) {
    if (line === "[" || line === "]" || line === "[]" || line === "") continue;
    slice.push(parseChange(line.endsWith(",") ? line.slice(0, -1) : line));
    if (slice.length < SLICE) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    // No change is larger than an event may be: whoever wrote this meant something else, and it may never end.
    if (rest.length > MAX_EVENT_BYTES) throw new Error("a line of it is longer than a change can be");
    yield* lines;
  }
  yield rest + decoder.decode();
}

function parseChange(line: string): PathChange | KeyChange {
  const value: unknown = JSON.parse(line);
  const isPath = typeof value === "object" && value !== null && "path" in value;
  return isPath ? PathChange.parse(value) : KeyChange.parse(value);
}
