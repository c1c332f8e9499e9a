import { expect, test } from "vitest";
import { whenWords } from "./when.ts";

const NOW = new Date(2026, 5, 10, 14, 30);
const at = (...parts: [number, number, number, number, number]) => whenWords(new Date(...parts).toISOString(), NOW);

test("FILES-3: when something changed is said in as few words as tell it", () => {
  expect(whenWords(new Date(NOW.getTime() - 20_000).toISOString(), NOW)).toBe("just now");
  expect(at(2026, 5, 10, 0, 5)).toBe("Today 00:05");
  expect(at(2026, 5, 9, 23, 59)).toBe("Yesterday 23:59");
  expect(at(2026, 5, 5, 8, 0)).toMatch(/ 08:00$/);
  expect(at(2025, 5, 5, 8, 0)).toContain("2025");
});
