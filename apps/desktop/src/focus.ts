/** Only while this page has the keys: one that takes them from the console around it is stopped there. */
export function focusOn(element: HTMLElement | null | undefined): void {
  if (document.hasFocus()) element?.focus({ preventScroll: true });
}

/** A press gives this page the keys, also where its default is prevented, as by what can be dragged. */
export function takeKeysOnPress(): void {
  addEventListener("pointerdown", () => document.hasFocus() || window.focus(), { capture: true });
}
