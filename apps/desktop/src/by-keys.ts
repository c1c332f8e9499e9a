/**
 * Whether a menu is asked for by its key, or by Shift and F10: then the browser makes up where. Chromium calls that a mouse
 * without a button by now, and had no kind of pointer for it before.
 */
export function isByKeys(event: MouseEvent): boolean {
  return event.button < 0 || (event instanceof PointerEvent && event.pointerType === "");
}
