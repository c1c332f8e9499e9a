/** So wide is the button of a window that shows its icon alone, with the gap to the next. */
export const ICON_ROOM = 36;
/** In less than this, with its icon, a title is cut after a few letters. */
const TITLE_ROOM = 100;
/** Narrower than this it says nothing. */
const SHORT_ROOM = 64;
/** For the button that leads to the rest. */
const MORE_ROOM = 48;

interface Fitting {
  /** In the order they were opened. */
  readonly shown: readonly string[];
  /** How much room there is for their titles. */
  readonly titles: "long" | "short" | "none";
}

/** Which windows have a button in a taskbar of this width: all of them, with their titles, with a few letters of them or with their icons alone, or as many as leave room for one that leads to the rest. The front one always has. */
export function fitting(ids: readonly string[], front: string | undefined, room: number): Fitting {
  if (ids.length * TITLE_ROOM <= room) return { shown: ids, titles: "long" };
  if (ids.length * SHORT_ROOM <= room) return { shown: ids, titles: "short" };
  if (ids.length * ICON_ROOM <= room) return { shown: ids, titles: "none" };
  const first = ids.slice(0, Math.max(1, Math.floor((room - MORE_ROOM) / ICON_ROOM)));
  if (front === undefined || first.includes(front) || !ids.includes(front)) return { shown: first, titles: "none" };
  return { shown: [...first.slice(0, -1), front], titles: "none" };
}
