import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { costOf, readPrices } from "./prices.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "choir-prices-"));
});
afterEach(() => rm(home, { recursive: true }));

const MILLION = 1_000_000;

test("MODEL-20: a call costs what was read, what came from a cache, what went into one, and what was said", () => {
  const usage = { in: 3 * MILLION, cached: MILLION, written: MILLION, out: MILLION };
  expect(costOf("anthropic", "claude-opus-5", usage)).toBeCloseTo(5 + 0.5 + 6.25 + 25);
  expect(costOf("openai-compatible", "gpt-5", { in: 2 * MILLION, cached: null, out: 0 })).toBeCloseTo(2.5);
});

test("MODEL-20: long prompts may cost more", () => {
  expect(costOf("anthropic", "claude-haiku-5-5", { in: 100_000, cached: 0, out: 0 })).toBeCloseTo(0.01);
  expect(costOf("anthropic", "claude-haiku-5-5", { in: 200_000, cached: 0, out: 0 })).toBeCloseTo(0.1);
});

test.each([
  ["anthropic", "claude-opus-5-20260724", true],
  ["anthropic", "claude-opus-5-9", false],
  ["anthropic", "my-claude-opus-5", false],
  ["bedrock", "global.anthropic.claude-sonnet-4-5-20250929-v1:0", true],
  ["openai-compatible", "gpt-4o-2024-08-06", true],
  ["openai-compatible", "llama3.2", false],
  ["openai-compatible", "claude-opus-5", false],
])("MODEL-20: the price of %s %s is known: %s", (provider, model, known) => {
  expect(costOf(provider, model, { in: 1, cached: 0, out: 1 }) !== null).toBe(known);
});

test("MODEL-20: where usage is unknown, so is the cost", () => {
  expect(costOf("anthropic", "claude-opus-5", { in: 1, cached: 0, out: null })).toBeNull();
});

test("MODEL-21: prices of one's own go before, and what is wrong in them is told with its line", async () => {
  await writeFile(
    join(home, "prices.toml"),
    '[[price]]\nprovider = "openai-compatible"\nmodel = "llama*"\nin = 0\nout = 0\n[[price]]\nprovider = "anthropic"\nmodel = "claude-opus-5"\nin = 1\nout = 2\n',
  );
  const prices = await readPrices(home);
  const usage = { in: MILLION, cached: 0, out: MILLION };
  expect(prices.ok && prices.costOf("openai-compatible", "llama3.2:3b", usage)).toBe(0);
  expect(prices.ok && prices.costOf("anthropic", "claude-opus-5", usage)).toBe(3);
  expect(prices.ok && prices.costOf("anthropic", "claude-sonnet-5", usage)).toBe(12);

  await writeFile(join(home, "prices.toml"), '[[price]]\nprovider = "x"\nmodel = "y"\nin = "much"\nout = 1\n');
  expect(await readPrices(home)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/prices\.toml:4: price\.0\.in/),
  });
});
