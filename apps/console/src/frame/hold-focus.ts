import { type RefObject, useEffect } from "react";

/** As long as it is there it has the focus; what had it before gets it back. */
export function useHoldFocus(held: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    held.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, [held]);
}
