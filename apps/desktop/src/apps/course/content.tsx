import { useEffect, useState } from "react";
import type { DeskApi, Part } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
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

/** What a command wrote, once that is kept; of much, the end. */
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
