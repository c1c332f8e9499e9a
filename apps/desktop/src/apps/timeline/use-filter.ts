import { canonicalise } from "@choiros/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import type { AppProps } from "../app.ts";
import { type Filter, NO_FILTER, parseFilter } from "./filter.ts";

/** So long a filter stands before it becomes part of the window, and an event in the log. */
const KEEP_MS = 1000;

/** As the fields have it at once; as part of the window when it has stood for a while. */
export function useFilter(window: AppProps["window"]): [Filter, (filter: Filter) => void] {
  const [filter, setFilter] = useState(() => parseFilter(window.args.filter));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const handle = useRef(window);
  handle.current = window;
  const kept = canonicalise(parseFilter(window.args.filter));
  const mine = useRef(kept);
  useEffect(() => {
    if (kept === mine.current) return;
    mine.current = kept;
    setFilter(parseFilter(JSON.parse(kept)));
  }, [kept]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = useCallback((next: Filter) => {
    setFilter((now) => (canonicalise(now) === canonicalise(next) ? now : next));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (canonicalise(next) === mine.current) return;
      mine.current = canonicalise(next);
      const { seq } = handle.current.args;
      const isAll = next === NO_FILTER && seq !== undefined;
      handle.current.setArgs(isAll ? { seq } : { filter: next });
    }, KEEP_MS);
  }, []);
  return [filter, change];
}
