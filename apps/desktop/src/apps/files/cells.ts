/** Where things stand in a view: one below the other, or in columns. All of them have one size, so that any number is quick. */
export interface Cells {
  readonly count: number;
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  /** Around all of them. */
  readonly edge: number;
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

const ROW = 30;
const TOUCH_ROW = 44;
const TILE = { w: 108, h: 104 };
const EDGE = 8;

export function listCells(width: number, count: number, touch: boolean): Cells {
  return { count, columns: 1, width, height: touch ? TOUCH_ROW : ROW, edge: 0 };
}

/** As many columns as there is room for; they share what is left over. */
export function gridCells(width: number, count: number): Cells {
  const room = Math.max(TILE.w, width - 2 * EDGE);
  const columns = Math.max(1, Math.floor(room / TILE.w));
  return { count, columns, width: room / columns, height: TILE.h, edge: EDGE };
}

export function heightOf({ count, columns, height, edge }: Cells): number {
  return Math.ceil(count / columns) * height + 2 * edge;
}

export function rectOf({ columns, width, height, edge }: Cells, index: number): Rect {
  return { x: edge + (index % columns) * width, y: edge + Math.floor(index / columns) * height, w: width, h: height };
}

/** The first and the one after the last that are in sight, with some to spare. */
export function inSight(cells: Cells, top: number, height: number, spareRows: number): readonly [number, number] {
  const first = Math.floor((top - cells.edge) / cells.height) - spareRows;
  const end = Math.ceil((top + height - cells.edge) / cells.height) + spareRows;
  const at = (row: number) => Math.min(cells.count, Math.max(0, row) * cells.columns);
  return [at(first), at(end)];
}

/**
 * Those in sight, with some to spare, in the order of the places they take on the page. Each keeps its place as long as it
 * is drawn, and what comes takes that of what went: whoever scrolls makes nothing new.
 */
export function slotted(cells: Cells, top: number, height: number, spareRows: number): readonly Slot[] {
  const [first] = inSight(cells, top, height, spareRows);
  const slots = (Math.ceil(height / cells.height) + 2 * spareRows + 1) * cells.columns;
  const indexOf = (slot: number) => first + ((slot + slots - (first % slots)) % slots);
  return Array.from({ length: slots }, (_, slot) => ({ slot, index: indexOf(slot) })).filter(
    ({ index }) => index < cells.count,
  );
}

export interface Slot {
  readonly slot: number;
  readonly index: number;
}

/** Which a frame touches, in order; of those whose place is larger than what is seen in it, only that counts. */
export function touched(cells: Cells, { x, y, w, h }: Rect, inset = 0): number[] {
  const { count, columns, width, height, edge } = cells;
  const span = (from: number, length: number, size: number, most: number) => {
    const first = Math.max(0, Math.floor((from - edge + inset) / size));
    const last = Math.min(most - 1, Math.ceil((from + length - edge - inset) / size) - 1);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  };
  const rows = span(y, h, height, Math.ceil(count / columns));
  const across = span(x, w, width, columns);
  return rows.flatMap((row) => across.map((column) => row * columns + column)).filter((index) => index < count);
}

/** Where a key leads from `index`; `undefined` where it is no key that leads anywhere. */
export function ledTo(cells: Cells, index: number, key: string, pageHeight: number): number | undefined {
  const { count, columns, height } = cells;
  const page = Math.max(1, Math.floor(pageHeight / height) - 1) * columns;
  const steps: Record<string, number> = {
    ArrowDown: index + columns,
    ArrowUp: index - columns,
    End: count - 1,
    Home: 0,
    PageDown: index + page,
    PageUp: index - page,
    ...(columns > 1 && { ArrowLeft: index - 1, ArrowRight: index + 1 }),
  };
  const to = steps[key];
  if (to === undefined || count === 0) return undefined;
  if (index < 0) return key === "End" || key === "ArrowUp" ? count - 1 : 0;
  if (key === "ArrowUp" && to < 0) return index;
  if (key === "ArrowDown" && to >= count) return isLastRow(cells, index) ? index : count - 1;
  return Math.min(count - 1, Math.max(0, to));
}

function isLastRow({ count, columns }: Cells, index: number): boolean {
  return Math.floor(index / columns) === Math.floor((count - 1) / columns);
}
