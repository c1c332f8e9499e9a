import type { Entry } from "@choiros/contract";
import type { Change, TreeChange } from "./outcome.ts";

/** So many paths are landed together: what is known of each, and how it went, is held no longer than that. */
const LANDING_PAGE = 20_000;

/**
 * The paths of an event's changes, in pages that can be landed one after the other: what leaves from the bottom up, then
 * what comes from the top down. Where that order is not enough (a path becomes another kind of thing, or a directory is
 * closed to its owner and has to be opened for what is in it), they are one page.
 */
export function landingPages(changes: readonly Change[], most = LANDING_PAGE): string[][] {
  const paths = changes.filter((change) => "key" in change);
  if (paths.length <= most || paths.some(isIntricate)) return paths.length === 0 ? [] : [paths.map(({ key }) => key)];
  const leaving = paths.filter(({ after }) => after === null).map(({ key }) => key);
  const coming = paths.filter(({ after }) => after !== null).map(({ key }) => key);
  return [...pages(leaving.sort().reverse(), most), ...pages(coming.sort(), most)];
}

function isIntricate({ before, after }: TreeChange): boolean {
  return (before !== null && after !== null && before.kind !== after.kind) || isClosed(before) || isClosed(after);
}

function isClosed(entry: Entry | null): boolean {
  return entry?.kind === "dir" && (entry.mode & 0o700) !== 0o700;
}

function pages(keys: readonly string[], most: number): string[][] {
  const all: string[][] = [];
  for (let at = 0; at < keys.length; at += most) all.push(keys.slice(at, at + most));
  return all;
}
