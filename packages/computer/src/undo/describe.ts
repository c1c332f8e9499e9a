import type { Entry } from "@choiros/contract";
import type { ReadEntry } from "../merge/merge-entries.ts";
import { unifiedDiff } from "../merge/unified-diff.ts";
import type { Change } from "../outcome.ts";

/** One change as a preview shows it. */
export type Described =
  | {
      readonly key: string;
      readonly what: Happened;
      readonly before: Entry | null;
      readonly after: Entry | null;
      /** How many bytes more or less it takes. */
      readonly grows: number;
      /** Line by line, for a file of text that is small enough to be shown. */
      readonly diff?: string;
    }
  | { readonly name: string; readonly what: "created" | "changed" | "deleted" };

type Happened = "created" | "changed" | "deleted" | "mode" | "replaced";

/** Larger files are named with their sizes and not shown. */
export const MAX_SHOWN_BYTES = 64 * 1024;

/** One after the other, so that whoever shows them reads no more files than are looked at. */
export async function* describeChanges(changes: Iterable<Change>, read: ReadEntry): AsyncGenerator<Described> {
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

async function shownDiff(key: string, before: Entry | null, after: Entry | null, read: ReadEntry) {
  if (hashOf(before) === hashOf(after)) return undefined;
  const [old, young] = [await shown(before, read), await shown(after, read)];
  return old === undefined || young === undefined ? undefined : unifiedDiff(key, old, young);
}

/** The bytes of what a diff can show; `null` for nothing, `undefined` for what it can't. */
async function shown(entry: Entry | null, read: ReadEntry): Promise<Uint8Array | null | undefined> {
  if (entry === null) return null;
  if (entry.kind !== "file" || entry.size > MAX_SHOWN_BYTES) return undefined;
  return read(entry);
}
