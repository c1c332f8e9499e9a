import { join } from "node:path";
import { inTurns, type Measure, median } from "./measure.ts";
import { fill, open } from "./stores.ts";

const FEW = 1000;

/** Opening costs the same whatever has happened: the peer is the same log with next to no history. */
export const openLog: Measure = {
  id: "Open",
  title: "open a log of 1,000,000 events",
  unit: "ms",
  peer: "open a log of 1,000 events",
  better: "lower",
  floor: 2,
  aim: 1.1,

  async prepare({ ground, quick, say }) {
    await fill(join(ground, "few"), FEW, say);
    await fill(join(ground, "many"), quick ? 50_000 : 1_000_000, say);
  },

  async run(round, { ground, quick }) {
    const took = await inTurns(
      round,
      quick ? 5 : 25,
      async () => [await openAndClose(join(ground, "many"))],
      async () => [await openAndClose(join(ground, "few"))],
    );
    const middle = (part: keyof Times) => ({
      ours: median(took.ours.map((times) => times[part])),
      peer: median(took.peer.map((times) => times[part])),
    });
    return { ...middle("open"), also: { close: middle("close") } };
  },
};

interface Times {
  readonly open: number;
  readonly close: number;
}

/** The disk's thread runs already, for another store: starting it would cost both the same, and hide what differs. */
async function openAndClose(dir: string): Promise<Times> {
  const start = performance.now();
  const store = await open(dir);
  const opened = performance.now();
  await store.close();
  return { open: opened - start, close: performance.now() - opened };
}
