import { type Box, type Handle, moved, type Point, reachable, resized, type Screen } from "./box.ts";
import { boxOfZone, type Zone, zoneAt } from "./snap.ts";

/** A window taken by its title bar or by an edge, until it is let go. Nothing but the element's own style changes meanwhile. */

interface Taken {
  readonly element: HTMLElement;
  /** What the pointer holds: also its clicks are for that. */
  readonly grip: HTMLElement;
  readonly event: PointerEvent;
  /** Where it is drawn before. */
  readonly box: Box;
  /** Where it comes out of a zone to, when it is pulled out. */
  readonly free: Box | undefined;
  readonly screen: Screen;
  /** `undefined`: it is moved. */
  readonly handle?: Handle;
  /** Where it would go if it were let go here. */
  onZone(zone: Zone | undefined): void;
  /** `undefined`: it hasn't happened, and the window is to be drawn where it stands by now. */
  onEnd(result: { readonly box: Box } | { readonly zone: Zone } | undefined): void;
}

/** Less than this is a click with a hand that isn't quite still. */
const STILL = 4;

export function take({ element, grip, event, box, free, screen, handle, onZone, onEnd }: Taken): void {
  const start: Point = { x: event.clientX, y: event.clientY };
  const origin = originOf(element);
  const from = handle === undefined && free !== undefined ? underPointer(free, box, start, origin) : box;
  const ended = new AbortController();
  const { signal } = ended;
  let now = box;
  let zone: Zone | undefined;
  let begun = false;
  let frame = 0;
  let last = start;

  const draw = () => {
    frame = 0;
    const by = { x: last.x - start.x, y: last.y - start.y };
    now = handle === undefined ? moved(from, by, screen) : resized(from, handle, by, screen);
    drawBox(element, now);
    const next = handle === undefined ? zoneAt({ x: last.x - origin.x, y: last.y - origin.y }, screen) : undefined;
    if (next === zone) return;
    zone = next;
    onZone(zone);
  };
  const move = (event: PointerEvent) => {
    last = { x: event.clientX, y: event.clientY };
    if (!begun && Math.hypot(last.x - start.x, last.y - start.y) < STILL) return;
    begun = true;
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  const end = (keep: boolean) => {
    ended.abort();
    gone.disconnect();
    cancelAnimationFrame(frame);
    if (frame !== 0) draw();
    delete element.dataset.taken;
    onZone(undefined);
    if (!keep || !begun) return onEnd(undefined);
    const to = zone === undefined ? reachable(now, screen) : boxOfZone(zone, screen);
    drawBox(element, to);
    onEnd(zone === undefined ? { box: to } : { zone });
  };
  /** What the pointer holds may go with its window, or be one of its edges no more: then nobody hears of the pointer. */
  const gone = new MutationObserver(() => grip.isConnected || end(false));
  gone.observe(document, { childList: true, subtree: true });
  element.dataset.taken = handle ?? "move";
  grip.setPointerCapture(event.pointerId);
  grip.addEventListener("pointermove", move, { signal });
  grip.addEventListener("pointerup", () => end(true), { signal });
  grip.addEventListener("pointercancel", () => end(false), { signal });
  grip.addEventListener("lostpointercapture", () => end(false), { signal });
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end(false);
  };
  addEventListener("keydown", leave, { capture: true, signal });
}

export function drawBox({ style }: HTMLElement, { x, y, w, h }: Box): void {
  style.transform = `translate(${x}px, ${y}px)`;
  style.width = `${w}px`;
  style.height = `${h}px`;
}

/** Its title bar stays under the pointer, as far from its left end as before, by share. */
function underPointer(free: Box, box: Box, pointer: Point, origin: Point): Box {
  const share = (pointer.x - origin.x - box.x) / box.w;
  return { ...free, x: Math.round(pointer.x - origin.x - free.w * share), y: box.y };
}

/** The corner of the room that windows are placed in. */
function originOf(element: HTMLElement): Point {
  const { left, top } = element.offsetParent?.getBoundingClientRect() ?? { left: 0, top: 0 };
  return { x: left, y: top };
}
