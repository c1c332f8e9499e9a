import { expect, test } from "vitest";
import { inTemporaryFolder } from "../folder.ts";
import { anySeed } from "../random.ts";
import { killImports } from "./import-kills.ts";
import { killComputers } from "./kills.ts";

test("R1 (COMP-3, CMD-11): a computer that is killed at any point, again and again, also while commands run and land, loses nothing acknowledged, its state and folder are what its log says, and each command has its end", {
  timeout: 5 * 60_000,
}, async () => {
  const seed = anySeed();
  const plan = { seed, kills: 27, commands: 10, killsPerComputer: 9 };
  const { acknowledged } = await inTemporaryFolder((folder) => killComputers(folder, plan));
  expect(acknowledged, `seed ${seed}: acknowledged actions`).toBeGreaterThan(100);
});

test("R1 (COMP-12): an import that is killed at any point leaves nothing or everything", {
  timeout: 5 * 60_000,
}, async () => {
  const seed = anySeed();
  const { nothing, everything } = await inTemporaryFolder((folder) => killImports(folder, { seed, kills: 5 }));
  expect(nothing + everything, `seed ${seed}`).toBe(5);
});
