import type { Entry } from "@choiros/contract";
import type { ContentSource } from "@choiros/log";
import { commit, withParents } from "../commit.ts";
import type { WriteOptions } from "../computer-port.ts";
import { keptMode } from "../folder/stat.ts";
import { mergeEntries } from "../merge/merge-entries.ts";
import type { Change, Outcome, Refused } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { readEntry } from "../read-entry.ts";
import { nameBeside } from "../reconcile.ts";
import { shownPath } from "../shown-path.ts";

type FileEntry = Entry & { kind: "file" };

/** A new content for a file, or a new file with the directories above it. */
export async function writeFile(
  parts: Parts,
  key: string,
  source: ContentSource,
  options: WriteOptions = {},
): Promise<Outcome> {
  const content = await parts.contents.put(source); // before the turn: a large one takes its time
  return parts.turns.take(async () => {
    const { notes: found } = await parts.reconciler.ready([key]);
    const now = (await parts.state.entries([key])).get(key) ?? null;
    if (now?.kind === "dir") return refused(`${shownPath(key)} is a directory: write to a file in it`);
    const mode = keptMode(options.mode ?? (now?.kind === "file" ? now.mode : 0o644));
    const after: FileEntry = { ...content, kind: "file", mode };
    const settled = await settle(parts, key, now, after, options);
    if ("ok" in settled) return settled;
    const { changes, notes, beside } = settled;
    const complete = await withParents(parts, changes);
    if ("why" in complete) return refused(complete.why);
    const all = { ...options, notes: [...found, ...notes] };
    const outcome = await commit(parts, { type: "file.write", extra: {} }, complete, all);
    return outcome.ok && beside !== undefined ? { ...outcome, beside } : outcome;
  });
}

interface Settled {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  readonly beside?: string;
}

/** Where the writer had read something else than what stands: both in one, or both kept. */
async function settle(
  parts: Parts,
  key: string,
  now: Entry | null,
  after: FileEntry,
  { base, beside: wanted }: WriteOptions,
): Promise<Settled | Refused> {
  const stands = now?.kind === "file" ? now.hash : null;
  if (base === undefined || base === stands || (now === null && wanted !== false)) {
    return { changes: [{ key, before: now, after }], notes: [] };
  }
  const read = base === null ? null : await fileOf(parts, base, after.mode);
  const merged =
    read === undefined || now === null ? undefined : await mergeEntries(read, now, after, readEntry(parts.contents));
  if (merged !== undefined && "entry" in merged && merged.entry !== null) {
    if (merged.bytes !== undefined) await parts.contents.put(merged.bytes);
    const note = `${shownPath(key)} had changed since it was read: both changes were put together`;
    return { changes: [{ key, before: now, after: merged.entry }], notes: [note] };
  }
  if (wanted === false)
    return refused(`${shownPath(key)} had changed since it was read, in the same places: look at it, and write it then`, "conflict"); // biome-ignore format: in one line
  const beside = await freeName(parts, key, "other version");
  const note = `${shownPath(key)} had changed since it was read, in the same places: what was written is in ${shownPath(beside)}`;
  return { changes: [{ key: beside, before: null, after }], notes: [note], beside };
}

/** What the writer had read, as an entry; `undefined` where its bytes are gone. */
async function fileOf(parts: Parts, hash: string, mode: number): Promise<FileEntry | undefined> {
  const bytes = await parts.contents.get(hash);
  if (bytes === undefined) return undefined;
  let size = 0;
  for await (const chunk of bytes) size += chunk.length;
  return { hash, kind: "file", mode, size };
}

/** A name beside a path where nothing stands yet. */
async function freeName(parts: Parts, key: string, whose: string): Promise<string> {
  for (let number = 1; ; number++) {
    const beside = nameBeside(key, whose, number);
    const there = await parts.state.entries([beside]);
    if (!there.has(beside) && (await parts.folder.look([beside]))[0]?.is === "nothing") return beside;
  }
}

export function refused(message: string, reason: Refused["reason"] = "invalid"): Refused {
  return { ok: false, reason, message };
}
