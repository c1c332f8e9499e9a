import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

/** Some who read one file over and over. Told how often, they say how many milliseconds it took them together. */
export interface Readers {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
}

const READERS = 8;
const { bytes, headers, path, port } = workerData as Readers; // what `readersOf` gave
const agent = new Agent({ keepAlive: true, maxSockets: READERS });

parentPort?.on("message", async (times: number) => {
  let left = times;
  const start = performance.now();
  const reader = async () => {
    while (left-- > 0) await readOnce();
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  parentPort?.postMessage(performance.now() - start);
});

async function readOnce(): Promise<void> {
  const [answer] = (await once(get({ agent, headers, host: "127.0.0.1", path, port }), "response")) as [
    IncomingMessage,
  ]; // as documented
  let length = 0;
  for await (const piece of answer) length += piece.length;
  if (answer.statusCode !== 200 || length !== bytes) throw new Error(`${path}: ${answer.statusCode}, ${length} bytes`);
}
