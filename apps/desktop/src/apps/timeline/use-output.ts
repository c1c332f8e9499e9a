import { ContentRef } from "@choiros/contract";
import { useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { Moment } from "../../desk/socket.ts";
import { MOST_BYTES, useLiveOutput } from "../../shown/live-output.ts";
import { outputText } from "../../shown/output-text.ts";
import { useWatched } from "../../watched.ts";

export interface WrittenOutput {
  /** How much it is in all, once it is over. */
  readonly size: number;
  readonly isRunning: boolean;
  readonly written: string | undefined;
  readonly problem: string | undefined;
}

/** What a command wrote: with the event that says how it ended, and with the one that called it; while it runs, as it comes. */
export function useOutput(desk: DeskApi, moment: Moment): WrittenOutput {
  const end = useEnd(desk, moment);
  const { cause, type } = moment.event;
  const call = cause?.call ?? "";
  const isRunning = useWatched(desk.calls).has(call) && type === "tool.call" && end === undefined;
  const live = useLiveOutput(desk, isRunning ? call : undefined);
  const [written, setWritten] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const seq = end?.event.seq;
  const size = (end && ContentRef.safeParse(end.event.payload.output).data?.size) ?? 0;
  useEffect(() => {
    if (seq === undefined || size === 0) return;
    const ended = new AbortController();
    setProblem(undefined);
    desk.output(seq, Math.max(0, size - MOST_BYTES), { signal: ended.signal }).then(
      (text) => setWritten(text === undefined ? undefined : outputText(text)),
      (error: unknown) => {
        if (!ended.signal.aborted) setProblem(sentence(error));
      },
    );
    return () => ended.abort();
  }, [desk, seq, size]);
  return { size, isRunning, written: written ?? live, problem };
}

const END = "tool.result";

/** The event that says how the command of this one ended, once there is one. */
function useEnd(desk: DeskApi, moment: Moment): Moment | undefined {
  const [end, setEnd] = useState<Moment>();
  const { cause, type } = moment.event;
  const call = type === "tool.call" ? cause?.call : undefined;
  useEffect(() => {
    if (call === undefined) return;
    const ended = new AbortController();
    desk.events({ cause: { call }, type: [END], limit: 1 }, { signal: ended.signal, onItem: setEnd }).catch(() => {}); // what it led to is asked for as well, and says why
    const leave = desk.follow((moments) => {
      const found = moments.find(({ event }) => event.type === END && event.cause?.call === call);
      if (found !== undefined) setEnd(found);
    });
    return () => {
      ended.abort();
      leave();
    };
  }, [desk, call]);
  return call === undefined ? moment : end;
}
