import { Path, pathFromKey } from "@choiros/contract";
import { partsOf } from "./folder/names.ts";

/** What is wrong with a path that somebody wants to act on; goes on from the path. */
export function checkKey(key: string): string | undefined {
  const parts = partsOf(key);
  if ("why" in parts) return parts.why;
  if (parts.length < 2) return "is one of a computer's areas, which always stand: name something in it";
  const path = Path.safeParse(pathFromKey(key));
  return path.success ? undefined : path.error.issues[0]?.message;
}
