import { ContentRef } from "@choiros/contract";
import { useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { Moment } from "../../desk/socket.ts";
import { fileSize } from "../../words.ts";
import { outputText } from "./output-text.ts";

/** Of a long output the end is read. */
const MOST_BYTES = 64 * 1024;

interface OutputParts {
  readonly desk: DeskApi;
  readonly moment: Moment;
}

/** What a command wrote: with the event that says how it ended, and with the one that called it. */
export function CommandOutput({ desk, moment }: OutputParts) {
  const end = useEnd(desk, moment);
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
  if (written === undefined && problem === undefined) return null;
  return (
    <section className="moment-part" aria-label="Output">
      <h4>Output</h4>
      {size > MOST_BYTES && (
        <p className="faint">
          The last {fileSize(MOST_BYTES)} of {fileSize(size)}
        </p>
      )}
      {problem !== undefined && (
        <p className="moment-said" data-wrong>
          {problem}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled by keyboard, too */}
      {written !== undefined && <pre className="moment-output" tabIndex={0} children={written} />}
    </section>
  );
}

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

const END = "tool.result";
