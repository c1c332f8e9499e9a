import { setImmediate as others } from "node:timers/promises";

/** One replacement, exact to the character; ends of lines aside. */
export interface Edit {
  readonly old: string;
  readonly new: string;
  /** Everywhere, not just in the one place where it stands. */
  readonly all?: boolean | undefined;
}

export type Edited = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** In characters: a text that is edited is no larger than half of this, and may grow by as much. */
const MOST_RESULT = 8 * 1024 * 1024;

/**
 * One after the other, each on what the one before left: all of them, or none. Ends of lines stay what they are there. After
 * each one others have their turn: a hundred of a large text take seconds.
 */
export async function applyEdits(text: string, edits: readonly Edit[], signal: AbortSignal): Promise<Edited> {
  const crlf = isAllCrlf(text); // as nearly every text with returns is: then they are put aside once, and not for each edit
  const begun = crlf ? text.replaceAll("\r\n", "\n") : text;
  let now = begun;
  for (const [i, edit] of edits.entries()) {
    const edited = applyEdit(now, edit);
    if (!edited.ok) return edits.length === 1 ? edited : { ok: false, why: `edit ${i + 1}: ${edited.why}` };
    now = edited.text;
    await others();
    signal.throwIfAborted();
  }
  if (now === begun) return { ok: false, why: "it would change nothing" };
  return { ok: true, text: crlf ? now.replaceAll("\n", "\r\n") : now };
}

function applyEdit(text: string, { old, new: young, all = false }: Edit): Edited {
  if (old === "") return { ok: false, why: "'old' is empty: it must be a text that stands in the file" };
  const plain = withoutReturns(text);
  const wanted = old.replaceAll("\r\n", "\n");
  const places = placesOf(plain.text, wanted);
  if (places.length === 0) return { ok: false, why: "'old' doesn't stand in the file" };
  if (places.length > 1 && !all) {
    const lines = places.slice(0, 10).map((at) => lineAt(plain.text, at));
    const more = places.length > lines.length ? ", …" : "";
    return {
      ok: false,
      why: `'old' stands there ${places.length} times (lines ${lines.join(", ")}${more}): give more of what is around it, or set 'all'`,
    };
  }
  const lines = young.replaceAll("\r\n", "\n");
  const crlfLines = lines.replaceAll("\n", "\r\n");
  const size = text.length + places.length * (crlfLines.length - wanted.length);
  if (size > MOST_RESULT)
    return { ok: false, why: `the text would become too large to be edited (${size} characters)` };
  const pieces: string[] = [];
  let done = 0;
  for (const at of places) {
    const [from, to] = [plain.origin(at), plain.origin(at + wanted.length)];
    const isCrlf = text.slice(from, to).includes("\n") ? text.slice(from, to).includes("\r\n") : plain.mostlyCrlf;
    pieces.push(text.slice(done, from), isCrlf ? crlfLines : lines);
    done = to;
  }
  return { ok: true, text: pieces.join("") + text.slice(done) };
}

function isAllCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

/** The text with plain ends of lines, and where each place of it is in the text itself. */
function withoutReturns(text: string) {
  if (!text.includes("\r\n")) return { text, mostlyCrlf: false, origin: (at: number) => at };
  const removed: number[] = [];
  const plain = text.replace(/\r\n/g, (_, at: number) => {
    removed.push(at - removed.length);
    return "\n";
  });
  const feeds = plain.split("\n").length - 1;
  return {
    text: plain,
    mostlyCrlf: removed.length * 2 > feeds,
    origin: (at: number) => at + countBelow(removed, at),
  };
}

/** How many of these, which are in order, are below a number. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
