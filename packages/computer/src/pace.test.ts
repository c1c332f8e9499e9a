import type { Entry } from "@choiros/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Looked } from "./folder/folder.ts";
import { Pace } from "./pace.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A pace, and what it takes up; each capture lasts until it is told to end. */
function staged() {
  const taken: (readonly string[] | undefined)[] = [];
  const ends: (() => void)[] = [];
  const pace = new Pace((keys) => {
    taken.push(keys);
    return new Promise((resolve) => ends.push(resolve));
  });
  const end = async () => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { pace, taken, end };
}

function file(key: string, size: number): Looked {
  const entry: Entry = { kind: "file", hash: "ab".repeat(32), size, mode: 0o644 };
  const stat = { ino: 1, size, mtime: 0, ctime: 0, mode: 0o100644, at: 0 };
  return { key, was: undefined, is: "entry", entry, stat, same: false };
}

test("CAP-11: one capture runs at a time, and what is told meanwhile is in the next one", async () => {
  const { pace, taken, end } = staged();
  pace.dirty(["a"]);
  pace.dirty(["b"]);
  pace.dirty(["b", "c"]);
  expect(taken).toEqual([["a"]]);
  await end();
  expect(taken).toEqual([["a"], ["b", "c"]]);
  await end();
  expect(taken).toHaveLength(2);
  pace.dirty("everything");
  pace.dirty(["d"]);
  await end();
  expect(taken.slice(2)).toEqual([undefined, ["d"]]);
});

test("CAP-11: a large file that goes on changing rests for 20 times as long as it took, and nothing else waits for it", async () => {
  const { pace, taken, end } = staged();
  pace.dirty(["large", "small"]);
  pace.looked([file("large", 50_000_000), file("small", 100)], 300);
  await end();
  pace.dirty(["large", "small"]);
  await end();
  expect(taken).toEqual([["large", "small"], ["small"]]);
  await vi.advanceTimersByTimeAsync(5900);
  expect(taken).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(200);
  expect(taken[2]).toEqual(["large"]);
});

test("CAP-11: it never rests for more than a minute", async () => {
  const { pace, taken, end } = staged();
  pace.dirty(["large"]);
  pace.looked([file("large", 50_000_000)], 60_000);
  await end();
  pace.dirty(["large"]);
  await vi.advanceTimersByTimeAsync(60_001);
  expect(taken).toEqual([["large"], ["large"]]);
});

test("CAP-12: what is being written is looked at again by itself", async () => {
  const { pace, taken, end } = staged();
  pace.dirty(["log"]);
  pace.looked([{ key: "log", was: undefined, is: "busy" }], 10);
  await end();
  expect(taken).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1001);
  expect(taken).toEqual([["log"], ["log"]]);
});

test("CAP-11: after close nothing is taken up", async () => {
  const { pace, taken, end } = staged();
  pace.dirty(["a"]);
  pace.dirty(["b"]);
  const closed = pace.close();
  await end();
  await closed;
  expect(taken).toEqual([["a"]]);
});
