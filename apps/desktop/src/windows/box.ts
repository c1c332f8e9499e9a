/** Where things are on the desk, in whole CSS pixels. Pure: what happens with it is decided elsewhere. */

export type Box = {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
};

/** The room for windows: the page without the taskbar. */
export interface Screen {
  readonly w: number;
  readonly h: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const TITLE_HEIGHT = 36;
export const SMALLEST: Readonly<{ w: number; h: number }> = { w: 280, h: 160 };
/** So much of a title bar stays in sight, whatever is done: by it a window is taken back. */
const GRIP = 96;
/** On a narrower screen each window takes all of it. */
const CARDS_BELOW = 700;

export function hasCards(screen: Screen): boolean {
  return screen.w < CARDS_BELOW;
}

/** As it was left, where its title bar and its buttons are in sight on this screen; else moved there, no larger than that. */
export function reachable(box: Box, screen: Screen): Box {
  const fitting = inSight(box, screen);
  const { w, h } = fitting;
  const x = box.x < 0 && box.x + w >= GRIP ? box.x : fitting.x;
  const y = h >= box.h && box.y >= 0 && box.y <= screen.h - TITLE_HEIGHT ? box.y : fitting.y;
  return { x, y, w, h };
}

/** The same for one that nobody hung over the bottom of a screen: on a lower one its bottom is in sight as well. */
export function standing(box: Box, screen: Screen): Box {
  const shown = reachable(box, screen);
  return { ...shown, y: Math.min(shown.y, screen.h - shown.h) };
}

export function hangsOver({ y, h }: Box, screen: Screen): boolean {
  return y + h > screen.h;
}

/** Moved by so much, as it is under the pointer; never so far that it can't be taken back, or that its buttons are out of sight. */
export function moved(box: Box, by: Point, screen: Screen): Box {
  const x = clamp(box.x + by.x, GRIP - box.w, screen.w - box.w);
  const y = clamp(box.y + by.y, 0, screen.h - TITLE_HEIGHT);
  return { ...box, x: Math.round(x), y: Math.round(y) };
}

export const HANDLES = ["n", "e", "s", "w", "ne", "nw", "se", "sw"] as const;
export type Handle = (typeof HANDLES)[number];

/** With one edge or corner pulled by so much: the opposite one stays where it is, also where it can't get smaller. */
export function resized(box: Box, handle: Handle, by: Point, screen: Screen): Box {
  const horizontal = along({ at: box.x, long: box.w }, sideOf(handle, "w", "e"), by.x, {
    least: SMALLEST.w,
    most: screen.w,
  });
  const vertical = along({ at: box.y, long: box.h }, sideOf(handle, "n", "s"), by.y, {
    least: SMALLEST.h,
    most: screen.h,
  });
  return { x: horizontal.at, y: vertical.at, w: horizontal.long, h: vertical.long };
}

function inSight(box: Box, screen: Screen): Box {
  const w = Math.min(Math.max(box.w, SMALLEST.w), screen.w);
  const h = Math.min(Math.max(box.h, SMALLEST.h), screen.h);
  return { x: clamp(box.x, 0, screen.w - w), y: clamp(box.y, 0, screen.h - h), w, h };
}

function sideOf(handle: Handle, low: string, high: string): "low" | "high" | undefined {
  if (handle.includes(low)) return "low";
  return handle.includes(high) ? "high" : undefined;
}

interface Stretch {
  readonly at: number;
  readonly long: number;
}

function along(
  { at, long }: Stretch,
  side: "low" | "high" | undefined,
  by: number,
  { least, most }: { readonly least: number; readonly most: number },
): Stretch {
  if (side === undefined) return { at, long };
  const end = at + long;
  if (side === "high") return { at, long: Math.round(clamp(long + by, least, Math.max(least, most - at))) };
  const start = Math.round(clamp(at + by, Math.min(0, at), end - least));
  return { at: start, long: end - start };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
