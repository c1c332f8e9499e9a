/** The height of a line. */
export const LINE = 34;
/** No browser draws much more than this; beyond it one step of the scroll bar is more than one of the list. */
const MOST_PX = 12_000_000;

/** How a list of so many lines lies behind a view of this height. */
export interface Scroll {
  readonly total: number;
  readonly view: number;
}

/** What is scrolled, in pixels. */
export function scrollHeight({ total }: Scroll): number {
  return Math.min(total * LINE, MOST_PX);
}

/** How far the list has moved, in pixels of its lines. */
export function listTop(scroll: Scroll, scrollTop: number): number {
  return scrollTop * stepOf(scroll);
}

export function scrollTopOf(scroll: Scroll, top: number): number {
  return top / stepOf(scroll);
}

/** How many pixels of the list one of the scroll bar is: one, as long as it fits. */
export function stepOf(scroll: Scroll): number {
  const way = scrollHeight(scroll) - scroll.view;
  return way <= 0 ? 1 : (scroll.total * LINE - scroll.view) / way;
}
