import { type Path, pathFromKey } from "@choiros/contract";
import { ROOT, writtenPath } from "../lease/written-path.ts";

/** The path that a model means; all of the computer is none. */
export function pathOf(word: string): Path | { readonly why: string } {
  const written = writtenPath(word);
  if ("why" in written) return written;
  return written.key === ROOT
    ? { why: "a task can't have all of the computer: name what it needs" }
    : pathFromKey(written.key);
}
