import { useEffect, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import { sentence } from "../desk/problem.ts";
import type { Shown } from "../desk/shapes.ts";
import type { Moment } from "../desk/socket.ts";
import { hasChanges } from "./has-changes.ts";

export interface Changes {
  readonly shown: readonly Shown[];
  /** How many aren't shown. */
  readonly more: number;
  readonly done: boolean;
  readonly problem?: string;
}

/** So many are drawn. */
const MOST = 50;
const NONE: Changes = { shown: [], more: 0, done: false };

/** What an event changed, with the lines; of very many the first. */
export function useChanges(desk: DeskApi, moment: Moment, round: number): Changes {
  const [changes, setChanges] = useState(NONE);
  useEffect(() => {
    if (!hasChanges(moment)) return;
    const ended = new AbortController();
    const { payload, seq } = moment.event;
    const many = Array.isArray(payload.changes) ? payload.changes.length : Number(payload.count);
    const shown: Shown[] = [];
    const finish = (problem?: string) => {
      const more = problem === undefined && shown.length >= MOST ? Math.max(0, many - shown.length) : 0;
      setChanges({ shown: [...shown], more, done: true, ...(problem !== undefined && { problem }) });
    };
    const onItem = (one: Shown) => {
      if (shown.push(one) === MOST) ended.abort(ENOUGH);
    };
    setChanges(NONE);
    desk.files.diff({ from: seq - 1, to: seq }, { signal: ended.signal, onItem }).then(
      () => finish(),
      (error: unknown) => {
        if (ended.signal.reason === ENOUGH) finish();
        else if (!ended.signal.aborted) finish(sentence(error));
      },
    );
    return () => ended.abort();
  }, [desk, moment, round]);
  return changes;
}

/** Why the rest isn't read. */
const ENOUGH = "enough";
