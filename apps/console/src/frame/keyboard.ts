/** So often within so long the desk may take the keyboard from whoever uses the frame. */
const MOST_THEFTS = 5;
const THEFTS_MS = 5000;
/** So long browsers remember that something was pressed. */
const PRESSED_MS = 5000;

/** Desks that the frame itself gave the keyboard to, until they have it. */
const handed = new WeakSet<Element>();

/** For a key that means the desk. */
export function handKeyboard(desk: HTMLElement): void {
  handed.add(desk);
  desk.focus();
}

/**
 * The desk has the keyboard when somebody gives it: by a press in it, by Tab, or by a key that means it; while it is covered,
 * nobody does. Where its page takes it, the frame takes it back; a page that goes on is told of: any page may be caught once
 * as it moves its own focus, for it hears late that the keyboard went. Browsers don't say where something was pressed, only
 * that it was, so a press here explains nothing, unless the pointer is over the desk or a finger may have been.
 */
export function watchKeyboard(covered: boolean, onStolen: () => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const touch = matchMedia("(any-pointer: coarse)");
  let pressed = Number.NEGATIVE_INFINITY;
  let byTab = false;
  let last: EventTarget | null = document.activeElement;
  let thefts: number[] = [];

  const press = (event: Event) => {
    pressed = event.timeStamp;
    byTab = event instanceof KeyboardEvent && event.key === "Tab";
  };
  const keep = ({ target }: Event) => {
    byTab = false; // it led to something of ours
    last = target;
  };
  const lose = ({ timeStamp }: Event) => {
    const desk = document.activeElement;
    if (!(desk instanceof HTMLIFrameElement)) return;
    const own = timeStamp - pressed < PRESSED_MS && !touch.matches && !desk.matches(":hover");
    const given = handed.delete(desk) || byTab || (navigator.userActivation.isActive && !own);
    byTab = false;
    if (given && !covered) return;
    thefts = [...thefts.filter((theft) => timeStamp - theft < THEFTS_MS), timeStamp];
    setTimeout(() => takeFrom(desk, last)); // not before this loss is over
    if (thefts.length >= MOST_THEFTS) onStolen();
  };

  for (const type of ["keydown", "pointerdown"]) addEventListener(type, press, { capture: true, signal });
  document.addEventListener("focusin", keep, { signal });
  addEventListener("blur", lose, { signal });
  return () => ended.abort();
}

function takeFrom(desk: HTMLElement, last: EventTarget | null): void {
  desk.blur();
  window.focus();
  if (last instanceof HTMLElement) last.focus();
}
