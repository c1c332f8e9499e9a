import { useDeferredValue, useEffect, useRef, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import { Markdown } from "../../shown/markdown.tsx";
import type { CodeView } from "./code-view.ts";
import { folderOf } from "./names.ts";
import type { Moving } from "./use-code.ts";

interface PreviewParts {
  readonly desk: DeskApi;
  readonly file: string;
  readonly view: CodeView;
  readonly moving: Moving;
}

/** How long it may stay behind what is typed. */
const BEHIND_MS = 120;

/** What the text looks like, beside it and where that is. */
export function Preview({ desk, file, view, moving }: PreviewParts) {
  const pane = useRef<HTMLElement>(null);
  const [text, setText] = useState(() => view.text());
  const later = useDeferredValue(text);

  useEffect(() => {
    let timer: number | undefined;
    const read = () => {
      timer = undefined;
      setText(view.text());
    };
    const stop = moving.changes.watch(() => {
      timer ??= window.setTimeout(read, BEHIND_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [view, moving]);
  useEffect(
    () =>
      moving.share.watch(() => {
        const { current } = pane;
        if (current !== null) current.scrollTop = moving.share.get() * (current.scrollHeight - current.clientHeight);
      }),
    [moving],
  );

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled by keyboard
    <section ref={pane} className="ed-preview" aria-label="Preview" tabIndex={0}>
      {later.trim() === "" ? (
        <p className="faint">What you write appears here.</p>
      ) : (
        <Markdown text={later} folder={folderOf(file)} desk={desk} />
      )}
    </section>
  );
}
