import { expect, test } from "vitest";
import { inTemporaryFolder } from "./folder.ts";
import { killWriters } from "./kills.ts";
import { anySeed } from "./random.ts";

const MINUTES = 60_000;

test("R1 (LOG-1, LOG-2, LOG-3): a process with eight writers is killed 25 times; nothing acknowledged is lost or doubled", {
  timeout: 5 * MINUTES,
}, async () => {
  const seed = anySeed();
  const report = await inTemporaryFolder((folder) => killWriters(folder, { seed, kills: 25, killsPerStore: 9 }));
  expect(report, `seed ${seed}`).toMatchObject({ kills: 25 });
  expect(report.acknowledged, `seed ${seed}: acknowledged events`).toBeGreaterThan(25);
});
