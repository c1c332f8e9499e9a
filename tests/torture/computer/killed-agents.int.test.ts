import { expect, test } from "vitest";
import { inTemporaryFolder } from "../folder.ts";
import { anySeed } from "../random.ts";
import { killAgents } from "./agent-kills.ts";

test("R1 (ASK-12): a process whose agents work, killed at any point, again and again, loses nothing acknowledged, does nothing twice and leaves nothing open", {
  timeout: 5 * 60_000,
}, async () => {
  const seed = anySeed();
  const plan = { seed, kills: 7, killsPerComputer: 7 };
  const { acknowledged, interrupted } = await inTemporaryFolder((folder) => killAgents(folder, plan));
  expect(acknowledged, `seed ${seed}: acknowledged events`).toBeGreaterThan(50);
  expect(interrupted, `seed ${seed}: answers and calls under way`).toBeGreaterThan(0);
});
