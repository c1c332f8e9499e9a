import { expect, test } from "vitest";
import { beside } from "./beside.ts";

const CARD = { w: 300, h: 160 };

test("FIRST-3: a step of the tour stands near what it tells of, over none of it, and all of it is in sight", () => {
  const wide = { w: 1024, h: 728 };
  const bar = { x: 54, y: 688, w: 418, h: 34 };
  expect(beside(CARD, bar, wide)).toEqual({ x: 113, y: 514 }); // above it
  expect(beside(CARD, { x: 12, y: 8, w: 34, h: 34 }, wide)).toEqual({ x: 12, y: 56 }); // below it
  const icons = { x: 16, y: 10, w: 182, h: 700 };
  expect(beside(CARD, icons, wide)).toEqual({ x: 212, y: 280 }); // at its side
  const tray = { x: 340, y: 760, w: 40, h: 44 };
  expect(beside(CARD, tray, { w: 390, h: 804 })).toEqual({ x: 78, y: 586 });
});

test("FIRST-3: where what it tells of leaves no room, it stands over it", () => {
  expect(beside(CARD, { x: 0, y: 0, w: 400, h: 300 }, { w: 400, h: 300 })).toEqual({ x: 50, y: 70 });
});
