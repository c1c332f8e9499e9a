import { useState } from "react";
import { z } from "zod";

const Why = z.enum(["keyboard", "messages"]);
/** What a desk did for which it was stopped. */
export type Why = z.infer<typeof Why>;

const KEY = "choir.stopped";
const Stopped = z.record(z.string(), Why);
type Stopped = z.infer<typeof Stopped>;

/** Why this computer's desk is stopped, if it is. This tab remembers it: loaded anew, it doesn't begin with a desk that hung it. */
export function useStopped(computer: string): [Why | undefined, (why: Why | undefined) => void] {
  const [stopped, setStopped] = useState(read);
  const stop = (why: Why | undefined) => {
    const { [computer]: _, ...others } = read();
    const now: Stopped = why === undefined ? others : { ...others, [computer]: why };
    sessionStorage.setItem(KEY, JSON.stringify(now));
    setStopped(now);
  };
  return [stopped[computer], stop];
}

function read(): Stopped {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? {} : (Stopped.safeParse(JSON.parse(kept)).data ?? {});
}
