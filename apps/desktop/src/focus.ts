/** Only while this page has the keys: one that takes them from the console around it is stopped there. */
export function focusOn(element: HTMLElement | null | undefined): void {
  if (document.hasFocus()) element?.focus({ preventScroll: true });
}

/** A press gives this page the keys, also where its default is prevented, as by what can be dragged. */
export function takeKeysOnPress(): void {
  addEventListener("pointerdown", () => document.hasFocus() || window.focus(), { capture: true });
}

/** They write nothing, and lead nowhere by themselves. */
const MODIFIERS = ["Alt", "Control", "Meta", "Shift"];
/** Grows with whatever somebody types on this page. */
let typed = 0;

export function countTyping(): void {
  addEventListener("keydown", ({ key }) => MODIFIERS.includes(key) || typed++, { capture: true });
  addEventListener("input", () => typed++, { capture: true }); // also by what has no keys, as speech
}

/** Whether somebody waits from now on for what comes: they have the keys where they had them, or nowhere, and typed nothing. */
export function waiting(): () => boolean {
  const [from, so] = [document.activeElement, typed];
  return () => typed === so && [from, document.body].includes(document.activeElement);
}
