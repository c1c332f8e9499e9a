/** So wide is the button of a window that shows its icon alone, with the gap to the next. */
export const ICON_ROOM = 36;
/** Narrower than this a title says nothing. */
const TITLE_ROOM = 68;
/** For the button that leads to the rest. */
const MORE_ROOM = 48;

interface Fitting {
  /** In the order they were opened. */
  readonly shown: readonly string[];
  /** There is no room for their titles. */
  readonly icons: boolean;
}

/** Which windows have a button in a taskbar of this width: all of them, or as many as leave room for one that leads to the rest. The front one always has. */
export function fitting(ids: readonly string[], front: string | undefined, room: number): Fitting {
  const icons = ids.length * TITLE_ROOM > room;
  if (ids.length * ICON_ROOM <= room) return { shown: ids, icons };
  const places = Math.max(1, Math.floor((room - MORE_ROOM) / ICON_ROOM));
  const first = ids.slice(0, places);
  if (front === undefined || first.includes(front) || !ids.includes(front)) return { shown: first, icons };
  return { shown: [...first.slice(0, -1), front], icons };
}
