import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { AllowedHosts } from "./allowed-hosts.ts";
import type { Connections } from "./connections.ts";
import type { Reached } from "./reach.ts";
import type { ParsedTarget, Target } from "./target.ts";

export interface VisitRules {
  readonly allowed: AllowedHosts;
  readonly connections: Connections;
  readonly limits: { readonly requestMs: number; readonly idleMs: number };
  /** Those that haven't ended. */
  readonly visits: Set<Visit>;
  reach(target: Target): Promise<Reached>;
}

const STATUS = new Map([
  [400, "Bad Request"],
  [403, "Forbidden"],
  [408, "Request Timeout"],
  [502, "Bad Gateway"],
  [503, "Service Unavailable"],
]);

const LINGER_MS = 1_000;

/** One connection from inside, from its request to its end, of which it tells once. */
export class Visit {
  readonly client: Duplex;
  readonly rules: VisitRules;
  readonly #began = performance.now();
  #target: Target;
  #socket: Socket | undefined;

  constructor(client: Duplex, asked: Target, rules: VisitRules) {
    this.client = client;
    this.rules = rules;
    this.#target = asked;
    rules.visits.add(this);
  }

  /** A connection to where it wants to go, unless there is a fault in how it asks. Nothing: it was refused, and told. */
  async reach(parsed: ParsedTarget, fault?: string): Promise<Socket | undefined> {
    if (!parsed.ok) return this.refuse(403, parsed.why);
    this.#target = parsed.target;
    const why = fault ?? this.rules.allowed.refusalOf(parsed.target);
    if (why !== undefined) return this.refuse(403, why);
    const reached = await this.rules.reach(parsed.target);
    if (!reached.ok) return reached.refused ? this.refuse(403, reached.why) : this.#fail(reached.why);
    this.#watch(reached.socket);
    return this.client.destroyed ? undefined : reached.socket;
  }

  /** Answers with the reason, tells of it, and ends the connection. */
  refuse(status: number, why: string): undefined {
    this.#tell({ allowed: false, why });
    this.#answer(status, `refused: ${why}`);
  }

  /** Refuses what has been answered already. */
  cut(why: string): void {
    this.#tell({ allowed: false, why });
    this.client.destroy();
  }

  /** Ends it as it is, and tells of it now. */
  end(): void {
    this.#tell({ allowed: true });
    this.client.destroy();
  }

  #fail(why: string): undefined {
    this.#tell({ allowed: true, why });
    this.#answer(502, why);
  }

  #watch(socket: Socket): void {
    this.#socket = socket;
    socket.on("error", () => socket.destroy());
    socket.setTimeout(this.rules.limits.idleMs, () => socket.destroy());
    socket.once("close", () => this.#tell({ allowed: true }));
    this.client.once("close", () => socket.destroy());
    if (this.client.destroyed) socket.destroy();
  }

  #tell(outcome: { allowed: boolean; why?: string }): void {
    if (!this.rules.visits.delete(this)) return;
    const ms = Math.round(performance.now() - this.#began);
    const { bytesRead: bytesIn = 0, bytesWritten: bytesOut = 0 } = this.#socket ?? {};
    this.rules.connections.tell({ ...this.#target, ...outcome, bytesIn, bytesOut, ms });
  }

  /** By hand: there may be no request to answer to, or half of one. */
  #answer(status: number, why: string): void {
    const { host, port } = this.#target;
    const body = host === "" ? `The request is ${why}\n` : `${host}:${port} ${why}\n`;
    const head = [
      `HTTP/1.1 ${status} ${STATUS.get(status)}`,
      "Content-Type: text/plain; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
    ];
    this.client.end(`${head.join("\r\n")}\r\n\r\n${body}`);
    this.client.resume();
    // Closed on what it still sends, it might never read the answer. But who says nothing, or is too many, doesn't stay.
    if (status === 408 || status === 503) this.client.once("finish", () => this.client.destroy());
    const timer = setTimeout(() => this.client.destroy(), LINGER_MS);
    this.client.once("close", () => clearTimeout(timer));
  }
}
