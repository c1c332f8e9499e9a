import { shownWord } from "../lease/written-path.ts";
import type { Chapter } from "./chapter.ts";
import { writtenBy } from "./written.ts";

const MAX_NAMED = 20;

/** What the user undid, or did again, after an event, as a model is told that goes on from there; "" where that is nothing. */
export async function undoneSince(chapter: Chapter, seq: number): Promise<string> {
  const keys = new Set<string>();
  for await (const event of chapter.read({ types: ["undo"], from: seq + 1 })) {
    if (event.source !== "user") continue;
    for (const key of (await writtenBy(chapter.computer, event))?.keys ?? []) keys.add(key);
  }
  if (keys.size === 0) return "";
  const named = [...keys].slice(0, MAX_NAMED).map(shownWord).join(", ");
  const more = keys.size > MAX_NAMED ? ` and ${keys.size - MAX_NAMED} more` : "";
  return ` The person has undone changes meanwhile, and these aren't as they were left: ${named}${more}. What was undone isn't done any more, whatever was said of it: look at what stands.`;
}
