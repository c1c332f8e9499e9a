import websocket from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import { Connection, type ConnectionParts, SIGNED_OUT } from "./connection.ts";
import { LIMITS, type LiveLimits } from "./limits.ts";
import { Works } from "./works.ts";

export interface LiveParts extends Omit<ConnectionParts, "limits" | "works" | "refusal"> {
  readonly liveLimits?: Partial<LiveLimits>;
}

/** Beyond this, nothing is read of a message, and only the close code says why. */
const MOST_PAYLOAD = 1024 * 1024;
const GRACE_MS = 500;

/** Every request to upgrade is one to some route from here on, and its connection ends with the answer. */
export async function openLive(app: FastifyInstance, parts: LiveParts): Promise<Live> {
  const live = new Live(parts);
  await app.register(websocket, {
    options: { maxPayload: MOST_PAYLOAD },
    // A peer that went away, or that broke the protocol, and was told so by its close code.
    errorHandler: (_error, socket) => void setTimeout(() => socket.terminate(), GRACE_MS).unref(),
    async preClose() {
      await live.close();
      app.websocketServer.close();
    },
  });
  return live;
}

export function liveRoute(app: FastifyInstance, live: Live): void {
  const schema = {
    summary: "Live events, signals and commands, over a WebSocket",
    description:
      "First SocketHello, then SocketFromClient; what comes is SocketFromServer. Each is one message of JSON.",
  };
  app.get("/api/ws", { config: { entrance: "live" }, schema, websocket: true }, (socket, { asker, ip }) => {
    live.add(
      asker.session === undefined ? ip : `session ${asker.session.id}`,
      (more) => new Connection(socket, asker, more),
    );
  });
}

/** All sockets of this server. */
export class Live {
  readonly #parts: ConnectionParts;
  /** Each with where it comes from: its session, or else its address. */
  readonly #all = new Map<Connection, string>();
  readonly #works = new Works();
  readonly #beating: NodeJS.Timeout;
  readonly #deaf: () => void;
  #closing = false;

  constructor(parts: LiveParts) {
    const limits = { ...LIMITS, ...parts.liveLimits };
    this.#parts = { ...parts, limits, works: this.#works, refusal: (account) => this.#refusal(account) };
    this.#beating = setInterval(() => this.#beat(), limits.beatMs).unref();
    this.#deaf = parts.accounts.onEnd(({ id }) => {
      this.#works.endOf(id);
      for (const one of this.#all.keys()) if (one.session?.id === id) one.end(SIGNED_OUT);
    });
  }

  get size(): number {
    return this.#all.size;
  }

  add(from: string, make: (parts: ConnectionParts) => Connection): void {
    const strangers = [...this.#all].filter(([one, whence]) => one.session === undefined && whence === from).length;
    const made = make(this.#parts);
    this.#all.set(made, from);
    void made.closed.then(() => this.#all.delete(made));
    if (this.#closing) made.end(STOPPING, { again: true });
    else if (strangers >= this.#parts.limits.strangers) made.end("Too many come at once.", { again: true });
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#beating);
    this.#deaf();
    this.#works.close();
    for (const one of this.#all.keys()) one.end(STOPPING, { again: true });
    await Promise.all([...this.#all.keys()].map(({ closed }) => closed));
  }

  #beat(): void {
    for (const one of this.#all.keys()) one.beat();
  }

  #refusal(account: string): string | undefined {
    const { socketsPerUser } = this.#parts.limits;
    const theirs = [...this.#all.keys()].filter(({ session }) => session?.account === account).length;
    return theirs < socketsPerUser ? undefined : `You have ${socketsPerUser} sockets open: close one first.`;
  }
}

const STOPPING = "The server stops.";
