import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inTurns, type Measure, timed } from "./measure.ts";
import { fill, withStore } from "./stores.ts";

/** Everything from the first event on, as for a state that is made anew: each event checked and handed out. */
export const replay: Measure = {
  id: "P3",
  title: "replay of the whole log",
  unit: "events/s",
  peer: "raw SELECT body and JSON.parse, same file",
  better: "higher",
  floor: 0.3,
  aim: 0.6,

  prepare: ({ ground, quick, say }) => fill(ground, eventsOf(quick), say),

  async run(round, { ground, quick }) {
    const events = eventsOf(quick);
    return withStore(ground, async ({ log }) => {
      const ours = async () => {
        let last = 0;
        for await (const event of log.read()) last = event.seq;
        expectAll(last, events);
      };
      const peer = () => expectAll(readRaw(join(ground, "log.sqlite")), events);
      const took = await inTurns(
        round,
        1,
        async () => [await timed(ours)],
        async () => [await timed(peer)],
      );
      return { ours: (1000 * events) / (took.ours[0] ?? 0), peer: (1000 * events) / (took.peer[0] ?? 0) };
    });
  },
};

function eventsOf(quick: boolean): number {
  return quick ? 20_000 : 120_000;
}

function readRaw(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    let last = 0;
    for (const { body } of db.prepare("SELECT body FROM event ORDER BY seq").iterate()) {
      last = JSON.parse(String(body)).seq;
    }
    return last;
  } finally {
    db.close();
  }
}

/** A replay that left something out would be quick, and worth nothing. */
function expectAll(last: number, events: number): void {
  if (last !== events) throw new Error(`read up to event ${last} of ${events}`);
}
