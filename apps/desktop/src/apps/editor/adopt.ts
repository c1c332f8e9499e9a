import { type Doc, isSettled, restored, typed } from "./document.ts";

type Left = Pick<Doc, "base" | "local" | "sent">;

/**
 * The file with what was typed in lives that ended, the newest first. One that doesn't go together with a newer one isn't
 * taken: it stays for another time.
 */
export function adopt<Draft extends Left>(
  doc: Doc,
  [newest, ...older]: readonly Draft[],
): { doc: Doc; taken: Draft[] } {
  if (newest === undefined) return { doc, taken: [] };
  let { doc: next } = restored(newest, doc.file);
  const taken = [newest];
  for (const draft of older) {
    const together = restored(draft, { hash: undefined, text: next.local }).doc;
    if (!isSettled(together)) continue;
    next = typed(next, together.local);
    taken.push(draft);
  }
  return { doc: next, taken };
}
