import { expect, onTestFinished, test, vi } from "vitest";
import { keepFilter, keptFilter } from "./kept-filter.ts";

test("TIME-5: a search is kept for its window, until it is over or the window is opened at another event", () => {
  const items = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  keepFilter("w1", 7, { text: "rss" });
  expect(keptFilter("w1", 7)).toEqual({ text: "rss" });
  expect(keptFilter("w1", 8)).toBeUndefined();
  expect(keptFilter("w2", 7)).toBeUndefined();
  keepFilter("w1", 7, {});
  expect(items.size).toBe(0);
});

test("TIME-5: where the browser keeps nothing, a search is over with its page", () => {
  keepFilter("w1", undefined, { text: "rss" });
  expect(keptFilter("w1", undefined)).toBeUndefined();
});
