import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import type { GroundName } from "./testing/command-stage.ts";
import { makeAdded } from "./testing/make-added.ts";
import { type Step, steps } from "./testing/steps.ts";
import { World } from "./testing/world.ts";

/** The same sample each time; `npm run torture` takes others, and more of them. */
const { CHOIR_RUNS = "200", CHOIR_SEED = "4680" } = process.env;
const RUNS = Number(CHOIR_RUNS);
const SEED = { seed: Number(CHOIR_SEED) };
const MS_PER_RUN = 10_000;

const added = mkdtempSync(join(tmpdir(), "choir-added-"));
/** As long as one computer is open the threads go on, and each run needn't start them anew. */
const standing = new World(added, "overlay");

beforeAll(async () => {
  makeAdded(added);
  await standing.open();
});
afterAll(async () => {
  await standing.end();
  rmSync(added, { recursive: true, force: true });
});

/** What commands run on. */
const grounds = fc.constantFrom<GroundName>("overlay", "live");

async function happens(all: readonly Step[], ground: GroundName): Promise<void> {
  const world = new World(added, ground);
  try {
    await world.open();
    for (const step of all) await world.perform(step);
    await world.conclude();
  } finally {
    await world.end();
  }
}

test(
  "COMP-17: whatever happens, in whatever order, folder, tree and history stay what a plain model says",
  () => fc.assert(fc.asyncProperty(steps, grounds, happens), { numRuns: RUNS, ...SEED }),
  RUNS * MS_PER_RUN,
);
