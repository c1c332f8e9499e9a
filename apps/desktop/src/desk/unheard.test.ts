import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Unheard } from "./unheard.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("DESK-27: what is answered within a second isn't late; what isn't is, until all of it is answered", () => {
  const unheard = new Unheard();
  unheard.said("quick");
  vi.advanceTimersByTime(999);
  unheard.heard("quick");
  expect(unheard.any.get()).toBe(false);
  unheard.said("one");
  unheard.said("two");
  expect(unheard.any.get()).toBe(true);
  vi.advanceTimersByTime(1000);
  expect(unheard.late.get()).toBe(true);
  unheard.heard("one");
  expect(unheard.late.get()).toBe(true);
  unheard.heard("two");
  unheard.heard("somebody else's");
  expect(unheard.late.get()).toBe(false);
});
