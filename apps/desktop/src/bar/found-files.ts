import { useEffect, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import { soughtIn } from "./completions.ts";

const MOST = 6;
/** Nobody types two letters faster. */
const PAUSE_MS = 80;

/** The keys of files that match what is typed; what was found last stays until there is something else. */
export function useFound(api: DeskApi, text: string): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  const sought = soughtIn(text);
  useEffect(() => {
    if (sought.length < 2 || sought.includes("\n")) return setFound([]);
    const ended = new AbortController();
    const timer = setTimeout(async () => {
      const files = await api.files.find(sought, MOST, { signal: ended.signal }).catch(() => []); // then there are none to offer
      if (!ended.signal.aborted) setFound(files.map(({ key }) => key));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [api, sought]);
  return found;
}
