import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { growthIn, median, type Sample } from "./growth.ts";
import { hold } from "./promise.ts";
import type { FromSoak, ToSoak } from "./soak-server.ts";
import { type SoakPlace, SoakSocket } from "./soak-socket.ts";

export interface Soak {
  readonly seconds: number;
  readonly perSecond: number;
  onProgress?(samples: number, of: number): void;
}

const SAMPLES = 24;
/** Stay from the first event to the last, and ask for something now and then. */
const STEADY = 10;
/** Come, hear, and go again, in each time between two samples. */
const PASSING = 8;
/** So many events they hear again first. */
const MISSED = 100;

/**
 * A gateway that does much for long: events for all its sockets, commands and signals from them, and sockets that come and
 * go. Afterwards every socket that stayed has had every event once, and nothing of the server has grown.
 */
export async function soak(
  folder: string,
  { seconds, perSecond, onProgress }: Soak,
): Promise<{ events: number; samples: Sample[] }> {
  const server = fork(join(import.meta.dirname, "soak-server.ts"), [folder], { execArgv: ["--expose-gc"] });
  const ended = once(server, "exit");
  try {
    const place = await answer(server, ended);
    hold("port" in place, "the server didn't say where it is");
    const steady = await Promise.all(Array.from({ length: STEADY }, () => SoakSocket.open(place)));
    const samples: Sample[] = [];
    for (let i = 0; i < SAMPLES; i++) {
      tell(server, { append: perSecond });
      await passBy(place, (seconds * 1000) / SAMPLES, steady);
      tell(server, "pause");
      const paused = await answer(server, ended);
      hold("head" in paused, "the server didn't say how far it is");
      await Promise.all(steady.map((socket) => socket.caughtUp(paused.head))); // what is on its way would weigh, too
      tell(server, "sample");
      const weighed = await answer(server, ended);
      hold("heap" in weighed, "the server didn't say what it weighs");
      samples.push({ ...weighed, latency: median(steady.flatMap((socket) => socket.takeTimes())) });
      onProgress?.(i + 1, SAMPLES);
    }
    const heard = steady.map((socket) => socket.close());
    tell(server, "stop");
    const [code] = await ended;
    hold(code === 0, `the server ended with ${code}`);
    const grown = growthIn(samples);
    hold(grown.length === 0, () => `of ${Math.min(...heard)} events: ${grown.join("; ")}`);
    return { events: Math.min(...heard), samples };
  } finally {
    server.kill("SIGKILL");
  }
}

/** What else goes on between two samples. */
async function passBy(place: SoakPlace, ms: number, steady: readonly SoakSocket[]): Promise<void> {
  const end = performance.now() + ms;
  for (let left = PASSING; left > 0; left--) {
    const passing = await SoakSocket.open(place, Math.max(1, (steady[0]?.last ?? 1) - MISSED));
    for (const socket of [passing, ...steady]) socket.ask();
    await wait(Math.max(0, end - performance.now()) / left);
    passing.leave();
  }
}

function tell(server: ChildProcess, message: ToSoak): void {
  server.send(message);
}

async function answer(server: ChildProcess, ended: Promise<unknown[]>): Promise<FromSoak> {
  const [message] = await Promise.race([once(server, "message"), ended]);
  hold(typeof message === "object" && message !== null, `the server ended with ${message}`);
  return message;
}
