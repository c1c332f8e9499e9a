import { hash as digest } from "node:crypto";
import type { ContentState } from "../contents.ts";
import type { ContentsFile, KeptContent } from "./contents-file.ts";
import { Refusal } from "./refusal.ts";

/** What one call to the disk's thread says of many contents. `large` lie elsewhere, and have to be asked for one by one. */
export type PageState = ContentState | "large";

/** The bytes of those that are small and whole. */
export function bytesOfMany(contents: ContentsFile, hashes: readonly string[]): (Uint8Array | null)[] {
  return hashes.map((hash) => {
    const kept = keptIn(contents, hash, true);
    return kept !== undefined && kept !== "damaged" && isWhole(kept, hash) ? kept.bytes : null;
  });
}

/** How each is; with `read`, by its bytes, else by what is noted of it. */
export function statesOfMany(contents: ContentsFile, hashes: readonly string[], read: boolean): PageState[] {
  return hashes.map((hash) => {
    const kept = keptIn(contents, hash, read);
    if (kept === undefined) return "missing";
    if (kept === "damaged") return "damaged";
    if (kept.dropped !== null) return "pruned";
    if (!kept.small) return "large";
    return !read || isWhole(kept, hash) ? "present" : "damaged";
  });
}

function isWhole({ bytes, size }: KeptContent, hash: string): boolean {
  return bytes !== null && bytes.length === size && digest("sha256", bytes) === hash;
}

function keptIn(contents: ContentsFile, hash: string, bytes: boolean): KeptContent | undefined | "damaged" {
  try {
    return contents.get(hash, bytes);
  } catch (error) {
    if (error instanceof Refusal) return "damaged";
    throw error;
  }
}
