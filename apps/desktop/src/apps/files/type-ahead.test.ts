import { expect, test } from "vitest";
import { TypeAhead } from "./type-ahead.ts";

const NAMES = ["apple", "Banana", "bread", "brown", "éclair"];

test("FILES-6: typing leads to the name that begins so, whatever its capitals and accents", () => {
  const ahead = new TypeAhead();
  expect(ahead.type("b", NAMES, 0, 0)).toBe(1);
  expect(ahead.type("r", NAMES, 1, 100)).toBe(2);
  expect(ahead.type("o", NAMES, 2, 200)).toBe(3);
  expect(ahead.type("e", NAMES, 3, 5000)).toBe(4);
});

test("FILES-6: the same letter again leads on to the next name, and around", () => {
  const ahead = new TypeAhead();
  expect(ahead.type("b", NAMES, -1, 0)).toBe(1);
  expect(ahead.type("b", NAMES, 1, 100)).toBe(2);
  expect(ahead.type("b", NAMES, 2, 200)).toBe(3);
  expect(ahead.type("b", NAMES, 3, 300)).toBe(1);
});

test("FILES-6: what no name begins with leads nowhere", () => {
  expect(new TypeAhead().type("z", NAMES, 0, 0)).toBeUndefined();
  expect(new TypeAhead().type("z", [], -1, 0)).toBeUndefined();
});
