import { useEffect, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import type { FileLine } from "../desk/shapes.ts";
import { namesFile, soughtIn } from "./completions.ts";

const MOST = 6;
/** Nobody types two letters faster. */
const PAUSE_MS = 80;

/** The files and folders that match what is typed; what was found last stays until there is something else. */
export function useFound(api: DeskApi, text: string): readonly FileLine[] {
  const [found, setFound] = useState<readonly FileLine[]>([]);
  const sought = soughtIn(text);
  const isNaming = namesFile(text); // after an @ anything helps
  useEffect(() => {
    if ((sought.length < 2 && !isNaming) || sought.includes("\n")) return setFound([]);
    const ended = new AbortController();
    const timer = setTimeout(async () => {
      const look = sought === "" ? newest(api) : api.files.find(sought, MOST, { signal: ended.signal });
      const files = await look.catch(() => []); // then there are none to offer
      if (!ended.signal.aborted) setFound(files);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [api, sought, isNaming]);
  return found;
}

/** Of the workspace, what changed last. */
async function newest(api: DeskApi): Promise<readonly FileLine[]> {
  const lines = await api.files.list("workspace");
  return [...lines].sort((one, two) => two.seq - one.seq).slice(0, MOST);
}
