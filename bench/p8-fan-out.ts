import { once } from "node:events";
import { mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Computer } from "@choiros/computer";
import { openLiveGateway } from "@choiros/gateway/testing";
import { WebSocketServer } from "ws";
import type { Crowd } from "./crowd-thread.ts";
import { inTurns, type Measure, median, p99 } from "./measure.ts";

const SOCKETS = 100;

/** From the call of `append` until the last of 100 sockets has the event. The peer appends alike, and then sends it to all. */
export const fanOut: Measure = {
  id: "P8",
  title: "append → 100 sockets, p99",
  unit: "ms",
  peer: "append, then a bare ws broadcast",
  better: "lower",
  floor: 2,
  aim: 1.2,

  async run(round, { folder, quick }) {
    const home = join(folder, "home");
    mkdirSync(home);
    const gateway = await openLiveGateway(home);
    await gateway.accounts.add("bob", "member");
    const [mine, theirs] = [await gateway.computer("ada"), await gateway.computer("bob")];
    const { cookie, token } = await gateway.signIn("ada");
    const { console } = gateway.sites;
    const from = (await mine.log.head()).seq + 1;
    const ours = await crowdOf({
      ...{ port: gateway.port, path: "/api/ws", sockets: SOCKETS },
      headers: { cookie, host: new URL(console).host, origin: console },
      hello: JSON.stringify({ computer: "ada", from, hello: 1, token }),
    });
    const bare = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    await once(bare, "listening");
    const { port } = bare.address() as AddressInfo; // it listens on a port, not on a path
    const peer = await crowdOf({ port, path: "/", sockets: SOCKETS, headers: {}, hello: null });
    const took = await inTurns(
      round,
      quick ? 10 : 40,
      () => times(ours, () => append(mine)),
      () => times(peer, () => appendAndSend(theirs, bare)),
    );
    await Promise.all([ours.terminate(), peer.terminate()]);
    bare.close();
    await gateway.close();
    return {
      ours: p99(took.ours),
      peer: p99(took.peer),
      also: { median: { ours: median(took.ours), peer: median(took.peer) } },
    };
  },
};

const EVENTS = 10;

/** For each of some events, in milliseconds; one at a time. */
async function times(crowd: Worker, act: () => Promise<void>): Promise<number[]> {
  const took: number[] = [];
  for (let i = 0; i < EVENTS; i++) {
    const start = process.hrtime.bigint();
    const [[last]] = await Promise.all([once(crowd, "message") as Promise<[bigint]>, act()]); // what it posts for an event
    took.push(Number(last - start) / 1e6);
  }
  return took;
}

async function append({ log }: Computer): Promise<void> {
  const payload = { changes: [{ after: "x".repeat(200), before: null, key: "x" }] };
  const appended = await log.append({ source: "system", type: "settings.change", payload });
  if (!appended.ok) throw new Error(appended.message);
}

async function appendAndSend(computer: Computer, { clients }: WebSocketServer): Promise<void> {
  await append(computer);
  const { seq } = await computer.log.head();
  for await (const event of computer.log.subscribe({ from: seq })) {
    const text = JSON.stringify({ event });
    for (const client of clients) client.send(text);
    return;
  }
}

async function crowdOf(crowd: Crowd): Promise<Worker> {
  const worker = new Worker(new URL("./crowd-thread.ts", import.meta.url), { workerData: crowd });
  await once(worker, "message");
  return worker;
}
