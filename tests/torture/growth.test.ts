import { expect, test } from "vitest";
import { growthIn, type Sample } from "./growth.ts";
import { randomFrom } from "./random.ts";

const MB = 1_000_000;
const random = randomFrom("growth");
const noise = (most: number) => (random.next() - 0.5) * most;

/** Twenty samples of a server that rises while it warms up, and then as it is told. */
function run(each: (i: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 20 }, (_, i) => ({
    ...{ heap: 40 * MB + noise(2 * MB) - (i < 5 ? (5 - i) * 5 * MB : 0), resident: 200 * MB + noise(10 * MB) },
    ...{ files: 40 + Math.round(noise(2)), resources: 20 + Math.round(noise(4)), latency: 4 + noise(2) },
    ...each(i),
  }));
}

test("R7 (LIVE-2): what only warms up, or is odd once, has not grown", () => {
  expect(growthIn(run(() => ({})))).toEqual([]);
  expect(growthIn(run((i) => (i === 12 ? { heap: 90 * MB, latency: 900, files: 80 } : {})))).toEqual([]);
});

test.each([
  ["heap", (i: number) => ({ heap: 40 * MB + i * 0.4 * MB + noise(MB) })],
  ["resident", (i: number) => ({ resident: 200 * MB + i * 5 * MB + noise(5 * MB) })],
  ["files", (i: number) => ({ files: 40 + i })],
  ["resources", (i: number) => ({ resources: 20 + i })],
  ["latency", (i: number) => ({ latency: 4 + i * 3 })],
] as const)("R7 (LIVE-2): growth in %s is found, and only there", (part, each) => {
  expect(growthIn(run(each))).toEqual([expect.stringMatching(`^${part} grew by`)]);
});
