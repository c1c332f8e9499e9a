import { expect, onTestFinished, test, vi } from "vitest";
import { keepWords, keptWords } from "./kept-words.ts";

test("DESK-42: what is being written is kept for its place, until it was said", () => {
  const items = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(keptWords("bar")).toBe("");
  keepWords("bar", "dear queen");
  expect([keptWords("bar"), keptWords("say.w1"), [...items.values()]]).toEqual(["dear queen", "", ["dear queen"]]);
  keepWords("bar", "");
  expect([keptWords("bar"), items.size]).toEqual(["", 0]);
});

test("DESK-42: where the browser keeps nothing, what is being written is kept as long as its page", () => {
  keepWords("bar", "dear king");
  expect(keptWords("bar")).toBe("dear king");
});
