import { type ReactNode, useEffect, useState } from "react";
import type { DeskApi, Part } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import { useLiveOutput } from "../../shown/live-output.ts";
import { Markdown } from "../../shown/markdown.tsx";
import { outputText } from "../../shown/output-text.ts";
import { fileSize } from "../../words.ts";

/** Of a long output the end is read. */
const MOST_BYTES = 32 * 1024;

interface ContentParts {
  readonly desk: DeskApi;
  /** The event that names it. */
  readonly seq: number;
  readonly size: number;
  readonly part: Part;
}

interface OutputParts {
  readonly desk: DeskApi;
  readonly call: string;
  /** Where it is kept, once the command has ended; `isQuiet` where nothing has to be said of nothing. */
  readonly end?: { readonly seq: number; readonly size: number; readonly isQuiet: boolean };
}

/** What a command has written, also before this was looked at. What came live stays until what is kept has been read. */
export function CommandOutput({ desk, call, end }: OutputParts) {
  const live = useLiveOutput(desk, end === undefined ? call : undefined);
  const from = Math.max(0, (end?.size ?? 0) - MOST_BYTES);
  const read = useContent(desk, { seq: end !== undefined && end.size > 0 ? end.seq : undefined, part: "output", from });
  if (end === undefined)
    return live === undefined ? <Quiet>Nothing written yet.</Quiet> : <Written name="Output so far">{live}</Written>;
  if (end.size === 0) return end.isQuiet ? null : <Quiet>It wrote nothing.</Quiet>;
  if (read.problem !== undefined) return <p className="card-reason">{read.problem}</p>;
  const text = read.text === undefined ? live : outputText(read.text);
  return (
    <>
      {from > 0 && (
        <Quiet>
          The last {fileSize(MOST_BYTES)} of {fileSize(end.size)}
        </Quiet>
      )}
      {text === undefined ? (
        <Quiet>{read.done ? "It isn't kept any more." : "…"}</Quiet>
      ) : (
        <Written name="Output">{text}</Written>
      )}
    </>
  );
}

/** The end is what counts: it is in sight from the beginning, and stays so as more comes. */
function Written({ name, children }: { name: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled by keyboard, too
    <div className="card-live" role="log" aria-label={name} tabIndex={0}>
      <pre>{children}</pre>
    </div>
  );
}

export function Quiet({ children }: { children: ReactNode }) {
  return <p className="card-quiet faint">{children}</p>;
}

/** What a tool said, once that is kept; of much, the end. */
export function Content({ desk, seq, size, part }: ContentParts) {
  const read = useContent(desk, { seq, part, from: Math.max(0, size - MOST_BYTES) });
  if (read.problem !== undefined) return <p className="card-reason">{read.problem}</p>;
  if (read.text === undefined) return <p className="card-quiet faint">{read.done ? "It isn't kept any more." : "…"}</p>;
  return (
    <>
      {size > MOST_BYTES && (
        <p className="card-quiet faint">
          The last {fileSize(MOST_BYTES)} of {fileSize(size)}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled by keyboard, too */}
      <pre className="card-output" tabIndex={0}>
        {outputText(read.text)}
      </pre>
    </>
  );
}

/** What an agent wrote for people to read. */
export function Words({ desk, seq, part }: Omit<ContentParts, "size">) {
  const read = useContent(desk, { seq, part, from: 0 });
  if (read.problem !== undefined) return <p className="card-reason">{read.problem}</p>;
  if (read.text === undefined) return <p className="faint">{read.done ? "It isn't kept any more." : "…"}</p>;
  return <Markdown text={read.text} folder="workspace" desk={desk} />;
}

interface Read {
  readonly text?: string | undefined;
  readonly done: boolean;
  readonly problem?: string;
}

/** A content that an event names, from a place on. Without an event, nothing is read. */
export function useContent(
  desk: DeskApi,
  { seq, part, from }: { seq: number | undefined; part: Part; from: number },
): Read {
  const [read, setRead] = useState<Read>({ done: false });
  useEffect(() => {
    if (seq === undefined) return;
    const ended = new AbortController();
    desk
      .output(seq, from, { part, signal: ended.signal })
      .then((text) => setRead({ text, done: true }))
      .catch((error) => {
        if (!ended.signal.aborted) setRead({ done: true, problem: sentence(error) });
      });
    return () => ended.abort();
  }, [desk, seq, part, from]);
  return read;
}
