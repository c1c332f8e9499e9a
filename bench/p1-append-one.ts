import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { body, type Draft, ENVELOPE_VERSION, newId } from "@choiros/contract";
import { inTurns, type Measure, p99, sum, timed } from "./measure.ts";
import { append, settle, withStore, writes } from "./stores.ts";

const PER_TURN = 150;

/** What one writer gets who waits for each event: nothing durable can be quicker than the disk's own commit. */
export const appendOne: Measure = {
  id: "P1",
  title: "durable append, one writer",
  unit: "events/s",
  peer: "write and fdatasync of as many bytes, preallocated file",
  better: "higher",
  floor: 0.5,
  aim: 0.8,

  async run(round, { folder, quick }) {
    const turns = quick ? 2 : 8;
    const drafts = writes()
      .take(PER_TURN * turns)
      .toArray();
    const bodies = drafts.map(bytesOf);
    const file = preallocated(join(folder, "peer"), sum(bodies.map((bytes) => bytes.length)));
    let offset = 0;
    const write = (bytes: Buffer) => {
      offset += writeSync(file, bytes, 0, bytes.length, offset);
      fdatasyncSync(file);
    };
    const part = <T>(all: readonly T[], turn: number) => all.slice(turn * PER_TURN, (turn + 1) * PER_TURN);
    try {
      const ours = join(folder, "ours");
      return await withStore(ours, async ({ log }) => {
        await settle(join(ours, "log.sqlite"), () => append(log, writes().take(PER_TURN), 1));
        const took = await inTurns(
          round,
          turns,
          (turn) => append(log, part(drafts, turn), 1),
          (turn) => each(part(bodies, turn), write),
        );
        return {
          ours: (1000 * took.ours.length) / sum(took.ours),
          peer: (1000 * took.peer.length) / sum(took.peer),
          p99: { ours: p99(took.ours), peer: p99(took.peer) },
        };
      });
    } finally {
      closeSync(file);
    }
  },
};

/** How long the work took for each. */
async function each<T>(items: readonly T[], work: (item: T) => void): Promise<number[]> {
  const took: number[] = [];
  for (const item of items) took.push(await timed(() => work(item)));
  return took;
}

/** A file whose blocks are all there and written: a sync has nothing to do but to get the bytes out. */
function preallocated(path: string, size: number): number {
  const file = openSync(path, "w");
  writeSync(file, Buffer.alloc(size, 1));
  fsyncSync(file);
  return file;
}

/** The very bytes that the log stores for a draft, but for the number of digits in `seq`. */
function bytesOf(draft: Draft): Buffer {
  const { id = newId(), ...rest } = draft;
  return Buffer.from(body({ ...rest, id, seq: 1000, ts: new Date().toISOString(), v: ENVELOPE_VERSION }));
}
