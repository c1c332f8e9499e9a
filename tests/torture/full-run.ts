import { killAgents } from "./computer/agent-kills.ts";
import { damageComputers } from "./computer/damaged-computers.ts";
import { COMPUTER_FAULTS, type ComputerFault } from "./computer/fault-kinds.ts";
import { killImports } from "./computer/import-kills.ts";
import { failUnderComputers } from "./computer/injected-faults.ts";
import { killComputers } from "./computer/kills.ts";
import { runLargeCommands, runModel } from "./computer/model-run.ts";
import { damageStores } from "./damaged-stores.ts";
import { FAULT_KINDS, type FaultKind } from "./fault-kinds.ts";
import { fillDisk } from "./full-disk.ts";
import { injectFaults } from "./injected-faults.ts";
import { killWriters } from "./kills.ts";
import { soak } from "./soak.ts";

/** One line of the table. */
export interface Torture {
  readonly id: "R1" | "R2" | "R3" | "R4" | "R7" | "R8";
  readonly title: string;
  run(folder: string, plan: Plan, progress: (done: string) => void): Promise<Done>;
}

export interface Plan {
  readonly seed: number;
  /** How long those go on that have no end of their own. */
  readonly minutes: number;
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
  computerKills(1000),
  agentKills(400),
  importKills(200),
  ...(Object.keys(FAULT_KINDS) as FaultKind[]).map((kind) => faults(kind, { neighbour: true })), // its own keys
  faults("EIO once", { neighbour: false }),
  faults("EIO on everything until the disk is back", { neighbour: false }),
  faults("EIO once", { events: 300, step: 97 }),
  faults("fsync EIO once", { events: 300, step: 11 }),
  faults("short write, then ENOSPC until there is room", { events: 300, step: 97 }),
  faults("EIO on everything until the disk is back", { events: 300, step: 97 }),
  fullDisk(),
  ...(Object.keys(COMPUTER_FAULTS) as ComputerFault[]).map(computerFaults), // its own keys
  fullDisk("computer/full-disk-run.ts"),
  damages("the last 4,096 bytes cut off at each point", { cutStep: 1, flips: 0 }),
  damages("flipped bits", { cutStep: Number.POSITIVE_INFINITY, flips: 2000 }),
  computerDamages(2000),
  interleavings(10_000),
  soaking(500),
  largeCommands(100_000, 1024),
];

function soaking(perSecond: number): Torture {
  return {
    id: "R7",
    title: `${perSecond} events a second to sockets that stay, ask, come and go`,
    run: async (folder, { minutes }, progress) => {
      const onProgress = (done: number, of: number) => progress(`sample ${done} of ${of}`);
      const { events, samples } = await soak(folder, { seconds: minutes * 60, perSecond, onProgress });
      const heap = samples.map((sample) => Math.round(sample.heap / 1e6));
      return { runs: 1, result: `${events} events, ${heap.at(0)} MB at first, ${heap.at(-1)} MB at last` };
    },
  };
}

function largeCommands(files: number, megabytes: number): Torture {
  return {
    id: "R8",
    title: `commands that leave ${files} files, and one of ${megabytes} MB`,
    run: async (_folder, _plan, progress) => {
      progress("on both grounds");
      await runLargeCommands(files, megabytes);
      return { runs: 4, result: "captured, taken back and brought back" };
    },
  };
}

function interleavings(count: number): Torture {
  return {
    id: "R4",
    title: "any interleaving of actions, meddling, undos and restarts, against a model",
    run: async (_folder, { seed }, progress) => {
      progress(`${count} runs`);
      await runModel(count, seed);
      return { runs: count, result: "each moment was what the model remembers" };
    },
  };
}

