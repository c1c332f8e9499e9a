import { expect, test } from "vitest";
import { damageStores } from "./damaged-stores.ts";
import { inTemporaryFolder } from "./folder.ts";
import { anySeed } from "./random.ts";

test("R3 (LOG-13, LOG-22, LOG-23, LOG-24, CON-4): a store with a cut file or a flipped bit never gives out a wrong event or content without a word", {
  timeout: 5 * 60_000,
}, async () => {
  const seed = anySeed();
  const plan = { seed, cutStep: 128, flips: 100 };
  const { found, shorter } = await inTemporaryFolder((folder) => damageStores(folder, plan));
  expect(found, `seed ${seed}: damages that were found`).toBeGreaterThan(40);
  expect(shorter, `seed ${seed}: damages that left a shorter log`).toBeGreaterThan(20);
});
