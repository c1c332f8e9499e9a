/** What stands from `from` to `to` becomes `insert`; places are those of the text before all edits. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The text after them. They are in order and don't overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to, insert } of edits) {
    pieces.push(text.slice(done, from), insert);
    done = to;
  }
  return pieces.join("") + text.slice(done);
}

/** As little as possible: a cursor within what stays should stay with it. `undefined` where nothing changes. */
export function trimmed(text: string, { from, to, insert }: Edit): Edit | undefined {
  const longest = Math.min(to - from, insert.length);
  let head = 0;
  while (head < longest && text.charCodeAt(from + head) === insert.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < longest - head && text.charCodeAt(to - 1 - tail) === insert.charCodeAt(insert.length - 1 - tail))
    tail++;
  if (from + head === to - tail && head + tail === insert.length) return undefined;
  return { from: from + head, to: to - tail, insert: insert.slice(head, insert.length - tail) };
}

/** Lines with their ends, and where each begins. */
export class Lines {
  readonly text: string;
  readonly list: readonly string[];
  readonly #starts: readonly number[];

  constructor(text: string) {
    const list: string[] = [];
    const starts: number[] = [];
    for (let at = 0; at < text.length; ) {
      const feed = text.indexOf("\n", at);
      const end = feed < 0 ? text.length : feed + 1;
      list.push(text.slice(at, end));
      starts.push(at);
      at = end;
    }
    this.text = text;
    this.list = list;
    this.#starts = starts;
  }

  /** Where a line begins; the text's end for the one after the last. */
  offset(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  slice({ start, end }: { readonly start: number; readonly end: number }): string {
    return this.text.slice(this.offset(start), this.offset(end));
  }
}
