import { damageStores } from "./damaged-stores.ts";
import { FAULT_KINDS, type FaultKind } from "./fault-kinds.ts";
import { fillDisk } from "./full-disk.ts";
import { injectFaults } from "./injected-faults.ts";
import { killWriters } from "./kills.ts";

/** One line of the table. */
export interface Torture {
  readonly id: "R1" | "R2" | "R3";
  readonly title: string;
  run(folder: string, seed: number, progress: (done: string) => void): Promise<Done>;
}

export interface Done {
  readonly runs: number;
  /** What it came to, in a few words. */
  readonly result: string;
}

/** Everything, in full. */
export const TORTURES: readonly Torture[] = [
  kills("kill -9, eight writers", 800),
  kills("kill -9, eight writers, a log of 200,000 events", 200, 200_000),
  ...(Object.keys(FAULT_KINDS) as FaultKind[]).map((kind) => faults(kind, { neighbour: true })), // its own keys
  faults("EIO once", { neighbour: false }),
  faults("EIO on everything until the disk is back", { neighbour: false }),
  faults("EIO once", { events: 300, step: 97 }),
  faults("fsync EIO once", { events: 300, step: 11 }),
  faults("short write, then ENOSPC until there is room", { events: 300, step: 97 }),
  faults("EIO on everything until the disk is back", { events: 300, step: 97 }),
  fullDisk(),
  damages("the last 4,096 bytes cut off at each point", { cutStep: 1, flips: 0 }),
  damages("flipped bits", { cutStep: Number.POSITIVE_INFINITY, flips: 2000 }),
];

function kills(title: string, count: number, length?: number): Torture {
  return {
    id: "R1",
    title,
    run: async (folder, seed, progress) => {
      const onProgress = (done: number) => progress(`kill ${done} of ${count}`);
      const plan = { seed, kills: count, killsPerStore: 50, onProgress, ...(length !== undefined && { length }) };
      const { acknowledged, slowestOpeningMs } = await killWriters(folder, plan);
      const opened = `opened in ${Math.ceil(slowestOpeningMs)} ms at most`;
      return { runs: count, result: `${acknowledged} acknowledged, none lost; ${opened}` };
    },
  };
}

function faults(kind: FaultKind, how: { neighbour?: boolean; events?: number; step?: number }): Torture {
  const { neighbour = true, events = 12, step = 1 } = how;
  const each = step === 1 ? "" : `, each ${step}th operation`;
  return {
    id: "R2",
    title: `${kind}, ${events} events${neighbour ? "" : ", alone in its process"}${each}`,
    run: async (folder, seed, progress) => {
      const onProgress = (done: number) => progress(`fault ${done}`);
      const plan = { seed, kinds: [kind], pace: { step }, events, neighbour, verifyEach: 1, onProgress };
      const { trials, failing } = await injectFaults(folder, plan);
      return { runs: trials, result: `${failing} were noticed, all were got over` };
    },
  };
}

function fullDisk(): Torture {
  return {
    id: "R2",
    title: "a disk of 8 MB that is full",
    run: async (folder, seed) => {
      const rounds = 20;
      const { refused, acknowledged } = await fillDisk(folder, { seed, rounds, megabytes: 8 });
      return { runs: rounds, result: `${refused} refused, then taken; ${acknowledged} acknowledged, none lost` };
    },
  };
}

function damages(title: string, how: { cutStep: number; flips: number }): Torture {
  return {
    id: "R3",
    title,
    run: async (folder, seed, progress) => {
      const onProgress = (done: number, total: number) => progress(`damage ${done} of ${total}`);
      const { found, harmless, shorter } = await damageStores(folder, { seed, ...how, onProgress });
      const result = `${found} found, ${shorter} shorter and missed, ${harmless} without effect`;
      return { runs: found + harmless + shorter, result };
    },
  };
}
