import type { Key } from "./schema.ts";

/** Where a setting stands. A file without a line is meant as a whole. */
export type Place = { readonly file: string; readonly line?: number } | { readonly variable: string };

export type Origin = "default" | Place;

export interface ConfigProblem {
  readonly place: Place;
  /** All of it, place included, on one line. */
  readonly text: string;
}

export interface Setting {
  readonly key: Key;
  readonly place: Place;
  readonly value: unknown;
}

/** What one source, the file or the environment, has to say. */
export interface Reading {
  readonly problems: readonly ConfigProblem[];
  readonly settings: readonly Setting[];
}

export function showPlace(place: Place): string {
  if ("variable" in place) return place.variable;
  return place.line === undefined ? place.file : `${place.file}:${place.line}`;
}