function computerKills(count: number): Torture {
  return {
    id: "R1",
    title: "kill -9, a computer, six who act and run commands, two who meddle",
    run: async (folder, { seed }, progress) => {
      const onProgress = (done: number) => progress(`kill ${done} of ${count}`);
      const plan = { seed, kills: count, commands: count / 4, killsPerComputer: 20, onProgress };
      const { acknowledged, called, slowestOpeningMs } = await killComputers(folder, plan);
      const opened = `opened in ${Math.ceil(slowestOpeningMs)} ms at most`;
      return {
        runs: count,
        result: `${acknowledged} acknowledged, none lost; ${called} commands, each with its end; ${opened}`,
      };
    },
  };
}

function agentKills(count: number): Torture {
  return {
    id: "R1",
    title: "kill -9, agents who write, run commands and checks, with asks that wait",
    run: async (folder, { seed }, progress) => {
      const onProgress = (done: number) => progress(`kill ${done} of ${count}`);
      const { acknowledged, asks } = await killAgents(folder, { seed, kills: count, killsPerComputer: 8, onProgress });
      return { runs: count, result: `${acknowledged} acknowledged, none lost; ${asks} asks, each step done once` };
    },
  };
}

function importKills(count: number): Torture {
  return {
    id: "R1",
    title: "kill -9 while a computer is imported",
    run: async (folder, { seed }, progress) => {
      const onProgress = (done: number) => progress(`kill ${done} of ${count}`);
      const { nothing, everything } = await killImports(folder, { seed, kills: count, onProgress });
      return { runs: count, result: `${nothing} left nothing, ${everything} everything` };
    },
  };
}

function computerFaults(kind: ComputerFault): Torture {
  return {
    id: "R2",
    title: `${kind}, under a computer`,
    run: async (folder, { seed }, progress) => {
      const onProgress = (done: number) => progress(`fault ${done}`);
      const plan = { seed, kinds: [kind], pace: { step: 1 }, onProgress };
      const { trials, refused, blocked } = await failUnderComputers(folder, plan);
      return { runs: trials, result: `${refused} refused, ${blocked} landed later, all were got over` };
    },
  };
}

function computerDamages(count: number): Torture {
  return {
    id: "R3",
    title: "cuts and flipped bits beside a computer's log",
    run: async (folder, { seed }, progress) => {
      const onProgress = (done: number, total: number) => progress(`damage ${done} of ${total}`);
      const { found, later, harmless } = await damageComputers(folder, { seed, damages: count, onProgress });
      return { runs: count, result: `${found} found, ${later} by verify, ${harmless} without effect` };
    },
  };
}

function kills(title: string, count: number, length?: number): Torture {
  return {
    id: "R1",
    title,
    run: async (folder, { seed }, progress) => {
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
    run: async (folder, { seed }, progress) => {
      const onProgress = (done: number) => progress(`fault ${done}`);
      const plan = { seed, kinds: [kind], pace: { step }, events, neighbour, verifyEach: 1, onProgress };
      const { trials, failing } = await injectFaults(folder, plan);
      return { runs: trials, result: `${failing} were noticed, all were got over` };
    },
  };
}

function fullDisk(script?: string): Torture {
  return {
    id: "R2",
    title: `a disk of 10 MB that is full${script === undefined ? "" : ", under a computer"}`,
    run: async (folder, { seed }) => {
      const rounds = 20;
      const plan = { seed, rounds, megabytes: 10, ...(script !== undefined && { script }) };
      const { refused, acknowledged } = await fillDisk(folder, plan);
      return { runs: rounds, result: `${refused} refused, then taken; ${acknowledged} acknowledged, none lost` };
    },
  };
}

function damages(title: string, how: { cutStep: number; flips: number }): Torture {
  return {
    id: "R3",
    title,
    run: async (folder, { seed }, progress) => {
      const onProgress = (done: number, total: number) => progress(`damage ${done} of ${total}`);
      const { found, harmless, shorter } = await damageStores(folder, { seed, ...how, onProgress });
      const result = `${found} found, ${shorter} shorter and missed, ${harmless} without effect`;
      return { runs: found + harmless + shorter, result };
    },
  };
}
