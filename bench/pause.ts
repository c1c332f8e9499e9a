import { readFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { inTurns, type Measure, p99 } from "./measure.ts";
import { append, withStore, writes } from "./stores.ts";

const WRITERS = 64;

/** How long nobody else gets a turn while 64 writers append as fast as they can: what a user would feel as a freeze. */
export const pause: Measure = {
  id: "Pause",
  title: "worst pause of the event loop, 64 writers",
  unit: "ms",
  peer: "the same loop, idle",
  better: "lower",
  judged: "ours",
  floor: 50,
  aim: 10,

  async run(round, { folder, quick }) {
    const duration = quick ? 500 : 3000;
    return withStore(join(folder, "ours"), async ({ log }) => {
      await append(log, writes().take(WRITERS * 10), WRITERS);
      const { ours, peer } = await inTurns(
        round,
        1,
        async () => [await watched(() => append(log, during(duration, writes()), WRITERS))],
        async () => [await watched(() => wait(duration))],
      );
      const pair = (part: keyof Pauses) => ({
        ours: Math.max(...ours.map((pauses) => pauses[part])),
        peer: Math.max(...peer.map((pauses) => pauses[part])),
      });
      const also = {
        "as monitorEventLoopDelay has it": pair("monitored"),
        "of it spent waiting for a core": pair("coreless"),
      };
      return { ...pair("worst"), p99: pair("p99"), also };
    });
  },
};

interface Pauses {
  readonly worst: number;
  readonly p99: number;
  readonly monitored: number;
  /** How much of the worst one nobody here could help: other processes had every core. */
  readonly coreless: number;
}

/** How much later than it asked for somebody gets a turn who wants one each millisecond. */
async function watched(work: () => Promise<unknown>): Promise<Pauses> {
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  const late: number[] = [];
  let worst = { late: 0, coreless: 0 };
  let done = false;
  const watch = async () => {
    while (!done) {
      const start = performance.now();
      const queued = timeQueued();
      await wait(1);
      const now = performance.now() - start - 1;
      late.push(now);
      if (now > worst.late) worst = { late: now, coreless: timeQueued() - queued };
    }
  };
  monitor.enable();
  const watching = watch();
  await work();
  done = true;
  await watching;
  monitor.disable();
  return { worst: worst.late, p99: p99(late), monitored: monitor.max / 1e6, coreless: worst.coreless };
}

/** Milliseconds that this thread could have run and had no core; only Linux tells. */
function timeQueued(): number {
  if (process.platform !== "linux") return Number.NaN;
  const [, queued] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  return Number(queued) / 1e6;
}

function* during<T>(duration: number, items: Iterable<T>): Generator<T> {
  const end = performance.now() + duration;
  for (const item of items) {
    if (performance.now() >= end) return;
    yield item;
  }
}
