import fc from "fast-check";
import { expect, test } from "vitest";
import type { Box, Screen } from "./box.ts";
import { spotFor } from "./spot.ts";

const LARGE = { w: 1440, h: 812 };
const SMALL = { w: 1024, h: 676 };
const WELCOME = { w: 720, h: 664 };
const EDITOR = { w: 820, h: 560 };
const FILES = { w: 760, h: 500 };
const TIMELINE = { w: 860, h: 560 };
const ABOUT = { w: 420, h: 380 };
type Size = typeof ABOUT;

/** One after the other, the last in front. */
function opened(sizes: readonly Size[], screen: Screen): Box[] {
  const boxes: Box[] = [];
  for (const size of sizes) boxes.push({ ...spotFor(size, boxes.toReversed(), screen), ...size });
  return boxes;
}

function share(one: Box, by: Box): number {
  const w = Math.min(one.x + one.w, by.x + by.w) - Math.max(one.x, by.x);
  const h = Math.min(one.y + one.h, by.y + by.h) - Math.max(one.y, by.y);
  return (Math.max(0, w) * Math.max(0, h)) / (one.w * one.h);
}

test("DESK-4: a new window stands beside the front one where there is room, level with it", () => {
  const [about, other] = opened([ABOUT, ABOUT], LARGE);
  expect(other).toEqual({ ...ABOUT, x: (about?.x ?? 0) + ABOUT.w + 12, y: about?.y });
});

test.each([
  ["the Editor", "Welcome", WELCOME, EDITOR, LARGE, 0.5],
  ["Timeline", "Files", FILES, TIMELINE, LARGE, 0.5],
  ["the Editor", "Welcome", WELCOME, EDITOR, SMALL, 0.85],
  ["Timeline", "Files", FILES, TIMELINE, SMALL, 0.9],
])("DESK-4: %s leaves a good part of %s in sight (%o, then %o, on %o)", (_, __, first, second, screen, most) => {
  const [below, above] = opened([first, second], screen);
  if (below === undefined || above === undefined) throw new Error("there are two");
  expect(share(below, above)).toBeLessThan(most);
});

const sizes = fc.array(fc.constantFrom(WELCOME, EDITOR, FILES, TIMELINE, ABOUT), { minLength: 1, maxLength: 6 });

test("DESK-4: whatever is opened, all of it is in sight", () => {
  fc.assert(
    fc.property(sizes, fc.constantFrom(LARGE, SMALL), (sizes, screen) => {
      for (const { x, y, w, h } of opened(sizes, screen))
        expect(x >= 0 && y >= 0 && x + w <= screen.w && y + h <= screen.h).toBe(true);
    }),
  );
});

test("DESK-4: of six windows none covers all of the title bar of another", () => {
  fc.assert(
    fc.property(sizes, (sizes) => {
      const boxes = opened(sizes, LARGE);
      for (const [i, box] of boxes.entries())
        for (const above of boxes.slice(i + 1)) expect(share({ ...box, h: 36 }, above)).toBeLessThan(1);
    }),
  );
});

test("DESK-4: a window that is larger than the screen stands at its corner", () => {
  expect(spotFor({ w: 2000, h: 2000 }, [], { w: 800, h: 600 })).toEqual({ x: 0, y: 0 });
});

test("DESK-4: the first window leaves two columns of icons to be pressed where it has room beside them", () => {
  expect(spotFor(WELCOME, [], SMALL).x).toBe(204);
  expect(spotFor(WELCOME, [], LARGE).x).toBe(240);
  expect(spotFor(TIMELINE, [], SMALL).x).toBeLessThan(204);
});
