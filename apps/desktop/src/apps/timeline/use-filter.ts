import { canonicalise, type Json } from "@choiros/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import type { AppProps } from "../app.ts";
import { type Filter, parseFilter } from "./filter.ts";
import { keepFilter, keptFilter } from "./kept-filter.ts";

interface UsedFilter {
  readonly filter: Filter;
  setFilter(filter: Filter): void;
  /** The event that the window had been opened at before somebody searched: it isn't gone to again. */
  readonly left: Json | undefined;
}

/** As the fields have it, or whoever opened the window said. To look for something is nothing that happened: the log has none of it. */
export function useFilter({ args, id }: AppProps["window"]): UsedFilter {
  const [kept] = useState(() => keptFilter(id, args.seq));
  const [filter, setFilter] = useState(() => kept ?? parseFilter(args.filter));
  const given = canonicalise(parseFilter(args.filter));
  const former = useRef(given);
  useEffect(() => {
    if (given === former.current) return;
    former.current = given;
    setFilter(parseFilter(JSON.parse(given)));
  }, [given]);
  useEffect(() => keepFilter(id, args.seq, filter), [id, args.seq, filter]);
  const change = useCallback((next: Filter) => {
    setFilter((now) => (canonicalise(now) === canonicalise(next) ? now : next));
  }, []);
  return { filter, setFilter: change, left: useState(kept && args.seq)[0] };
}
