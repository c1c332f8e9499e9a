import type { Server } from "node:net";
import type { Duplex } from "node:stream";
import { type EgressOptions, EgressProxy } from "../egress/egress-proxy.ts";
import { SandboxError } from "../sandbox-error.ts";
import { Namespace } from "./namespace.ts";
import { Porter } from "./porter.ts";

/** Where the proxy is, for what runs inside. Above the ports that a system gives out by itself. */
const PROXY_PORT = 61_313;
const PROXY = `http://127.0.0.1:${PROXY_PORT}`;
const NO_PROXY = "localhost,127.0.0.1,::1";
const PROXY_ENV = {
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  http_proxy: PROXY,
  https_proxy: PROXY,
  NO_PROXY,
  no_proxy: NO_PROXY,
  NODE_USE_ENV_PROXY: "1",
};

/**
 * The network of what runs in one sandbox: a loopback of its own, a way out to the hosts on its list and no other, and a
 * way in for us. A command gets it by `prefix` before its command line, and must not be given another.
 */
export class Network {
  /** What stands before a command line to run it in this network. */
  readonly prefix: readonly string[];
  /** What tells the programs inside how to get out. */
  readonly env: Readonly<Record<string, string>>;
  readonly #namespace: Namespace;
  readonly #exit: Exit | undefined;
  #porter: Porter | undefined;
  #closing: Promise<void> | undefined;

  private constructor(namespace: Namespace, exit?: Exit) {
    this.prefix = namespace.prefix;
    this.env = exit === undefined ? {} : PROXY_ENV;
    this.#namespace = namespace;
    this.#exit = exit;
  }

  static async open(options: EgressOptions): Promise<Network> {
    const proxy = new EgressProxy(options); // first: a list that can't be is told before anything is made
    const namespace = await Namespace.make();
    if (options.egress === "none") return new Network(namespace);
    const porter = new Porter(namespace);
    try {
      const server = await porter.listen(PROXY_PORT);
      server.on("error", () => {}); // one connection that couldn't be accepted: whoever made it hears of it
      server.on("connection", (client) => {
        client.allowHalfOpen = true;
        proxy.accept(client);
      });
      return new Network(namespace, { proxy, server });
    } catch (error) {
      namespace.close();
      throw error;
    } finally {
      await porter.close(); // its socket is ours now
    }
  }

  /** A connection to a port that something inside listens on. */
  async dial(port: number): Promise<Duplex> {
    if (this.#closing !== undefined)
      throw new SandboxError("closed", `can't dial port ${port}: the sandbox's network was closed`);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new SandboxError("misuse", `can't dial port ${port}: it isn't a number from 1 to 65535`);
    }
    if (this.#porter === undefined || this.#porter.lost) this.#porter = new Porter(this.#namespace);
    return await this.#porter.dial(port);
  }

  /** Ends every connection out and every dial that isn't answered. What was dialled is the caller's to end. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#exit?.server.close();
    this.#exit?.proxy.close();
    await this.#porter?.close();
    this.#namespace.close();
  }
}

/** The way out: a socket in the sandbox's network, and what is behind it. */
interface Exit {
  readonly proxy: EgressProxy;
  readonly server: Server;
}
