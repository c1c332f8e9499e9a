import { expect, test } from "vitest";
import { FAULT_KINDS, type FaultKind } from "./fault-kinds.ts";
import { inTemporaryFolder } from "./folder.ts";
import { fillDisk, noFullDisk } from "./full-disk.ts";
import { injectFaults } from "./injected-faults.ts";
import { anySeed } from "./random.ts";

const timeout = 5 * 60_000;
const seed = anySeed();

test("R2 (LOG-10): whichever operation of the disk fails, nothing is acknowledged in vain, and the same store goes on", {
  timeout,
}, async () => {
  const kinds = Object.keys(FAULT_KINDS) as FaultKind[]; // its own keys
  const plan = { seed, kinds, pace: { sample: 8 }, events: 12, neighbour: true, verifyEach: 6 };
  const { failing } = await inTemporaryFolder((folder) => injectFaults(folder, plan));
  expect(failing, `seed ${seed}: faults that were noticed`).toBeGreaterThan(30);
});

test("R2 (LOG-10): whichever rename or flush fails, on the disk's thread or in the pool that writes large contents, nothing is acknowledged in vain", {
  timeout,
}, async () => {
  const kinds = ["rename EIO once", "fsync EIO once"] as const;
  const plan = { seed, kinds, pace: { step: 1 }, events: 4, neighbour: true, verifyEach: 20 };
  const { hit } = await inTemporaryFolder((folder) => injectFaults(folder, plan));
  expect(hit).toEqual(expect.arrayContaining(["rename /log.sqlite", "fsync /contents/…"]));
});

test("R2: a failing disk leaves no lock behind where the store is alone in its process", { timeout }, async () => {
  const kinds = ["EIO until the disk is back"] as const;
  const plan = { seed, kinds, pace: { sample: 5 }, events: 4, neighbour: false, verifyEach: 8 };
  const { failing } = await inTemporaryFolder((folder) => injectFaults(folder, plan));
  expect(failing, `seed ${seed}: faults that were noticed`).toBeGreaterThan(2);
});

test("R2 (LOG-10): on a disk that is really full nothing acknowledged is lost, and the same store goes on once there is room", {
  timeout,
}, async ({ skip }) => {
  // Injected faults have shown the same above; many containers let nobody mount anything.
  const reason = noFullDisk();
  if (reason !== undefined) skip(reason);
  const plan = { seed, rounds: 1, megabytes: 6 };
  const { acknowledged, refused } = await inTemporaryFolder((folder) => fillDisk(folder, plan));
  expect(refused, `seed ${seed}: refused for want of room`).toBeGreaterThan(0);
  expect(acknowledged, `seed ${seed}: acknowledged`).toBeGreaterThan(refused);
});
