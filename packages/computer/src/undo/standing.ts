import type { Entry, Json } from "@choiros/contract";
import type { ContentState } from "@choiros/log";
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
  /** Which of these contents can't be brought back, and why. */
  gone(hashes: readonly string[]): Promise<ReadonlyMap<string, Loss>>;
}

/** What has become of a content that can't be brought back. */
export type Loss = Exclude<ContentState, "present">;

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
