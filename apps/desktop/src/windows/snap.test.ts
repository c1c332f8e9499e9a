import { expect, test } from "vitest";
import { boxOfZone, handlesOf, snapped, type Zone, zoneAt } from "./snap.ts";

const SCREEN = { w: 1441, h: 813 };

test.each([
  [{ x: 0, y: 400 }, "left"],
  [{ x: 1440, y: 400 }, "right"],
  [{ x: 700, y: 0 }, "maximised"],
  [{ x: 3, y: 20 }, "top-left"],
  [{ x: 40, y: 2 }, "top-left"],
  [{ x: 1438, y: 20 }, "top-right"],
  [{ x: 1400, y: 2 }, "top-right"],
  [{ x: 3, y: 800 }, "bottom-left"],
  [{ x: 1438, y: 800 }, "bottom-right"],
  [{ x: 700, y: 812 }, undefined],
  [{ x: 700, y: 400 }, undefined],
] as const)("DESK-5: a window that is let go at %o is put into the zone %s", (point, zone) => {
  expect(zoneAt(point, SCREEN)).toBe(zone);
});

test("DESK-5: halves and quarters cover the whole screen and nothing twice, also one of odd size", () => {
  const area = (...zones: Zone[]) =>
    zones.map((zone) => boxOfZone(zone, SCREEN)).reduce((sum, { w, h }) => sum + w * h, 0);
  const whole = SCREEN.w * SCREEN.h;
  expect(area("maximised")).toBe(whole);
  expect(area("left", "right")).toBe(whole);
  expect(area("top-left", "top-right", "bottom-left", "bottom-right")).toBe(whole);
  const [left, right] = [boxOfZone("left", SCREEN), boxOfZone("right", SCREEN)];
  expect(left.x + left.w).toBe(right.x);
});

test("DESK-6: arrows lead from a half to its quarters, to the other side, and back", () => {
  const walk = (...arrows: Parameters<typeof snapped>[1][]) =>
    arrows.reduce<Parameters<typeof snapped>[0]>((state, arrow) => snapped(state, arrow), "normal");
  expect(walk("left")).toBe("left");
  expect(walk("left", "up")).toBe("top-left");
  expect(walk("left", "up", "right")).toBe("top-right");
  expect(walk("left", "up", "down")).toBe("left");
  expect(walk("left", "right")).toBe("normal");
  expect(walk("right", "down")).toBe("bottom-right");
  expect(walk("up")).toBe("maximised");
  expect(walk("up", "down")).toBe("normal");
  expect(walk("down")).toBe("minimised");
});

test.each([
  ["normal", ["n", "e", "s", "w", "ne", "nw", "se", "sw"]],
  ["left", ["e"]],
  ["right", ["w"]],
  ["top-left", ["e", "s", "se"]],
  ["bottom-right", ["w", "n", "nw"]],
  ["maximised", []],
  ["minimised", []],
] as const)("DESK-3: a window that is %s can be pulled by %o", (state, handles) => {
  expect(handlesOf(state)).toEqual(handles);
});
