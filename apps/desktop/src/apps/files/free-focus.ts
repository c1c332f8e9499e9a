import { type RefObject, useLayoutEffect } from "react";
import { focusOn } from "../../focus.ts";

/** Gives it the keys when it comes, or is wanted again, where nobody else within the window has them. */
export function useFreeFocus(element: RefObject<HTMLElement | null>, isWanted: boolean): void {
  useLayoutEffect(() => {
    const { current } = element;
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement === current?.closest(".window");
    if (isWanted && isFree) focusOn(current);
  }, [element, isWanted]);
}
