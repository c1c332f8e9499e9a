import { type RefObject, useEffect, useEffectEvent } from "react";

/** Heard while something is open and somebody turns to something else: a press beside it, or Escape. */
export function useLeave(place: RefObject<HTMLElement | null>, open: boolean, onLeave: () => void): void {
  const leave = useEffectEvent((event: Event) => {
    const within = event.target instanceof Node && place.current?.contains(event.target) === true;
    if (event instanceof KeyboardEvent ? event.key === "Escape" : !within) onLeave();
  });
  useEffect(() => {
    if (!open) return;
    addEventListener("pointerdown", leave);
    addEventListener("keydown", leave);
    return () => {
      removeEventListener("pointerdown", leave);
      removeEventListener("keydown", leave);
    };
  }, [open]);
}
