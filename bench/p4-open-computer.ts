import { join } from "node:path";
import { openComputer as open } from "@choiros/computer";
import { inTurns, type Measure, median } from "./measure.ts";
import { fill, USER } from "./stores.ts";

const FEW = 1000;

/**
 * Log, state and folder, as when a server opens a computer: the peer is one that hardly anything happened on. The events are
 * of files that aren't there, so the folder is left alone.
 */
export const openComputer: Measure = {
  id: "P4",
  title: "open a computer of 1,000,000 events",
  unit: "ms",
  peer: "open a computer of 1,000 events",
  better: "lower",
  floor: 2,
  aim: 1.1,

  async prepare({ ground, quick, say }) {
    for (const [name, events] of [
      ["few", FEW],
      ["many", many(quick)],
    ] as const) {
      const root = join(ground, name);
      await fill(join(root, ".choir"), events, say);
      say("making its state");
      await openAndClose(root, events);
    }
  },

  async run(round, { folder, ground, quick }) {
    const warm = await opened(join(folder, "warm"), true); // so that the threads run, as in a server
    const took = await inTurns(
      round,
      quick ? 5 : 25,
      async () => [await openAndClose(join(ground, "many"), many(quick))],
      async () => [await openAndClose(join(ground, "few"), FEW)],
    );
    await warm.close();
    return { ours: median(took.ours), peer: median(took.peer) };
  },
};

function many(quick: boolean): number {
  return quick ? 30_000 : 1_000_000;
}

async function openAndClose(root: string, events: number): Promise<number> {
  const start = performance.now();
  const computer = await opened(root, false);
  const took = performance.now() - start;
  const { seq } = await computer.log.head();
  if (seq !== events) throw new Error(`it has ${seq} events, not ${events}`);
  await computer.close();
  return took;
}

async function opened(root: string, create: boolean) {
  const answer = await open({ root, userId: USER, create, capture: false });
  if (!answer.ok) throw new Error(answer.message);
  return answer.computer;
}
