import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Computer } from "@choiros/computer";
import { inTurns, type Measure, median, p99, timed } from "./measure.ts";
import { commitAll, makeComputer, makeRepository, pathOf, textOf, withComputer } from "./workspace.ts";

/** Somebody's editor saves one file: from there to the event that holds it, durable, with the watcher on. */
export const captureEdit: Measure = {
  id: "P5",
  title: "an edit from outside captured, 10,000 files",
  unit: "ms",
  peer: "git add -A and git commit of the same edit there",
  better: "lower",
  floor: 0.5,
  aim: 0.15,

  async prepare({ ground, quick, say }) {
    const { few } = sizesOf(quick);
    say(`making a workspace of ${few} files`);
    await makeComputer(join(ground, "few"), few);
    await makeRepository(join(ground, "repository"), few);
  },

  async run(round, { ground, quick }) {
    const { few, turns } = sizesOf(quick);
    const repository = join(ground, "repository");
    return withComputer(join(ground, "few"), true, async (computer) => {
      const ours = async (turn: number) => [await edited(computer, few, edit(round, turn))];
      const peer = async (turn: number) => {
        const { file, number } = editOf(few, edit(round, turn));
        writeFileSync(join(repository, pathOf(file)), textOf(file, number));
        return [await timed(() => commitAll(repository))];
      };
      const took = await inTurns(round, turns, ours, peer);
      return { ...medians(took), p99: { ours: p99(took.ours), peer: p99(took.peer) } };
    });
  },
};

/** What is captured is one file, however many others there are. */
export const captureEditAmongMany: Measure = {
  id: "P5L",
  title: "an edit from outside captured, 100,000 files",
  unit: "ms",
  peer: "the same, 10,000 files",
  better: "lower",
  floor: 1.5,
  aim: 1.05,

  async prepare({ ground, quick, say }) {
    const { few, many } = sizesOf(quick);
    say(`making workspaces of ${few} and ${many} files`);
    await makeComputer(join(ground, "few"), few);
    await makeComputer(join(ground, "many"), many);
  },

  async run(round, { ground, quick }) {
    const { few, many, turns } = sizesOf(quick);
    return withComputer(join(ground, "few"), true, (small) =>
      withComputer(join(ground, "many"), true, async (large) => {
        const took = await inTurns(
          round,
          turns,
          async (turn) => [await edited(large, many, edit(round, turn))],
          async (turn) => [await edited(small, few, edit(round, turn))],
        );
        return { ...medians(took), p99: { ours: p99(took.ours), peer: p99(took.peer) } };
      }),
    );
  },
};

function sizesOf(quick: boolean) {
  return quick ? { few: 2000, many: 20_000, turns: 5 } : { few: 10_000, many: 100_000, turns: 20 };
}

function medians({ ours, peer }: { ours: number[]; peer: number[] }) {
  return { ours: median(ours), peer: median(peer) };
}

/** No two are the same. */
function edit(round: number, turn: number): number {
  return round * 1000 + turn + 1;
}

function editOf(files: number, number: number) {
  return { file: (number * 7919) % files, number };
}

/** One edit, not a burst of them, which the watcher would wait for the end of. */
const APART_MS = 40;

/** Milliseconds from a saved file to the event that names it. */
async function edited(computer: Computer, files: number, number: number): Promise<number> {
  const { file } = editOf(files, number);
  await wait(APART_MS);
  const { seq } = await computer.log.head();
  const stop = new AbortController();
  const patience = setTimeout(() => stop.abort(), 10_000); // and what keeps the process: watching alone doesn't
  const events = computer.log.subscribe({ from: seq + 1, signal: stop.signal })[Symbol.asyncIterator]();
  const next = events.next(); // it listens before anything happens
  const start = performance.now();
  writeFileSync(join(computer.root, "workspace", pathOf(file)), textOf(file, number));
  const event = await next;
  const took = performance.now() - start;
  clearTimeout(patience);
  stop.abort();
  await events.return?.();
  const found = event.done === true ? "nothing" : JSON.stringify(event.value.payload);
  if (!found.includes(`workspace/${pathOf(file)}`))
    throw new Error(`${pathOf(file)} was edited, and captured was ${found}`);
  return took;
}
