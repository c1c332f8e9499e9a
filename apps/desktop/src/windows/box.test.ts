import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Box, HANDLES, moved, reachable, resized, SMALLEST, standing, TITLE_HEIGHT } from "./box.ts";

const SCREEN = { w: 1440, h: 812 };
const coordinate = fc.integer({ min: -4000, max: 8000 });
const boxes = fc.record({
  x: coordinate,
  y: coordinate,
  w: fc.integer({ min: 1, max: 5000 }),
  h: fc.integer({ min: 1, max: 5000 }),
});
const screens = fc.record({ w: fc.integer({ min: 320, max: 4000 }), h: fc.integer({ min: 240, max: 3000 }) });
const points = fc.record({ x: coordinate, y: coordinate });

/** Its title bar can be taken, and its buttons are where a larger screen would have them. */
function isReachable(box: Box, screen: { w: number; h: number }): boolean {
  const inSight = Math.min(box.x + box.w, screen.w) - Math.max(box.x, 0);
  return inSight >= Math.min(96, box.w) && box.y >= 0 && box.y + TITLE_HEIGHT <= Math.max(screen.h, TITLE_HEIGHT);
}

describe("a window's place", () => {
  test("DESK-1: a window whose title bar and buttons are in sight is shown where it was left, also partly beside the screen", () => {
    for (const box of [
      { x: -300, y: 700, w: 600, h: 400 },
      { x: 840, y: 30, w: 600, h: 400 },
    ])
      expect(reachable(box, SCREEN)).toEqual(box);
  });

  test("DESK-1: one whose buttons would be beside the screen is moved by as little as brings them back", () => {
    expect(reachable({ x: 1000, y: 60, w: 600, h: 400 }, SCREEN)).toEqual({ x: 840, y: 60, w: 600, h: 400 });
  });

  test("DESK-1: one that lies beside a smaller screen comes back, whole, and no larger than the screen", () => {
    expect(reachable({ x: 2000, y: 900, w: 600, h: 400 }, SCREEN)).toEqual({ x: 840, y: 412, w: 600, h: 400 });
    expect(reachable({ x: 100, y: 50, w: 1300, h: 900 }, { w: 1024, h: 680 })).toEqual({ x: 0, y: 0, w: 1024, h: 680 });
  });

  test("DESK-1: whatever a box says, on any screen its window can be reached, and to show it twice changes nothing", () => {
    fc.assert(
      fc.property(boxes, screens, (box, screen) => {
        const shown = reachable(box, screen);
        expect(isReachable(shown, screen)).toBe(true);
        expect(reachable(shown, screen)).toEqual(shown);
      }),
    );
  });

  test("DESK-1: one that stood on a higher screen has its bottom in sight on a lower one, and is whole where there is room", () => {
    const box = { x: 100, y: 300, w: 600, h: 500 };
    expect(standing(box, SCREEN)).toEqual(box);
    expect(standing(box, { w: 1024, h: 680 })).toEqual({ ...box, y: 180 });
    expect(standing(box, { w: 1024, h: 400 })).toEqual({ ...box, y: 0, h: 400 });
    fc.assert(
      fc.property(boxes, screens, (any, screen) => {
        const { y, h } = standing(any, screen);
        expect(y >= 0 && y + h <= screen.h).toBe(true);
      }),
    );
  });

  test("DESK-2: however far a window is moved, it can be taken back", () => {
    fc.assert(
      fc.property(boxes, points, screens, (box, by, screen) => {
        const start = reachable(box, screen);
        expect(isReachable(moved(start, by, screen), screen)).toBe(true);
      }),
    );
  });

  test("DESK-2: a window stays where it is let go", () => {
    fc.assert(
      fc.property(boxes, points, screens, (box, by, screen) => {
        const now = moved(reachable(box, screen), by, screen);
        expect(reachable(now, screen)).toEqual(now);
      }),
    );
  });

  test("DESK-3: each of the eight handles moves its own edges and no other", () => {
    const box = { x: 200, y: 100, w: 600, h: 400 };
    const by = { x: 10, y: 20 };
    const of = (handle: (typeof HANDLES)[number]) => resized(box, handle, by, SCREEN);
    expect(of("e")).toEqual({ ...box, w: 610 });
    expect(of("s")).toEqual({ ...box, h: 420 });
    expect(of("w")).toEqual({ ...box, x: 210, w: 590 });
    expect(of("n")).toEqual({ ...box, y: 120, h: 380 });
    expect(of("se")).toEqual({ ...box, w: 610, h: 420 });
    expect(of("nw")).toEqual({ x: 210, y: 120, w: 590, h: 380 });
    expect(of("ne")).toEqual({ x: 200, y: 120, w: 610, h: 380 });
    expect(of("sw")).toEqual({ x: 210, y: 100, w: 590, h: 420 });
  });

  test("DESK-3: a window gets no smaller than can be used, and its opposite edge stays", () => {
    const box = { x: 200, y: 100, w: 600, h: 400 };
    const far = { x: 3000, y: 3000 };
    expect(resized(box, "nw", far, SCREEN)).toEqual({ x: 800 - SMALLEST.w, y: 500 - SMALLEST.h, ...SMALLEST });
    expect(resized(box, "se", { x: -3000, y: -3000 }, SCREEN)).toEqual({ x: 200, y: 100, ...SMALLEST });
  });

  test("DESK-3: nothing is pulled over the top or beyond the screen", () => {
    const box = { x: 200, y: 100, w: 600, h: 400 };
    expect(resized(box, "nw", { x: -3000, y: -3000 }, SCREEN)).toEqual({ x: 0, y: 0, w: 800, h: 500 });
    expect(resized(box, "se", { x: 3000, y: 3000 }, SCREEN)).toEqual({ x: 200, y: 100, w: 1240, h: 712 });
  });

  test("DESK-3: whatever handle is pulled however far, whole pixels come out, and where it is let go it can be reached", () => {
    fc.assert(
      fc.property(boxes, fc.constantFrom(...HANDLES), points, screens, (box, handle, by, screen) => {
        const start = reachable({ ...box, w: Math.max(box.w, SMALLEST.w), h: Math.max(box.h, SMALLEST.h) }, screen);
        const after = reachable(resized(start, handle, { x: by.x / 3, y: by.y / 3 }, screen), screen);
        expect(Object.values(after).every(Number.isInteger)).toBe(true);
        expect(isReachable(after, screen)).toBe(true);
      }),
    );
  });
});
