import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { Connection } from "../connection.ts";
import { type EgressOptions, EgressProxy } from "../egress-proxy.ts";

/** A proxy behind a port, for hosts that are all this machine unless a test has another resolver. */
export class ProxyStage {
  readonly told: Connection[] = [];
  readonly proxy: EgressProxy;
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();

  private constructor(options: Omit<EgressOptions, "onConnection">) {
    this.proxy = new EgressProxy({
      allowLoopback: true,
      resolve: async () => ["127.0.0.1"],
      ...options,
      onConnection: (connection) => {
        this.told.push(connection);
        for (const wake of this.#waiting) wake();
      },
    });
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.proxy.accept(socket));
  }

  static async open(options: Omit<EgressOptions, "onConnection">): Promise<ProxyStage> {
    const stage = new ProxyStage(options);
    await once(stage.#server.listen(0, "127.0.0.1"), "listening");
    return stage;
  }

  get port(): number {
    return portOf(this.#server);
  }

  connect(): Socket {
    return connect({ port: this.port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {});
  }

  /** Sends this, and gives everything that comes back until the other side ends. */
  async ask(bytes: string | Buffer): Promise<string> {
    const socket = this.connect();
    socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    const answer = await text(socket);
    socket.destroy();
    return answer;
  }

  /** What was told, once there are so many. */
  async tellings(count: number): Promise<readonly Connection[]> {
    while (this.told.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
    return this.told;
  }

  close(): void {
    this.proxy.close();
    this.#server.close();
  }
}

/** The other side ended, or cut it off. */
export function gone(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket
    .on("error", () => {})
    .once("end", resolve)
    .once("close", resolve)
    .resume();
  if (socket.closed) resolve();
  return promise;
}

export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on no port");
  return address.port;
}
