import { expect, test } from "vitest";
import { costWords, durationWords, isOpen, needsUser, unlimitedWords } from "./ask-words.ts";

const costs = { cost_unknown: false, cost_usd: 0, tokens_in: 0, tokens_out: 0 };

test("ASKS-4: what an ask came to is told in dollars, as unknown where it is, and not at all where nothing was spent", () => {
  expect(costWords(costs)).toBeUndefined();
  expect(costWords({ ...costs, cost_usd: 0.0441, tokens_in: 900 })).toBe("$0.04");
  expect(costWords({ ...costs, cost_usd: 0.0004, tokens_in: 9 })).toBe("under $0.01");
  expect(costWords({ ...costs, cost_unknown: true, tokens_in: 9 })).toBe("cost unknown");
  expect(costWords({ ...costs, cost_unknown: true, cost_usd: 1.5 })).toBe("$1.50 and more");
  expect(unlimitedWords({ cost_unknown: true })).toBe("no limit in USD holds");
  expect(unlimitedWords({ cost_unknown: false })).toBeUndefined();
});

test("ASKS-4: how long it took is told in seconds, minutes or hours", () => {
  expect([400, 8_000, 72_000, 3_720_000].map(durationWords)).toEqual(["0 s", "8 s", "1m 12s", "1h 2m"]);
});

test("ASKS-1: what waits for the user is told from what runs and from what is over", () => {
  const all = ["queued", "running", "wondering", "approval", "limit", "done", "left", "withdrawn"] as const;
  expect(all.filter((status) => isOpen({ status }))).toEqual(all.slice(0, 5));
  expect(all.filter((status) => needsUser({ status }))).toEqual(["wondering", "approval", "limit"]);
});
