import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pulse } from "./pulse.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A line that answers a beat after so long. */
function lineWith(pulse: Pulse, answerMs: number | undefined) {
  const said: string[] = [];
  pulse.begin({
    beat: () => {
      said.push("beat");
      if (answerMs !== undefined) setTimeout(() => pulse.heard(), answerMs);
    },
    quiet: (isQuiet) => said.push(isQuiet ? "quiet" : "answers"),
    dead: () => said.push("dead"),
  });
  return said;
}

test("DESK-21, CONSOLE-20: a line that answers is asked every five seconds, and kept", () => {
  const said = lineWith(new Pulse(), 10);
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual(Array(12).fill("beat"));
});

test("DESK-27, CONSOLE-20: a line on which nothing comes is quiet a second after it was asked, and given up ten seconds after", () => {
  const pulse = new Pulse();
  const said = lineWith(pulse, undefined);
  pulse.heard(); // it was welcomed
  vi.advanceTimersByTime(5999);
  expect(said).toEqual(["beat"]);
  vi.advanceTimersByTime(1);
  expect(said).toEqual(["beat", "quiet"]);
  vi.advanceTimersByTime(8999);
  expect(said).toEqual(["beat", "quiet", "beat"]);
  vi.advanceTimersByTime(1);
  expect(said).toEqual(["beat", "quiet", "beat", "answers", "dead"]);
  vi.advanceTimersByTime(60_000);
  expect(said.length).toBe(5);
});

test("DESK-27: what is said and answered makes no beat; where no answer comes, the line is quiet within two seconds", () => {
  const pulse = new Pulse();
  const said = lineWith(pulse, undefined);
  pulse.heard();
  for (let times = 0; times < 10; times++) {
    pulse.said();
    vi.advanceTimersByTime(400);
    pulse.heard();
  }
  expect(said).toEqual([]);
  pulse.said();
  pulse.said();
  vi.advanceTimersByTime(500);
  expect(said).toEqual(["beat"]);
  vi.advanceTimersByTime(1000);
  expect(said).toEqual(["beat", "quiet"]);
  pulse.said();
  vi.advanceTimersByTime(9000);
  expect(said).toEqual(["beat", "quiet", "beat", "answers", "dead"]);
});

test("DESK-21, CONSOLE-20: whatever is heard is life, also where a beat isn't answered for long", () => {
  const pulse = new Pulse();
  const said = lineWith(pulse, undefined);
  for (let second = 0; second < 60; second += 4) {
    pulse.heard();
    vi.advanceTimersByTime(4000);
  }
  expect(said).not.toContain("dead");
});

test("DESK-21, CONSOLE-20: a line that nobody takes up is given up after ten seconds", () => {
  const said = lineWith(new Pulse(), undefined);
  vi.advanceTimersByTime(10_000);
  expect(said.at(-1)).toBe("dead");
});

test("DESK-21, CONSOLE-20: a page that was held up for long hears first what came meanwhile", () => {
  const pulse = new Pulse();
  const said = lineWith(pulse, undefined);
  pulse.heard();
  vi.advanceTimersByTime(5000);
  vi.setSystemTime(Date.now() + 3_600_000); // it slept: the next timer comes late, and before the answer
  vi.advanceTimersByTime(5000);
  pulse.heard();
  vi.advanceTimersByTime(5000);
  expect(said).not.toContain("dead");
});

test("DESK-21, CONSOLE-20: after a line that was given up the next has twice the time, until one answers", () => {
  const pulse = new Pulse();
  const diesAfter = (answerMs?: number) => {
    const said = lineWith(pulse, answerMs);
    pulse.heard();
    let seconds = 0;
    for (; !said.includes("dead") && seconds < 200; seconds += 5) vi.advanceTimersByTime(5000);
    return seconds;
  };
  expect([1, 2, 3, 4, 5].map(() => diesAfter())).toEqual([15, 25, 45, 65, 65]);
  expect(diesAfter(100)).toBe(200);
  expect(diesAfter()).toBe(15);
});
