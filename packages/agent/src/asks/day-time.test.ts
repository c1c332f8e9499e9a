import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TurnTaking } from "./turn-taking.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const forever = new AbortController().signal;

test("ASK-15: the time that an ask works is counted while it works, and what is left is looked at when it goes on", async () => {
  let used = 0;
  const turns = new TurnTaking(() => {});
  const work = (ms: number) => {
    used += ms;
  };
  const over = vi.fn();
  const [first, second] = [turns.begin(work), turns.begin(work)];
  first.clockBy(() => 1000 - used, over);
  second.rest();
  vi.advanceTimersByTime(600);
  first.rest();
  expect(used).toBe(600);
  await second.ready(forever);
  vi.advanceTimersByTime(300);
  second.rest();
  expect(used).toBe(900);
  await first.ready(forever);
  vi.advanceTimersByTime(99);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(over).toHaveBeenCalledOnce();
  first.end();
  expect(used).toBe(1000);
});

test("ASK-15: at midnight a day's time begins anew, also for an ask that is worked at", () => {
  let used = 0;
  const turns = new TurnTaking(() => {});
  const over = vi.fn();
  const pace = turns.begin((ms) => {
    used += ms;
  });
  pace.clockBy(() => 1000 - used, over);
  vi.advanceTimersByTime(500);
  used = -500; // another day's
  vi.advanceTimersByTime(500);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(over).toHaveBeenCalledOnce();
  pace.end();
});
