import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { openLiveGateway } from "@choiros/gateway/testing";
import { plainFiles } from "@choiros/gateway/testing/plain-files";
import { inTurns, type Measure, sum } from "./measure.ts";
import type { Readers } from "./readers-thread.ts";

/** A file of a computer, read on the console's site by somebody signed in: looked at, looked up, checked and counted. */
export const readSmall = reading({ id: "Read", title: "read a file of 4 KB", bytes: 4096, times: 300 });
export const readLarge = reading({ id: "ReadL", title: "read a file of 1 MB", bytes: 1_048_576, times: 40 });

interface What extends Pick<Measure, "id" | "title"> {
  readonly bytes: number;
  /** In one turn. */
  readonly times: number;
}

function reading({ id, title, bytes, times }: What): Measure {
  return {
    ...{ id, title, unit: "requests/s", peer: "the same file by @fastify/static", better: "higher" },
    ...{ floor: 0.5, aim: 0.8, rounds: 5 },

    async run(round, { folder, quick }) {
      const home = join(folder, "home");
      mkdirSync(home);
      const gateway = await openLiveGateway(home);
      const { cookie } = await gateway.signIn("ada");
      const content = randomBytes(bytes);
      await (await gateway.computer("ada")).write("workspace/file.bin", content);
      writeFileSync(join(folder, "file.bin"), content);
      const plain = await plainFiles(folder);
      const ours = await readersOf({
        ...{ bytes, port: gateway.port, path: "/api/computers/ada/file/workspace/file.bin" },
        headers: { cookie, host: new URL(gateway.sites.console).host },
      });
      const peer = await readersOf({ bytes, port: plain.port, path: "/file.bin", headers: {} });
      for (const readers of [ours, peer]) await read(readers, times); // both are warm then
      const turns = quick ? 2 : 10;
      const took = await inTurns(
        round,
        turns,
        async () => [await read(ours, times)],
        async () => [await read(peer, times)],
      );
      await Promise.all([ours.terminate(), peer.terminate()]);
      await plain.close();
      await gateway.close();
      const rate = (ms: readonly number[]) => (turns * times * 1000) / sum(ms);
      return { ours: rate(took.ours), peer: rate(took.peer) };
    },
  };
}

/** In milliseconds. */
async function read(readers: Worker, times: number): Promise<number> {
  readers.postMessage(times);
  const [ms] = await once(readers, "message");
  return ms;
}

async function readersOf(readers: Readers): Promise<Worker> {
  const worker = new Worker(new URL("./readers-thread.ts", import.meta.url), { workerData: readers });
  await once(worker, "online");
  return worker;
}
