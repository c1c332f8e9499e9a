import type { Entry } from "@choiros/contract";
import { renamedDiff, type Side, unifiedDiff } from "../merge/unified-diff.ts";
import type { Change, TreeChange } from "../outcome.ts";

/** One change as a preview shows it. */
export type Described =
  | {
      readonly key: string;
      readonly what: Happened;
      readonly before: Entry | null;
      readonly after: Entry | null;
      /** How many bytes more or less it takes. */
      readonly grows: number;
      /** As git writes it, for files and links that are small enough to be shown. */
      readonly diff?: string;
    }
  | { readonly name: string; readonly what: "created" | "changed" | "deleted" };

type Happened = "created" | "changed" | "deleted" | "mode" | "replaced";

/** The bytes of a file, or a link's target; `undefined` where they are gone. */
type ReadBytes = (entry: Exclude<Entry, { kind: "dir" }>) => Promise<Uint8Array | undefined>;

/** Larger files are named with their sizes and not shown. */
export const MAX_SHOWN_BYTES = 64 * 1024;

/** One after the other, so that whoever shows them reads no more files than are looked at. */
export async function* describeChanges(changes: Iterable<Change>, read: ReadBytes): AsyncGenerator<Described> {
  for (const change of changes) {
    if ("name" in change) {
      yield { name: change.name, what: cameOrWent(change) ?? "changed" };
      continue;
    }
    const { key, before, after } = change;
    const diff = await shownDiff(key, before, after, read);
    const described = { key, what: whatHappened(before, after), before, after, grows: sizeOf(after) - sizeOf(before) };
    yield diff === undefined ? described : { ...described, diff };
  }
}

/** A file or a link that stands somewhere else now, as git writes it. */
export function movedDiff(gone: TreeChange, came: TreeChange): string {
  return renamedDiff({ key: gone.key, mode: modeOf(gone.before) }, { key: came.key, mode: modeOf(came.after) });
}

function whatHappened(before: Entry | null, after: Entry | null): Happened {
  const came = cameOrWent({ before, after });
  if (came !== undefined) return came;
  if (before?.kind !== after?.kind) return "replaced";
  return hashOf(before) === hashOf(after) ? "mode" : "changed";
}

function cameOrWent({ before, after }: { before: unknown; after: unknown }): "created" | "deleted" | undefined {
  if (before === null) return "created";
  return after === null ? "deleted" : undefined;
}

function sizeOf(entry: Entry | null): number {
  return entry === null || entry.kind === "dir" ? 0 : entry.size;
}

function hashOf(entry: Entry | null): string | undefined {
  return entry === null || entry.kind === "dir" ? undefined : entry.hash;
}

/** What is the same on both sides shows in no diff, and needn't be read. */
async function shownDiff(key: string, before: Entry | null, after: Entry | null, read: ReadBytes) {
  const alike = before?.kind === after?.kind && hashOf(before) === hashOf(after);
  const bytesOf: ReadBytes = alike ? async () => NOT_READ : readSmall(read);
  const [old, young] = [await sideOf(before, bytesOf), await sideOf(after, bytesOf)];
  const diff = old === undefined || young === undefined ? "" : unifiedDiff(key, old, young);
  return diff === "" ? undefined : diff;
}

const NOT_READ = new Uint8Array();

function readSmall(read: ReadBytes): ReadBytes {
  return async (entry) => (entry.size > MAX_SHOWN_BYTES ? undefined : read(entry));
}

/** One side of a diff; `null` for nothing, as a directory is to git, `undefined` for what can't be shown. */
async function sideOf(entry: Entry | null, read: ReadBytes): Promise<Side | null | undefined> {
  if (entry === null || entry.kind === "dir") return null;
  const bytes = await read(entry);
  return bytes && { mode: modeOf(entry), bytes };
}

function modeOf(entry: Entry | null): number {
  return entry?.kind === "link" ? LINK : FILE | (entry?.mode ?? 0);
}

const FILE = 0o100000;
const LINK = 0o120000;
