import { expect, test } from "vitest";
import { inTemporaryFolder } from "../folder.ts";
import { fillDisk, noFullDisk } from "../full-disk.ts";
import { anySeed } from "../random.ts";
import type { ComputerFault } from "./fault-kinds.ts";
import { failUnderComputers } from "./injected-faults.ts";

const timeout = 5 * 60_000;
const seed = anySeed();
/** The others are much like these, and come in the long run. */
const kinds: readonly ComputerFault[] = [
  "EIO once",
  "open or read EIO once",
  "ENOSPC until there is room",
  "EIO on everything until the disk is back",
];

test("R2 (COMP-5, COMP-6): whichever operation of the disk fails under an action, what is acknowledged stays, the folder names what it lacks, and the same computer goes on", {
  timeout,
}, async () => {
  const { trials, refused, blocked } = await inTemporaryFolder((folder) =>
    failUnderComputers(folder, { seed, kinds, pace: { sample: 1 } }),
  );
  expect(trials, `seed ${seed}: faults`).toBeGreaterThan(25);
  expect(refused, `seed ${seed}: refused`).toBeGreaterThan(5);
  expect(blocked, `seed ${seed}: landed later`).toBeGreaterThan(5);
});

test("R2 (COMP-5): on a disk that is really full nothing acknowledged is lost, and the same computer goes on once there is room", {
  timeout,
}, async ({ skip }) => {
  const reason = noFullDisk();
  if (reason !== undefined) skip(reason);
  const plan = { seed, rounds: 1, megabytes: 10, script: "computer/full-disk-run.ts" };
  const { acknowledged, refused } = await inTemporaryFolder((folder) => fillDisk(folder, plan));
  expect(refused, `seed ${seed}: refused for want of room`).toBeGreaterThan(0);
  expect(acknowledged, `seed ${seed}: acknowledged`).toBeGreaterThan(0);
});
