import { freeName } from "@choiros/contract";

/** How much of a name is chosen when it is to be changed: all but a file's ending. */
export function stemLength(name: string, kind: "file" | "link" | "dir"): number {
  const dot = kind === "dir" ? -1 : name.lastIndexOf(".");
  return dot > 0 ? dot : name.length;
}

/** The key of a copy beside what it is made from: `a copy.md`, `a copy 2.md`. */
export function copyKey(key: string, kind: "file" | "link" | "dir", taken: ReadonlySet<string>): string {
  const slash = key.lastIndexOf("/") + 1;
  const end = slash + stemLength(key.slice(slash), kind);
  const stem = key.slice(0, end).replace(/ copy(?: \d+)?$/, "");
  return freeName(`${stem} copy${key.slice(end)}`, taken);
}
