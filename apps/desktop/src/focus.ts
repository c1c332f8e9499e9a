/** Only while this page has the keys: one that takes them from the console around it is stopped there. */
export function focusOn(element: HTMLElement | null | undefined): void {
  if (document.hasFocus()) element?.focus({ preventScroll: true });
}

/** A press gives this page the keys, also where its default is prevented, as by what can be dragged. */
export function takeKeysOnPress(): void {
  addEventListener("pointerdown", () => document.hasFocus() || window.focus(), { capture: true });
}

/** They write nothing, and lead nowhere by themselves. */
const MODIFIERS = ["Alt", "AltGraph", "CapsLock", "Control", "Meta", "Shift"];
/** Whoever presses twice, within so long and so near, meant it once. */
const [TWICE_MS, TWICE_PX] = [500, 8];
/** Grows with whatever somebody types or presses on this page. */
let hand = 0;

export function watchHand(): void {
  let last: PointerEvent | undefined;
  const grow = (event: Event) => {
    if (event instanceof KeyboardEvent && (event.repeat || MODIFIERS.includes(event.key))) return;
    if (!(event instanceof PointerEvent)) return void hand++;
    if (last === undefined || !isSoon(last, event)) hand++;
    last = event;
  };
  for (const type of ["input", "keydown", "pointerdown"]) addEventListener(type, grow, { capture: true }); // input: also what is spoken
}

function isSoon(one: PointerEvent, two: PointerEvent): boolean {
  const px = Math.hypot(two.clientX - one.clientX, two.clientY - one.clientY);
  return px < TWICE_PX && two.timeStamp - one.timeStamp < TWICE_MS;
}

/** Whether somebody waits, from now on, for what comes: they typed and pressed nothing since. */
export function waiting(): () => boolean {
  const so = hand;
  return () => hand === so;
}
