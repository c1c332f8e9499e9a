import { expect, test } from "vitest";
import { fitting } from "./fitting.ts";

const windows = (count: number) => Array.from({ length: count }, (_, i) => `w${i + 1}`);

test("DESK-35: each window has a button in the taskbar, with its title", () => {
  expect(fitting(windows(5), "w5", 800)).toEqual({ shown: windows(5), titles: "long" });
});

test("DESK-35: where there is less room, titles are shorter before there are none", () => {
  expect(fitting(windows(8), "w5", 585)).toEqual({ shown: windows(8), titles: "short" });
  expect(fitting(windows(8), "w5", 500)).toEqual({ shown: windows(8), titles: "none" });
});

test("DESK-35: where there is no room for all titles, all have their icons", () => {
  expect(fitting(windows(8), "w5", 330)).toEqual({ shown: windows(8), titles: "none" });
  expect(fitting(windows(4), "w4", 160)).toEqual({ shown: windows(4), titles: "none" });
});

test("DESK-35: where there is no room for all icons, the first have one, and the front one; there is room for the way to the rest", () => {
  expect(fitting(windows(22), "w2", 400)).toEqual({ shown: windows(9), titles: "none" });
  expect(fitting(windows(22), "w20", 400)).toEqual({ shown: [...windows(8), "w20"], titles: "none" });
  expect(fitting(windows(22), undefined, 400)).toEqual({ shown: windows(9), titles: "none" });
  expect(fitting(windows(9), "w8", 160)).toEqual({ shown: ["w1", "w2", "w8"], titles: "none" });
});

test("DESK-35: the front window has a button in the narrowest taskbar", () => {
  expect(fitting(windows(3), "w3", 20)).toEqual({ shown: ["w3"], titles: "none" });
  expect(fitting([], undefined, 20)).toEqual({ shown: [], titles: "long" });
});
