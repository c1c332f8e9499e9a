import { type Entry, isBelow } from "@choiros/contract";
import { shownPath } from "../shown-path.ts";
import type { Kept } from "./ground.ts";

/** What one path was and became. */
export interface Became {
  readonly base: Entry | null;
  readonly after: Entry | null;
}

/**
 * The paths that a command changed and may not. A new directory is no matter where it only leads to what it may.
 */
export function outsideOf(changes: ReadonlyMap<string, Became>, mayChange: (key: string) => boolean): string[] {
  const allowed: string[] = [];
  const others: string[] = [];
  for (const key of changes.keys()) (mayChange(key) ? allowed : others).push(key);
  return others.filter((key) => {
    const { base, after } = changes.get(key) ?? { base: null, after: null };
    const leads = base === null && after?.kind === "dir" && allowed.some((one) => isBelow(one, key));
    return !leads;
  });
}

/** How it is told that nothing was kept for that. */
export function beyondBounds(outside: readonly string[], rest: Omit<Kept, "outside">): Kept {
  const more = outside.length > SHOWN ? ` and ${outside.length - SHOWN} more` : "";
  const shown = outside.slice(0, SHOWN).map(shownPath).join(", ");
  return {
    ...rest,
    notes: [...rest.notes, `it changed ${shown}${more}, which it may not: nothing of what it did was kept`],
    outside,
  };
}

/** The same where it was more than may be written. */
export function beyondLimit(why: string, rest: Omit<Kept, "tooMuch">): Kept {
  return { ...rest, tooMuch: `${why}: nothing of what it did was kept` };
}

/** Where an overlay is thrown away. */
export const NOTHING_KEPT: Kept = { changed: 0, ignored: false, blocked: [], notes: [] };

const SHOWN = 5;
