import { expect, test } from "vitest";
import { Ahead } from "./ahead.ts";

const view = 30;

test("TIME-3: as far as somebody came during the last reading is read ahead, on the way down and on the way up", () => {
  const ahead = new Ahead();
  ahead.want(1000, 1000 + view);
  const read = ahead.begin();
  ahead.want(1040, 1040 + view);
  read();
  expect(ahead.wanted).toEqual([1040, 1040 + view + 80]);
  expect(ahead.goal).toBe(1040 + view / 2 + 40);
  ahead.want(1030, 1030 + view);
  expect(ahead.wanted).toEqual([1030, 1030 + view]);
  const again = ahead.begin();
  ahead.want(1010, 1010 + view);
  again();
  expect(ahead.wanted).toEqual([970, 1010 + view]);
});

test("TIME-3: who stays, or jumps, is shown what is there, and nothing is read ahead", () => {
  const ahead = new Ahead();
  ahead.want(0, view);
  const read = ahead.begin();
  ahead.want(100, 100 + view);
  read();
  ahead.begin()();
  expect(ahead.wanted).toEqual([100, 100 + view]);
  const next = ahead.begin();
  ahead.want(300_000, 300_000 + view);
  next();
  expect(ahead.wanted).toEqual(ahead.inSight);
});
