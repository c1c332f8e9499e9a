import {
  ChangeList,
  type ContentRef,
  type KeyChange,
  type PathChange,
  recognise,
  references,
  referencesOfChanges,
} from "@choiros/contract";
import type { ContentState, Contents } from "./contents.ts";
import type { Log } from "./log.ts";

export interface ContentsReport {
  readonly ok: boolean;
  /** How many different contents the log names. */
  readonly contents: number;
  /** Removed on purpose: no fault, but what they held can't come back. */
  readonly pruned: number;
  readonly problems: readonly ContentProblem[];
}

export interface ContentProblem {
  readonly hash: string;
  readonly state: "missing" | "damaged";
  /** The first event that names it. */
  readonly seq: number;
}

/** Reads every content that the log names, and says which are pruned, missing or damaged. */
export async function verifyContents(log: Log, contents: Contents, signal?: AbortSignal): Promise<ContentsReport> {
  const states = new Map<string, ContentState>();
  const problems: ContentProblem[] = [];
  const check = async (ref: ContentRef, seq: number) => {
    signal?.throwIfAborted();
    if (states.has(ref.hash)) return;
    const state = await contents.check(ref.hash);
    states.set(ref.hash, state);
    if (state === "missing" || state === "damaged") problems.push({ hash: ref.hash, state, seq });
  };
  for await (const event of log.read()) {
    const known = recognise(event);
    if (!known.ok) continue; // a newer version wrote it, and knows what it names
    const named = references(known.value);
    for (const ref of named.contents) await check(ref, event.seq);
    if (named.list === undefined || states.get(named.list.hash) !== "present") continue;
    const list = await readList(contents, named.list);
    if (list === undefined) problems.push({ hash: named.list.hash, state: "damaged", seq: event.seq });
    for (const ref of referencesOfChanges(list ?? [])) await check(ref, event.seq);
  }
  const pruned = [...states.values()].filter((state) => state === "pruned").length;
  return { ok: problems.length === 0, contents: states.size, pruned, problems };
}

/** The changes of a list; `undefined` where the content holds something else. */
async function readList(contents: Contents, list: ContentRef): Promise<(PathChange | KeyChange)[] | undefined> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await contents.get(list.hash)) ?? []) chunks.push(chunk);
  try {
    return ChangeList.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  } catch {
    return undefined; // its bytes are what was stored, but whoever stored them meant something else
  }
}
