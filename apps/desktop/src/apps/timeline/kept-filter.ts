import type { Json } from "@choiros/contract";
import { z } from "zod";
import { type Filter, parseFilter } from "./filter.ts";

const Kept = z.object({ filter: z.unknown(), seq: z.number().exactOptional() });

/** What was searched for in this window before the page was loaded anew, if it was opened at the same event. */
export function keptFilter(window: string, seq: Json | undefined): Filter | undefined {
  try {
    const kept = Kept.safeParse(JSON.parse(sessionStorage.getItem(nameOf(window)) ?? "")).data;
    return kept !== undefined && kept.seq === seq ? parseFilter(kept.filter) : undefined;
  } catch {
    return undefined; // there is none, or this browser keeps nothing
  }
}

export function keepFilter(window: string, seq: Json | undefined, filter: Filter): void {
  try {
    if (Object.keys(filter).length === 0) sessionStorage.removeItem(nameOf(window));
    else sessionStorage.setItem(nameOf(window), JSON.stringify({ filter, seq }));
  } catch {
    // this browser keeps nothing
  }
}

function nameOf(window: string): string {
  return `choir.timeline.${window}`;
}
