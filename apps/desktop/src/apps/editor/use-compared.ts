import { useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { CodeView } from "./code-view.ts";
import { type Loaded, load } from "./load.ts";

/** An earlier version that what is shown is held against. */
export interface Against {
  readonly seq: number;
  readonly ts: string;
}

export type Earlier = Extract<Loaded, { is: "text" }>;

export function useCompared(desk: DeskApi, file: string, view: CodeView | undefined) {
  const [against, compare] = useState<Against>();
  const [earlier, setEarlier] = useState<Earlier>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    setProblem(undefined);
    setEarlier(undefined);
    if (against === undefined) return;
    const ended = new AbortController();
    load(desk.files, file, { at: against.seq, signal: ended.signal }).then(
      (loaded) => {
        if (ended.signal.aborted) return;
        if (loaded.is === "text") {
          view?.compare(loaded.version.text);
          setEarlier(loaded);
        } else setProblem("That version isn't text, or is too large to be compared.");
      },
      (error: unknown) => ended.signal.aborted || setProblem(sentence(error)),
    );
    return () => {
      ended.abort();
      view?.compare(undefined);
    };
  }, [desk, file, view, against]);

  return { against, earlier, compare, problem };
}
