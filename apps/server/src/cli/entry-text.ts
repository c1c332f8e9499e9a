import { shownPath } from "@choiros/computer";
import { Entry } from "@choiros/contract";
import type { Change, Shown } from "@choiros/gateway/operations";
import { size } from "./plain.ts";

/** What stands somewhere, in a few words: `1.5 kB, 9f2c1a04`. */
export function entryText(value: unknown): string {
  if (value === null) return "nothing";
  const entry = Entry.safeParse(value);
  if (!entry.success) return JSON.stringify(value); // a window or a setting
  const { data } = entry;
  if (data.kind === "dir") return `a directory, mode ${modeText(data.mode)}`;
  const kind = data.kind === "link" ? "a link, " : "";
  return `${kind}${size(data.size)}, ${data.hash.slice(0, 8)}, mode ${modeText(data.mode)}`;
}

export function modeText(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}

/** A change in one line: `changed  notes.md  12 B, 9f2c1a04, mode 0644 -> 14 B, …`. */
export function changeText(change: Change): string {
  const { before, after } = change;
  const what = before === null ? "created" : after === null ? "deleted" : "changed";
  return `${what}  ${changedName(change)}  ${entryText(before)} -> ${entryText(after)}`;
}

/** With the path as a command takes it, in place of the key. */
export function changeJson({ change, from }: Shown) {
  const { before, after } = change;
  if ("name" in change) return { name: change.name, before, after };
  const path = shownPath(change.key);
  return from === undefined ? { path, before, after } : { path, from: shownPath(from), before, after };
}

function changedName(change: Change): string {
  return "name" in change ? `name:${change.name}` : shownPath(change.key);
}
