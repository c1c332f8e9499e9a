/** One replacement, exact to the character; ends of lines aside. */
export interface Edit {
  readonly old: string;
  readonly new: string;
  /** Everywhere, not just in the one place where it stands. */
  readonly all?: boolean | undefined;
}

export type Edited = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** One after the other, each on what the one before left: all of them, or none. Ends of lines stay what they are there. */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  let now = text;
  for (const [i, edit] of edits.entries()) {
    const edited = applyEdit(now, edit);
    if (!edited.ok) return edits.length === 1 ? edited : { ok: false, why: `edit ${i + 1}: ${edited.why}` };
    now = edited.text;
  }
  return now === text ? { ok: false, why: "it would change nothing" } : { ok: true, text: now };
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
  let [result, done] = ["", 0];
  for (const at of places) {
    const [from, to] = [plain.origin(at), plain.origin(at + wanted.length)];
    const isCrlf = text.slice(from, to).includes("\n") ? text.slice(from, to).includes("\r\n") : plain.mostlyCrlf;
    const lines = young.replaceAll("\r\n", "\n");
    result += text.slice(done, from) + (isCrlf ? lines.replaceAll("\n", "\r\n") : lines);
    done = to;
  }
  return { ok: true, text: result + text.slice(done) };
}

/** The text with plain ends of lines, and where each place of it is in the text itself. */
function withoutReturns(text: string) {
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
