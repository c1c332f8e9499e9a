import { expect, test } from "vitest";
import { momentWords } from "./words.ts";

test("DESK-47: a moment is said by the day it is for whoever reads it", () => {
  const now = new Date(2026, 10, 16, 0, 5);
  expect(momentWords(new Date(2026, 10, 16, 0, 4), now)).toBe("today at 00:04");
  expect(momentWords(new Date(2026, 10, 15, 14, 0), now)).toBe("yesterday at 14:00");
  expect(momentWords(new Date(2026, 10, 3, 9, 30), now)).toMatch(/^on .*3.* at 09:30$/);
  expect(momentWords(new Date(2025, 10, 16, 0, 4), now)).toMatch(/^on .*2025.*00:04$/);
});
