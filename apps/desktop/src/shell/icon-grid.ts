import type { Point, Screen } from "../windows/box.ts";

/** Where icons lie: in cells, as many as the screen has room for. */
export interface Cell {
  readonly column: number;
  readonly row: number;
}

/** As the style sheet has them, with the gap; and the margin around all of them. */
const CELL = { w: 94, h: 104 };
const MARGIN = 16;

export function roomOf({ w, h }: Screen): Cell {
  const cells = (length: number, cell: number) => Math.max(1, Math.floor((length - 2 * MARGIN) / cell));
  return { column: cells(w, CELL.w), row: cells(h, CELL.h) };
}

/** The cell that lies under a point of the desktop. */
export function cellAt({ x, y }: Point): Cell {
  const cell = (at: number, length: number) => Math.max(0, Math.floor((at - MARGIN) / length));
  return { column: cell(x, CELL.w), row: cell(y, CELL.h) };
}

/** Each in its cell where that is in sight and free; else in the nearest one that is. */
export function settled<Spot extends Cell>(spots: readonly Spot[], room: Cell): Spot[] {
  const taken: Cell[] = [];
  return spots.map((spot) => {
    const cell = nearestFree(spot, taken, room);
    taken.push(cell);
    return { ...spot, ...cell };
  });
}

/** The cell that an icon of `from` lies over after it was moved by so much. */
export function cellAfter(from: Cell, by: Point): Cell {
  const column = Math.max(0, from.column + Math.round(by.x / CELL.w));
  return { column, row: Math.max(0, from.row + Math.round(by.y / CELL.h)) };
}

/** The nearest one in that direction; the same where there is none. */
export function neighbour<Spot extends Cell>(
  spots: readonly Spot[],
  from: Spot,
  [x, y]: readonly [number, number],
): Spot {
  const ahead = (one: Cell) => (one.column - from.column) * x + (one.row - from.row) * y;
  const aside = (one: Cell) => Math.abs((one.column - from.column) * y) + Math.abs((one.row - from.row) * x);
  const cost = (one: Cell) => aside(one) * 100 + ahead(one);
  return spots.filter((one) => ahead(one) > 0).sort((one, two) => cost(one) - cost(two))[0] ?? from;
}

function nearestFree(wanted: Cell, taken: readonly Cell[], room: Cell): Cell {
  const free: Cell[] = [];
  for (let column = 0; column < room.column; column++)
    for (let row = 0; row < room.row; row++)
      if (!taken.some((one) => one.column === column && one.row === row)) free.push({ column, row });
  const far = (cell: Cell) => Math.hypot(cell.column - wanted.column, cell.row - wanted.row);
  return free.sort((one, two) => far(one) - far(two))[0] ?? { column: 0, row: 0 }; // there is no room for more
}
