import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface FreezingProxy {
  readonly port: number;
  /** From now on nothing comes through the connections that there are, and nobody closes them. New ones are as good as ever. */
  freeze(): void;
}

/** Between a browser and a server on this machine. */
export async function freezingProxy(serverPort: number): Promise<FreezingProxy> {
  const sockets = new Set<Socket>();
  const open = new Set<{ isFrozen: boolean }>();
  const proxy = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: serverPort, host: "127.0.0.1", allowHalfOpen: true });
    const line = { isFrozen: false };
    open.add(line);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {}); // it closes then
      one.on("data", (bytes) => line.isFrozen || other.write(bytes));
      one.on("end", () => line.isFrozen || other.end());
      one.on("close", () => {
        sockets.delete(one);
        if (!line.isFrozen) other.destroy();
      });
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const freeze = () => {
    for (const line of open) line.isFrozen = true;
    open.clear();
  };
  return { port: address.port, freeze };
}
