/** Only while this page has the keys: one that takes them from the console around it is stopped there. */
export function focusOn(element: HTMLElement | null | undefined): void {
  if (document.hasFocus()) element?.focus({ preventScroll: true });
}
