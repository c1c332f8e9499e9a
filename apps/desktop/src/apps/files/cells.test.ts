import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gridCells, heightOf, inSight, ledTo, listCells, rectOf, slotted, touched } from "./cells.ts";

const list = listCells(400, 10_000, false);
const grid = gridCells(340, 10);

describe("what is drawn", () => {
  test("FILES-2: of 10,000 files only what is in sight, and a little more, is drawn", () => {
    const [first, end] = inSight(list, 150_000, 600, 5);
    expect(end - first).toBeLessThan(32);
    expect(rectOf(list, first + 5).y).toBe(150_000);
    expect(heightOf(list)).toBe(300_000);
  });

  test("FILES-2: whatever is in sight is drawn, in a list and in a grid of any width", () => {
    const any = fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 0, max: 500 }), fc.boolean());
    fc.assert(
      fc.property(any, fc.nat(20_000), ([width, count, wide], top) => {
        const cells = wide ? gridCells(width, count) : listCells(width, count, false);
        const [first, end] = inSight(cells, top, 300, 0);
        for (let i = 0; i < count; i++) {
          const { y, h } = rectOf(cells, i);
          if (y < top + 300 && y + h > top) expect(first <= i && i < end).toBe(true);
        }
      }),
    );
  });
});

describe("places on the page", () => {
  test("FILES-2: what stays in sight keeps its place, and what comes takes the place of what went", () => {
    const [before, after] = [slotted(list, 3000, 90, 1), slotted(list, 3030, 90, 1)];
    const kept = after.filter(({ index, slot }) => before.some((one) => one.index === index && one.slot === slot));
    expect(after.length - kept.length).toBe(1);
    expect(after.map(({ slot }) => slot)).toEqual(before.map(({ slot }) => slot));
  });

  test("FILES-2: each that is in sight has a place of its own, wherever one is", () => {
    const any = fc.record({ width: fc.integer({ min: 1, max: 3000 }), top: fc.nat(20_000), height: fc.nat(900) });
    fc.assert(
      fc.property(any, fc.boolean(), ({ width, top, height }, wide) => {
        const cells = wide ? gridCells(width, 500) : listCells(width, 500, false);
        const drawn = slotted(cells, top, height, 2);
        const indexes = new Set(drawn.map(({ index }) => index));
        const [first, end] = inSight(cells, top, height, 2);
        for (let i = first; i < end; i++) expect(indexes.has(i)).toBe(true);
        expect(new Set(drawn.map(({ slot }) => slot)).size).toBe(drawn.length);
      }),
    );
  });
});

describe("a frame", () => {
  test("FILES-4: touches what it lies over, from any corner", () => {
    expect(touched(list, { x: 10, y: 45, w: 5, h: 30 })).toEqual([1, 2]);
    expect(grid.columns).toBe(3);
    expect(touched(grid, { x: 0, y: 0, w: 400, h: 50 })).toEqual([0, 1, 2]);
    expect(touched(grid, { x: 130, y: 0, w: 1, h: 4000 })).toEqual([1, 4, 7]);
    expect(touched(list, { x: 0, y: 299_990, w: 10, h: 400 })).toEqual([9999]);
  });
});

describe("keys", () => {
  test("FILES-4: arrows lead to the neighbour, and never out", () => {
    expect(ledTo(list, 3, "ArrowDown", 300)).toBe(4);
    expect(ledTo(list, 0, "ArrowUp", 300)).toBe(0);
    expect(ledTo(list, -1, "ArrowDown", 300)).toBe(0);
    expect(ledTo(list, 3, "ArrowLeft", 300)).toBeUndefined();
    expect(ledTo(list, 9999, "ArrowDown", 300)).toBe(9999);
    expect(ledTo(list, 0, "PageDown", 300)).toBe(9);
    expect(ledTo(grid, 1, "ArrowDown", 300)).toBe(4);
    expect(ledTo(grid, 1, "ArrowUp", 300)).toBe(1);
    expect(ledTo(grid, 7, "ArrowDown", 300)).toBe(9);
    expect(ledTo(grid, 9, "ArrowDown", 300)).toBe(9);
    expect(ledTo(grid, 2, "ArrowRight", 300)).toBe(3);
    expect(ledTo(gridCells(340, 0), -1, "End", 300)).toBeUndefined();
  });
});
