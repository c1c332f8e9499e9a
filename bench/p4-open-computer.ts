import { join } from "node:path";
import { openState, State } from "@choiros/computer";
import { inTurns, type Measure, median } from "./measure.ts";
import { fill, withStore } from "./stores.ts";

const FEW = 1000;

/** Log and state, as when a server opens a computer: the peer is one that hardly anything happened on. */
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
      ["many", quick ? 30_000 : 1_000_000],
    ] as const) {
      const dir = join(ground, name);
      await fill(dir, events, say);
      say("making its state");
      await openAndClose(dir);
    }
  },

  async run(round, { folder, ground, quick }) {
    const warm = await State.open({ path: join(folder, "state.sqlite") }); // so that its thread runs, as in a server
    const took = await inTurns(
      round,
      quick ? 5 : 25,
      async () => [await openAndClose(join(ground, "many"))],
      async () => [await openAndClose(join(ground, "few"))],
    );
    await warm.close();
    return { ours: median(took.ours), peer: median(took.peer) };
  },
};

async function openAndClose(dir: string): Promise<number> {
  const start = performance.now();
  return withStore(dir, async ({ log, contents }) => {
    const { state, close } = await openState({ dir, log, contents });
    const took = performance.now() - start;
    const { seq } = await log.head();
    if (state.appliedSeq !== seq) throw new Error(`the state is at event ${state.appliedSeq} of ${seq}`);
    await close();
    return took;
  });
}
