/** So wide is the button of a window that shows its icon alone, with the gap to the next. */
export const ICON_ROOM = 36;
/** Narrower than this a title says nothing, and windows of one app look the same. */
const TITLE_ROOM = 100;
/** For the button that leads to the rest. */
const MORE_ROOM = 48;

interface Fitting {
  /** In the order they were opened. */
  readonly shown: readonly string[];
  /** There is no room for their titles. */
  readonly icons: boolean;
}

/** Which windows have a button in a taskbar of this width: all of them, with their titles or else with their icons alone, or as many as leave room for one that leads to the rest. The front one always has. */
export function fitting(ids: readonly string[], front: string | undefined, room: number): Fitting {
  if (ids.length * TITLE_ROOM <= room) return { shown: ids, icons: false };
  if (ids.length * ICON_ROOM <= room) return { shown: ids, icons: true };
  const first = ids.slice(0, Math.max(1, Math.floor((room - MORE_ROOM) / ICON_ROOM)));
  if (front === undefined || first.includes(front) || !ids.includes(front)) return { shown: first, icons: true };
  return { shown: [...first.slice(0, -1), front], icons: true };
}
