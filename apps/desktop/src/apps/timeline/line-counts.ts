import { Entry } from "@choiros/contract";
import { useEffect, useMemo, useState } from "react";
import { z } from "zod";
import type { DeskApi } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { diffCounts } from "../../shown/diff-body.ts";
import { afterRest } from "./rest.ts";

export interface Counts {
  readonly added: number;
  readonly removed: number;
}

/** More letters than these aren't compared for a line that somebody only passes. */
const MOST_BYTES = 100_000;
/** Whoever scrolls on doesn't wait for it. */
const REST_MS = 250;
const KEPT = 1000;

const One = z.object({ changes: z.tuple([z.object({ before: Entry.nullable(), after: Entry })]) });

/** What may make another version of a file. */
const TYPES: ReadonlySet<string> = new Set(["file.write", "files.changed", "undo"]);

/** Whether how many lines came and went is soon known: another version of one file that isn't large, whoever made it. */
export function isCounted({ event }: Moment): boolean {
  if (!TYPES.has(event.type)) return false;
  const [change] = One.safeParse(event.payload).data?.changes ?? [];
  return [change?.before ?? undefined, change?.after].every(
    (entry) => entry !== undefined && entry.kind === "file" && entry.size <= MOST_BYTES,
  );
}

const known = new Map<number, Counts>();
/** One after the other: what somebody does meanwhile comes first. */
let turn: Promise<unknown> = Promise.resolve();

/** How many lines came and went, once a line has been in sight for a moment. */
export function useCounts(desk: DeskApi, moment: Moment | undefined): Counts | undefined {
  const seq = useMemo(() => (moment !== undefined && isCounted(moment) ? moment.event.seq : undefined), [moment]);
  const [counts, setCounts] = useState(() => known.get(seq ?? 0));
  useEffect(() => {
    const there = known.get(seq ?? 0);
    setCounts(there);
    if (seq === undefined || there !== undefined) return undefined;
    return afterRest(REST_MS, (signal) => {
      turn = turn.then(async () => {
        if (signal.aborted) return;
        const found = await countsOf(desk, seq, signal).catch(() => undefined); // then it is told without
        if (found === undefined) return;
        if (known.size >= KEPT) known.clear();
        known.set(seq, found);
        if (!signal.aborted) setCounts(found);
      });
    });
  }, [desk, seq]);
  return counts;
}

async function countsOf(desk: DeskApi, seq: number, signal: AbortSignal): Promise<Counts> {
  let [added, removed] = [0, 0];
  await desk.files.diff(
    { from: seq - 1, to: seq },
    {
      signal,
      onItem({ lines = "" }) {
        const one = diffCounts(lines);
        added += one.added;
        removed += one.removed;
      },
    },
  );
  return { added, removed };
}
