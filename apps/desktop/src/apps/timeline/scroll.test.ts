import fc from "fast-check";
import { expect, test } from "vitest";
import { LINE, listTop, scrollHeight, scrollTopOf, stepOf } from "./scroll.ts";

test("TIME-3: from the first line to the last of any number, each can be scrolled to", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 50_000_000 }),
      fc.integer({ min: 0, max: 2000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (total, view, part) => {
        const scroll = { total, view };
        const most = Math.max(0, scrollHeight(scroll) - view);
        expect(scrollHeight(scroll)).toBeLessThan(2 ** 24);
        expect(listTop(scroll, 0)).toBe(0);
        if (most > 0) expect(listTop(scroll, most)).toBeCloseTo(total * LINE - view, 2);
        const top = Math.max(0, total * LINE - view) * part;
        expect(listTop(scroll, scrollTopOf(scroll, top))).toBeCloseTo(top, 2);
      },
    ),
  );
});

test("TIME-3: where the list fits, it is scrolled as everything is", () => {
  expect(stepOf({ total: 300_000, view: 600 })).toBe(1);
  expect(stepOf({ total: 1_000_000, view: 600 })).toBeLessThan(3);
});
