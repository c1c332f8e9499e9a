import { parentPort, workerData } from "node:worker_threads";
import { WebSocket } from "ws";

/** Many sockets to one place, and for each event the moment when the last of them had it. */
export interface Crowd {
  readonly port: number;
  readonly path: string;
  readonly sockets: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly hello: string | null;
}

const { headers, hello, path, port, sockets } = workerData as Crowd; // what `crowdOf` gave
const missing: number[] = [];
let ready = 0;

for (let i = 0; i < sockets; i++) {
  let heard = 0;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  socket.on("open", () => (hello === null ? isReady() : socket.send(hello)));
  socket.on("error", (error) => {
    throw error;
  });
  socket.on("message", (data) => {
    const { event, welcome } = JSON.parse(String(data));
    if (welcome !== undefined) return isReady();
    if (event === undefined) return;
    missing[heard] = (missing[heard] ?? sockets) - 1;
    if (missing[heard++] === 0) parentPort?.postMessage(process.hrtime.bigint());
  });
}

function isReady(): void {
  if (++ready === sockets) parentPort?.postMessage("ready");
}
