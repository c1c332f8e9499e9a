import { useEffect, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import { hasChanges } from "./has-changes.ts";

/** At most so often something is made anew. */
const ROUND_MS = 500;

/** Another number each time something but a window has changed: what was said of the computer may not be so any more. */
export function useRounds(desk: DeskApi): number {
  const [round, setRound] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setRound((now) => now + 1);
      }, ROUND_MS);
    };
    const leave = desk.follow((moments) => {
      if (moments.some((moment) => hasChanges(moment) && !moment.event.type.startsWith("window."))) next();
    }, next);
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [desk]);
  return round;
}
