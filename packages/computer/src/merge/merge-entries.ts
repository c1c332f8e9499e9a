import { createHash } from "node:crypto";
import type { Entry } from "@choiros/contract";
import { keptMode } from "../folder/stat.ts";
import { MAX_MERGE_BYTES, mergeText, type Overlap } from "./merge-text.ts";

/** A content's bytes, or `undefined` where they were pruned. Asked only for files that are small enough to merge. */
export type ReadEntry = (entry: Entry & { kind: "file" }) => Promise<Uint8Array | undefined>;

/** Why two versions can't be one. */
export type Unmergeable =
  /** Made on both sides, or gone on one and changed on the other. */
  | "created"
  | "deleted"
  /** A file here, a folder or link there. */
  | "kind"
  | "mode"
  /** Two targets of one link. */
  | "link"
  /** Lines that both sides changed. */
  | "overlap"
  | "binary"
  | "too-large"
  | "pruned";

export type EntryMerge =
  /** `bytes` are the content that this entry names, where the merge made it: to be stored first. */
  | { readonly entry: Entry | null; readonly bytes?: Uint8Array }
  | { readonly conflict: Unmergeable; readonly overlaps?: readonly Overlap[] };

/** Whether the same stands there: of a mode, as far as it is kept. A content is its hash. */
export function sameEntry(a: Entry | null | undefined, b: Entry | null | undefined): boolean {
  if (!a || !b) return !a === !b;
  if (a.kind !== b.kind || keptMode(a.mode) !== keptMode(b.mode)) return false;
  return a.kind === "dir" || b.kind === "dir" || a.hash === b.hash;
}

/** Three-way merge of what stands at a path; `null` is nothing. Mode and content are merged each for itself. */
export async function mergeEntries(
  base: Entry | null,
  ours: Entry | null,
  theirs: Entry | null,
  read: ReadEntry,
): Promise<EntryMerge> {
  if (sameEntry(ours, theirs) || sameEntry(theirs, base)) return { entry: ours };
  if (sameEntry(ours, base)) return { entry: theirs };
  if (base === null) return { conflict: "created" };
  if (ours === null || theirs === null) return { conflict: "deleted" };
  if (base.kind !== ours.kind || base.kind !== theirs.kind) return { conflict: "kind" };
  const mode = merged(base.mode, ours.mode, theirs.mode);
  if (mode === undefined) return { conflict: "mode" };
  if (base.kind === "dir" || ours.kind === "dir" || theirs.kind === "dir") return { entry: { kind: "dir", mode } };
  const hash = merged(base.hash, ours.hash, theirs.hash);
  if (hash !== undefined) return { entry: { ...(hash === ours.hash ? ours : theirs), mode } };
  if (base.kind !== "file" || ours.kind !== "file" || theirs.kind !== "file") return { conflict: "link" };
  return mergeContents([base, ours, theirs], mode, read);
}

function merged<Value>(base: Value, ours: Value, theirs: Value): Value | undefined {
  if (theirs === base || ours === theirs) return ours;
  return ours === base ? theirs : undefined;
}

type FileEntry = Entry & { kind: "file" };

async function mergeContents(
  files: readonly [base: FileEntry, ours: FileEntry, theirs: FileEntry],
  mode: number,
  read: ReadEntry,
): Promise<EntryMerge> {
  if (files.some((file) => file.size > MAX_MERGE_BYTES)) return { conflict: "too-large" };
  const [base, ours, theirs] = [await read(files[0]), await read(files[1]), await read(files[2])];
  if (base === undefined || ours === undefined || theirs === undefined) return { conflict: "pruned" };
  const text = mergeText(base, ours, theirs);
  if ("not" in text) return { conflict: text.not };
  if ("conflict" in text) return { conflict: "overlap", overlaps: text.conflict };
  const hash = createHash("sha256").update(text.clean).digest("hex");
  return { bytes: text.clean, entry: { hash, kind: "file", mode, size: text.clean.length } };
}
