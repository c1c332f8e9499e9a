import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TurnTaking } from "./turn-taking.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const forever = new AbortController().signal;

test("one has its turn, and who rests lets another begin", () => {
  const freed = vi.fn();
  const turns = new TurnTaking(freed);
  const first = turns.begin();
  expect(turns.free).toBe(false);
  first.rest();
  expect(turns.free).toBe(true);
  expect(freed).toHaveBeenCalledOnce();
  first.rest();
  first.end();
  expect(freed).toHaveBeenCalledOnce();
});

test("who comes back to its work goes before who begins, and waits for whoever works", async () => {
  const turns = new TurnTaking(() => {});
  const first = turns.begin();
  first.rest();
  const second = turns.begin();
  let back = false;
  const ready = first.ready(forever).then(() => {
    back = true;
  });
  await Promise.resolve();
  expect(back).toBe(false);
  second.end();
  await ready;
  expect(turns.free).toBe(false);
  first.end();
  expect(turns.free).toBe(true);
});

test("who waits for its turn and is ended waits no longer, and leaves the count right", async () => {
  const turns = new TurnTaking(() => {});
  const first = turns.begin();
  first.rest();
  const second = turns.begin();
  const ending = new AbortController();
  const ready = first.ready(ending.signal);
  ending.abort();
  await ready;
  first.end();
  expect(turns.free).toBe(false);
  second.end();
  expect(turns.free).toBe(true);
});

test("a clock counts only the time that is worked", async () => {
  let worked = 0;
  const pace = new TurnTaking(() => {}).begin((ms) => {
    worked += ms;
  });
  const over = vi.fn();
  pace.clock(() => 1000, over);
  vi.advanceTimersByTime(600);
  pace.rest();
  vi.advanceTimersByTime(10_000);
  await pace.ready(forever);
  vi.advanceTimersByTime(399);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(over).toHaveBeenCalledOnce();
  pace.end();
  expect(worked).toBe(1000);
});

test("a clock stands still while others have the turn that its ask waits for", async () => {
  const turns = new TurnTaking(() => {});
  const first = turns.begin();
  const over = vi.fn();
  first.clock(() => 1000, over);
  first.rest();
  const second = turns.begin();
  const ready = first.ready(forever);
  vi.advanceTimersByTime(10_000);
  second.end();
  await ready;
  vi.advanceTimersByTime(999);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(over).toHaveBeenCalledOnce();
});

test("a clock that was stopped, or whose ask has ended, tells nobody", () => {
  const pace = new TurnTaking(() => {}).begin();
  const over = vi.fn();
  const stop = pace.clock(() => 1000, over);
  pace.clock(() => 1000, over);
  stop();
  pace.end();
  vi.advanceTimersByTime(5000);
  expect(over).not.toHaveBeenCalled();
});
