import { parentKey } from "@choiros/contract/path-key";
import { rangesUnder, restOf } from "./key-range.ts";
import { AT_ROWS, NOW_ROWS, TREE } from "./schema.ts";
import { LINE_END, type PageRequest, type StateReader, type ValueRow } from "./state-reader.ts";

/** So many rows of one directory are passed over; of more, the rest is skipped. */
const PASSED = 16;

/** A page of what is directly in a directory, as `treePage` gives it: what is deeper costs next to nothing. */
export function directPage(reader: StateReader, request: PageRequest & { readonly under: string }): string {
  const { at, under, after, limit } = request;
  const lines: string[] = [];
  for (const { from, to } of rangesUnder(under).flatMap((one) => restOf(one, after))) {
    for (let next: string | undefined = from; next !== undefined && lines.length < limit; ) {
      const rows =
        at === undefined ? reader.each(DIRECT_NOW, TREE, next, to) : reader.each(DIRECT_AT, TREE, next, to, at);
      next = take(rows as Iterable<ValueRow>, under, lines, limit); // three columns, by the statements below
    }
  }
  return lines.join(LINE_END);
}

/** Takes the lines that are wanted, and says where to go on; `undefined` where there are no more. */
function take(rows: Iterable<ValueRow>, under: string, lines: string[], limit: number): string | undefined {
  let deep = 0;
  for (const [key, seq, value] of rows) {
    if (parentKey(key) !== under) {
      if (++deep > PASSED) return behind(key, under);
      continue;
    }
    deep = 0;
    if (lines.push(`${value} ${seq} ${key}`) === limit) return undefined;
  }
  return undefined;
}

/** The first key behind those that are, beside this one, in the same directory in `under`. */
function behind(key: string, under: string): string {
  let directory = key;
  for (let up = parentKey(key); up !== undefined && up !== under; up = parentKey(up)) directory = up;
  return key.charAt(directory.length + 1) <= "/" ? `${directory}//0` : `${directory}0`; // see `rangesUnder`
}

const DIRECT_NOW = `${NOW_ROWS} ORDER BY key`;
const DIRECT_AT = `${AT_ROWS} ORDER BY key`;
