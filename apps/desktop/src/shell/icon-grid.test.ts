import { expect, test } from "vitest";
import { cellAfter, neighbour, roomOf, settled } from "./icon-grid.ts";

const at = (name: string, column: number, row: number) => ({ name, column, row });

test("DESK-32: icons lie where the layout says; what would be out of sight or over another lies in the nearest free cell", () => {
  const room = roomOf({ w: 400, h: 350 });
  expect(room).toEqual({ column: 3, row: 3 });
  const icons = settled([at("a", 0, 0), at("b", 0, 0), at("c", 9, 1), at("d", 2, 1)], room);
  expect(icons.map(({ name, column, row }) => `${name} ${column} ${row}`)).toEqual([
    "a 0 0",
    "b 0 1",
    "c 2 1",
    "d 1 1",
  ]);
});

test("DESK-32: an icon that is moved goes to the cell it lies over, and never beyond the first", () => {
  expect(cellAfter({ column: 1, row: 1 }, { x: 100, y: -40 })).toEqual({ column: 2, row: 1 });
  expect(cellAfter({ column: 1, row: 1 }, { x: -900, y: 60 })).toEqual({ column: 0, row: 2 });
});

test("DESK-32: an arrow leads to the icon that is next in its direction", () => {
  const icons = [at("a", 0, 0), at("b", 0, 1), at("c", 1, 1), at("d", 3, 0)];
  const from = (name: string, way: readonly [number, number]) => {
    const icon = icons.find((one) => one.name === name);
    return icon === undefined ? undefined : neighbour(icons, icon, way).name;
  };
  expect(from("a", [0, 1])).toBe("b");
  expect(from("b", [1, 0])).toBe("c");
  expect(from("a", [1, 0])).toBe("d");
  expect(from("d", [1, 0])).toBe("d");
});
