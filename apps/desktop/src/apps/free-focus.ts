import { type RefObject, useLayoutEffect } from "react";
import { focusOn } from "../focus.ts";

/** Gives it the keys when it comes, or is wanted again, where nobody else has them; or when its window gets them. */
export function useFreeFocus(element: RefObject<HTMLElement | null>, isWanted: boolean): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (!isWanted || current === null) return;
    if (areKeysFree(current)) focusOn(current);
    current.dataset.first = "";
    return () => {
      delete current.dataset.first;
    };
  }, [element, isWanted]);
}

/** Gives it the keys, unless somebody works elsewhere by now. */
export function keepFocus(element: HTMLElement | null): void {
  if (areKeysFree(element) || element?.contains(document.activeElement) === true) focusOn(element);
}

/** Nobody has them but its window's frame: an app that comes late, or to the front by another browser, takes them from nobody. */
export function areKeysFree(element: HTMLElement | null): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement === element?.closest(".window");
}
