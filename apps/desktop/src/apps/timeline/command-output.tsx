import { useLayoutEffect, useRef } from "react";
import type { DeskApi } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { copyText } from "../../shown/copy-text.ts";
import { MOST_BYTES } from "../../shown/live-output.ts";
import { fileSize } from "../../words.ts";
import { useOutput } from "./use-output.ts";

interface OutputParts {
  readonly desk: DeskApi;
  readonly moment: Moment;
}

/** What a command wrote, or writes; it can be copied. */
export function CommandOutput({ desk, moment }: OutputParts) {
  const { size, isRunning, written = "", problem } = useOutput(desk, moment);
  if (written === "" && problem === undefined && !isRunning) return null;
  const copy = () => {
    const isCopied = copyText(written);
    desk.notify({
      text: isCopied ? "Output copied" : "This browser didn't copy it",
      kind: isCopied ? "good" : "wrong",
    });
  };
  return (
    <section className="moment-part" aria-label="Output">
      <div className="moment-output-head">
        <h4>{isRunning ? "Output so far" : "Output"}</h4>
        {written !== "" && (
          <button type="button" className="word" onClick={copy}>
            Copy
          </button>
        )}
      </div>
      {size > MOST_BYTES && (
        <p className="faint">
          The last {fileSize(MOST_BYTES)} of {fileSize(size)}
        </p>
      )}
      {problem !== undefined && (
        <p className="said-box" data-wrong>
          {problem}
        </p>
      )}
      {written === "" && isRunning ? <p className="faint">Nothing yet.</p> : <Written text={written} />}
    </section>
  );
}

/** Whoever is at its end while it grows stays there. */
function Written({ text }: { text: string }) {
  const field = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(false);
  useLayoutEffect(() => {
    if (isAtEnd.current && text !== "") field.current?.scrollTo({ top: field.current.scrollHeight });
  }, [text]);
  if (text === "") return null;
  return (
    <pre
      ref={field}
      className="moment-output"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled by keyboard, too
      tabIndex={0}
      onScroll={({ currentTarget: { clientHeight, scrollHeight, scrollTop } }) => {
        isAtEnd.current = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 4;
      }}
    >
      {text}
    </pre>
  );
}
