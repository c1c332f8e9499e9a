import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Egress } from "../sandbox.ts";
import { AllowedHosts } from "./allowed-hosts.ts";
import type { Connection } from "./connection.ts";
import { Connections } from "./connections.ts";
import { forward } from "./forward.ts";
import { type Resolve, reach, systemResolve } from "./reach.ts";
import { askedFor, type Target } from "./target.ts";
import { tunnel } from "./tunnel.ts";
import { Visit } from "./visit.ts";

export interface EgressOptions {
  readonly egress: Egress;
  readonly onConnection: (connection: Connection) => void;
  /** For tests alone: hosts on the list may be this machine. */
  readonly allowLoopback?: boolean;
  /** How names become addresses; the system's way unless given. */
  readonly resolve?: Resolve;
  readonly limits?: Partial<EgressLimits>;
}

export interface EgressLimits {
  /** At once. */
  readonly connections: number;
  readonly headerBytes: number;
  /** Until a request, and then until a tunnel's first bytes, must be there. */
  readonly requestMs: number;
  readonly reachMs: number;
  /** With no byte either way. */
  readonly idleMs: number;
}

const LIMITS: EgressLimits = {
  connections: 128,
  headerBytes: 16_384,
  requestMs: 10_000,
  reachMs: 10_000,
  idleMs: 300_000,
};

/** Where nothing was asked for yet. */
const NOWHERE = askedFor("");
const UNREADABLE = "it isn't a request that can be read";

/**
 * The way out of one sandbox: an HTTP proxy that isn't listening anywhere. It is handed connections, lets through what is
 * on the list, and tells of each. A connection carries one request: nothing can follow that was smuggled in behind it.
 */
export class EgressProxy {
  readonly #server;
  readonly #connections: Connections;
  readonly #sockets = new Set<Duplex>();
  readonly #visits = new Set<Visit>();
  readonly #waiting = new WeakMap<Duplex, NodeJS.Timeout>();
  readonly #limits: EgressLimits;
  readonly #open: (client: Duplex, asked: Target) => Visit;

  constructor(options: EgressOptions) {
    const allowed = new AllowedHosts(options.egress);
    const limits = { ...LIMITS, ...options.limits };
    const { allowLoopback = false, resolve = systemResolve } = options;
    this.#limits = limits;
    this.#connections = new Connections(options.onConnection);
    this.#open = (client, asked) =>
      new Visit(client, asked, {
        allowed,
        limits,
        visits: this.#visits,
        connections: this.#connections,
        reach: (target) => reach(target, { resolve, allowLoopback, reachMs: limits.reachMs }),
      });
    this.#server = createServer({ maxHeaderSize: limits.headerBytes, requireHostHeader: false });
    this.#server.maxRequestsPerSocket = 1;
    this.#server.on("request", (request, response) => {
      const visit = this.#visit(request);
      forward(visit, request, response).catch(() => visit.cut(UNREADABLE));
    });
    this.#server.on("connect", (request, client, head) => {
      if (head.length > 0) client.unshift(head);
      const visit = this.#visit(request);
      tunnel(visit, request, client).catch(() => visit.cut(UNREADABLE));
    });
    this.#server.on("clientError", (error: NodeJS.ErrnoException, client) => {
      if (error.code === "ECONNRESET" || !client.writable)
        client.destroy(); // it has gone, or has its answer
      else this.#open(client, NOWHERE).refuse(400, `${UNREADABLE} (${error.message})`);
    });
  }

  /** Takes on a connection from inside. */
  accept(client: Duplex): void {
    client.on("error", () => client.destroy()); // whoever went away is told nothing
    if (this.#sockets.size >= this.#limits.connections) {
      this.#open(client, NOWHERE).refuse(503, `there are ${this.#limits.connections} connections already`);
      return;
    }
    this.#sockets.add(client);
    const timer = setTimeout(() => {
      this.#open(client, NOWHERE).refuse(408, "its request didn't come in time");
    }, this.#limits.requestMs);
    this.#waiting.set(client, timer);
    client.once("close", () => {
      clearTimeout(timer);
      this.#sockets.delete(client);
    });
    this.#server.emit("connection", client);
  }

  /** Ends every connection, and tells of what wasn't told yet. */
  close(): void {
    for (const visit of this.#visits) visit.end();
    for (const socket of this.#sockets) socket.destroy();
    this.#connections.flush();
  }

  #visit(request: IncomingMessage): Visit {
    clearTimeout(this.#waiting.get(request.socket));
    return this.#open(request.socket, askedFor(request.url ?? ""));
  }
}
