import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Ask } from "../../asks/ask-rows.ts";
import { focusOn } from "../../focus.ts";

/** Where a button that had the keys goes as the ask stands otherwise, they are with what is shown: nobody has them then. */
export function useKeysKept(place: RefObject<HTMLElement | null>, status: Ask["status"], inFront: boolean): void {
  const former = useRef(status);
  useLayoutEffect(() => {
    const isNew = former.current !== status;
    former.current = status;
    if (!isNew || !inFront || status === "wondering") return; // the line for its answer takes them
    if (document.activeElement === document.body) focusOn(place.current);
  }, [place, status, inFront]);
}
