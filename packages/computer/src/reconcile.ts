import { type Entry, parentKey } from "@choiros/contract";
import { sameEntry } from "./merge/merge-entries.ts";

/** The three trees at one path. */
export interface Standing {
  /** What the log says should stand there. */
  readonly state: Entry | null;
  /** What the disk had when we last looked or landed; `undefined` where nobody knows any more. */
  readonly seen: Entry | null | undefined;
  /** What is there now. */
  readonly disk: Entry | null;
  /** Whether the disk has nothing, or what the log once had there: asked where `seen` isn't known. */
  readonly former: boolean;
}

/**
 * What to do about a path:
 * - `settled`: it is as it should be;
 * - `land`: the folder has what we left there, and the log has moved on;
 * - `capture`: somebody else changed it, and nobody else did;
 * - `merge`: both changed it.
 */
export type Verdict = "settled" | "land" | "capture" | "merge";

export function judge({ state, seen, disk, former }: Standing): Verdict {
  if (sameEntry(disk, state)) return "settled";
  // Without a memory of our own: what the log once had there was never landed over; anything else is somebody's work.
  if (seen === undefined) return former ? "land" : "capture";
  if (sameEntry(disk, seen)) return "land";
  if (sameEntry(state, seen)) return "capture";
  // A deletion never covers what came or changed meanwhile, whoever deleted.
  if (disk === null) return "land";
  return state === null ? "capture" : "merge";
}

/** A name beside a path for the other of two versions that can't be merged: `notes (outside).md`, `notes (outside 2).md`. */
export function nameBeside(key: string, whose: string, number: number): string {
  const parent = parentKey(key);
  const name = parent === undefined ? key : key.slice(parent.length + 1);
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const label = number === 1 ? whose : `${whose} ${number}`;
  const beside = `${stem} (${label})${ending}`;
  return parent === undefined ? beside : `${parent}/${beside}`;
}
