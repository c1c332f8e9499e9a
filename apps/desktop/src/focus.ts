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
/** Grows with whatever somebody types or presses on this page. */
let hand = 0;

export function watchHand(): void {
  addEventListener("keydown", ({ key }) => MODIFIERS.includes(key) || hand++, { capture: true });
  for (const type of ["input", "pointerdown"]) addEventListener(type, () => hand++, { capture: true }); // input: also what is spoken
}

/** Whether somebody waits, from now on, for what comes: they typed and pressed nothing since. */
export function waiting(): () => boolean {
  const so = hand;
  return () => hand === so;
}
