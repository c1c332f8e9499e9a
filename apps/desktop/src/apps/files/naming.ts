import { freeName } from "@choiros/contract";
import { stemLength } from "../../shell/stem-length.ts";

/** The key of a copy beside what it is made from: `a copy.md`, `a copy 2.md`. */
export function copyKey(key: string, kind: "file" | "link" | "dir", taken: ReadonlySet<string>): string {
  const slash = key.lastIndexOf("/") + 1;
  const end = slash + stemLength(key.slice(slash), kind === "dir");
  const stem = key.slice(0, end).replace(/ copy(?: \d+)?$/, "");
  return freeName(`${stem} copy${key.slice(end)}`, taken);
}
