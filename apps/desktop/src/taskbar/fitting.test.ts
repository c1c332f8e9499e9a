import { expect, test } from "vitest";
import { fitting } from "./fitting.ts";

const windows = (count: number) => Array.from({ length: count }, (_, i) => `w${i + 1}`);

test("DESK-35: each window has a button in the taskbar, with its title", () => {
  expect(fitting(windows(5), "w5", 800)).toEqual({ shown: windows(5), icons: false });
});

test("DESK-35: where there is no room for all titles, all have their icons", () => {
  expect(fitting(windows(8), "w5", 330)).toEqual({ shown: windows(8), icons: true });
  expect(fitting(windows(4), "w4", 160)).toEqual({ shown: windows(4), icons: true });
});

test("DESK-35: where there is no room for all icons, the first have one, and the front one; there is room for the way to the rest", () => {
  expect(fitting(windows(22), "w2", 400)).toEqual({ shown: windows(9), icons: true });
  expect(fitting(windows(22), "w20", 400)).toEqual({ shown: [...windows(8), "w20"], icons: true });
  expect(fitting(windows(22), undefined, 400)).toEqual({ shown: windows(9), icons: true });
  expect(fitting(windows(9), "w8", 160)).toEqual({ shown: ["w1", "w2", "w8"], icons: true });
});

test("DESK-35: the front window has a button in the narrowest taskbar", () => {
  expect(fitting(windows(3), "w3", 20)).toEqual({ shown: ["w3"], icons: true });
  expect(fitting([], undefined, 20)).toEqual({ shown: [], icons: false });
});
