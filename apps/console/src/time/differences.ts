import { parentKey } from "@choiros/contract";
import { useEffect, useState } from "react";
import type { ComputerApi } from "../server/computer-api.ts";
import { sentence } from "../server/problem.ts";
import type { Shown } from "../server/shapes.ts";
import type { History } from "./history.ts";

/** What became of a path since. */
export type Difference = "gone" | "changed";

/** After the slider has come to rest. */
const REST_MS = 200;
/** More than these nobody reads one by one. */
const MOST = 200;

export interface Differences {
  /** Which paths of a moment aren't now what they were then. */
  readonly paths: ReadonlyMap<string, Difference>;
  /** Every folder in which, however deep, something isn't. */
  readonly folders: ReadonlySet<string>;
  /** Why none of it is known. */
  readonly problem?: string;
}

const NONE: Differences = { folders: new Set(), paths: new Map() };

/** How a moment differs from now; nothing while that isn't known. */
export function useDifferences(api: ComputerApi, at: number, { head, round }: History): Differences {
  const [found, setFound] = useState<Differences & { of: number }>();
  useEffect(
    () =>
      afterRest(async (signal) => {
        const shown: Shown[] = [];
        try {
          if (at < head) await api.diff({ from: at, to: head }, (item) => shown.push(item), signal);
          setFound({ of: at, ...differencesOf(shown) });
        } catch (error) {
          if (!signal.aborted) setFound({ of: at, ...NONE, problem: sentence(error) });
        }
      }),
    [api, at, head, round],
  );
  return found?.of === at ? found : NONE;
}

/** By what became of the tree since. */
export function differencesOf(shown: readonly Shown[]): Differences {
  const paths = new Map<string, Difference>();
  const folders = new Set<string>();
  const note = (key: string, difference?: Difference) => {
    if (difference !== undefined) paths.set(key, difference);
    for (let above = parentKey(key); above !== undefined && !folders.has(above); above = parentKey(above))
      folders.add(above);
  };
  for (const { change, from } of shown) {
    if (from !== undefined) note(from, "gone");
    if (!("key" in change)) continue;
    if (change.after === null) note(change.key, "gone");
    else note(change.key, change.before === null || from !== undefined ? undefined : "changed"); // what is new wasn't there
  }
  return { folders, paths };
}

export interface Changes {
  readonly of: number;
  readonly shown: readonly Shown[];
  readonly more: boolean;
  readonly problem?: string;
}

/** What one event changed, with the lines; `undefined` while that isn't known. */
export function useChanges(api: ComputerApi, seq: number, { round }: History): Changes | undefined {
  const [changes, setChanges] = useState<Changes>();
  useEffect(
    () =>
      afterRest(async (signal) => {
        const enough = new AbortController();
        const shown: Shown[] = [];
        const add = (item: Shown) => {
          if (shown.push(item) === MOST) enough.abort();
        };
        try {
          await api.diff({ from: seq - 1, to: seq, lines: true }, add, AbortSignal.any([signal, enough.signal]));
        } catch (error) {
          if (signal.aborted) return;
          if (!enough.signal.aborted) return setChanges({ of: seq, shown, more: false, problem: sentence(error) });
        }
        setChanges({ of: seq, shown, more: enough.signal.aborted });
      }),
    [api, seq, round],
  );
  return changes?.of === seq ? changes : undefined;
}

/** Runs something when nothing has changed for a moment, and ends it when something does. */
export function afterRest(work: (signal: AbortSignal) => Promise<void>): () => void {
  const ended = new AbortController();
  const run = () =>
    work(ended.signal).catch((error) => {
      if (!ended.signal.aborted) throw error;
    });
  const timer = setTimeout(run, REST_MS);
  return () => {
    clearTimeout(timer);
    ended.abort();
  };
}
