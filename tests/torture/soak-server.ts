import { readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { openLiveGateway } from "@choiros/gateway/testing";

/** A gateway of its own, with one computer. To be forked, with `--expose-gc`. */
export type FromSoak =
  | { readonly port: number; readonly console: string; readonly cookie: string; readonly token: string }
  | { readonly head: number }
  | { readonly heap: number; readonly resident: number; readonly files: number; readonly resources: number };
/** `append`: so many events a second from now on, until `pause`, which is answered with the last one's number. */
export type ToSoak = { readonly append: number } | "pause" | "sample" | "stop";

const TICK_MS = 20;
const gateway = await openLiveGateway(process.argv[2] ?? "");
const { log } = await gateway.computer("ada");
const { cookie, token } = await gateway.signIn("ada");
let going = false;
let appending: Promise<void> | undefined;

process.on("message", async (message: ToSoak) => {
  if (message === "sample") say(await sample());
  else if (message === "pause") await pause();
  else if (message === "stop") await stop();
  else appending = append(message.append);
});
say({ console: gateway.sites.console, cookie, port: gateway.port, token });

function say(message: FromSoak): void {
  process.send?.(message);
}

/** Each has in it when it was begun, by a clock that all processes share. */
async function append(perSecond: number): Promise<void> {
  going = true;
  const start = performance.now();
  for (let done = 0; going; ) {
    const due = Math.floor(((performance.now() - start) * perSecond) / 1000);
    const some = Math.min(due - done, perSecond); // who fell behind doesn't catch up with all of it at once
    await Promise.all(Array.from({ length: some }, appendOne));
    done = due;
    await wait(TICK_MS);
  }
}

async function appendOne(): Promise<void> {
  const changes = [{ after: String(process.hrtime.bigint()), before: null, key: "now" }];
  const appended = await log.append({ source: "system", type: "settings.change", payload: { changes } });
  if (!appended.ok) throw new Error(appended.message);
}

async function pause(): Promise<void> {
  going = false;
  await appending;
  say({ head: (await log.head()).seq });
}

async function sample(): Promise<FromSoak> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await wait(0);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const files = readdirSync("/proc/self/fd").length;
  return { heap: heapUsed + external, resident: rss, files, resources: process.getActiveResourcesInfo().length };
}

async function stop(): Promise<void> {
  const [fault] = gateway.reports; // what closing cuts off is none
  await gateway.close();
  if (fault !== undefined) throw fault;
  process.disconnect();
}
