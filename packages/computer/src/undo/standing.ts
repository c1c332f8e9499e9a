import type { Entry, Json } from "@choiros/contract";
import { slices } from "./slices.ts";

/** What stands now, as a plan needs to know it. Every map lacks what isn't there; lists are of a few thousand at most. */
export interface Standing {
  entries(keys: readonly string[]): Promise<ReadonlyMap<string, Entry>>;
  /** Windows and settings. */
  values(names: readonly string[]): Promise<ReadonlyMap<string, Json>>;
  /** How many entries stand directly in each of these directories. */
  children(keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** What stood there before all that is to be undone: a folder that has to be made again gets its mode from here. */
  earlier(keys: readonly string[]): Promise<ReadonlyMap<string, Entry>>;
  /** Which of these contents are gone from history, and so can't be brought back. */
  gone(hashes: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Asks for any number of keys, slice by slice. */
export async function ask<Value>(
  keys: Iterable<string>,
  answer: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): Promise<Map<string, Value>> {
  const all = new Map<string, Value>();
  for await (const slice of slices(keys)) {
    for (const [key, value] of await answer(slice)) all.set(key, value);
  }
  return all;
}
