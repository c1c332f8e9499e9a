import { once } from "node:events";
import type { Envelope, UserId } from "@choiros/contract";
import { FromServer, type Hello } from "@choiros/contract/wire";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { LiveGateway, SignedIn } from "./live-gateway.ts";

/** From which page a socket comes, and with which cookie. */
export interface From {
  readonly origin: string;
  readonly host?: string;
  readonly cookie?: string;
  readonly autoPong?: boolean;
}

/** A page that speaks to `/api/ws`. Whatever it hears has to be what the contract says. */
export class LiveClient {
  readonly heard: FromServer[] = [];
  readonly closed: Promise<number>;
  readonly socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  constructor(
    { port }: Pick<LiveGateway, "port">,
    { origin, host = new URL(origin).host, cookie, autoPong = true }: From,
  ) {
    const headers = { host, ...(cookie !== undefined && { cookie }) };
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws`, { autoPong, headers, origin });
    this.socket.on("error", () => {}); // how it ended is in `closed`
    this.socket.on("message", (data) => {
      this.heard.push(FromServer.parse(JSON.parse(String(data))));
      for (const look of [...this.#waiting]) look();
    });
    this.closed = new Promise((resolve) => this.socket.once("close", resolve));
    void this.closed.then(() => {
      for (const look of [...this.#waiting]) look();
    });
    onTestFinished(() => this.socket.terminate());
  }

  static async open(gateway: Pick<LiveGateway, "port">, from: From): Promise<LiveClient> {
    const client = new LiveClient(gateway, from);
    await once(client.socket, "open");
    return client;
  }

  get events(): Envelope[] {
    return this.heard.flatMap((message) => ("event" in message ? [message.event] : []));
  }

  get seqs(): number[] {
    return this.events.map(({ seq }) => seq);
  }

  get bye(): { readonly again: boolean; readonly bye: string } | undefined {
    return this.heard.find((message) => "bye" in message);
  }

  say(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  hello(computer: UserId, token: string, from = 1): void {
    this.say({ computer, from, hello: 1, token } satisfies Hello);
  }

  /** The first that fits, of what was heard or is to come. */
  async until<Found extends FromServer>(fits: (message: FromServer) => message is Found): Promise<Found>;
  async until(fits: (message: FromServer) => boolean): Promise<FromServer>;
  async until(fits: (message: FromServer) => boolean): Promise<FromServer> {
    for (let seen = 0; ; ) {
      for (; seen < this.heard.length; seen++) {
        const message = this.heard[seen];
        if (message !== undefined && fits(message)) return message;
      }
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error(`closed, with ${JSON.stringify(this.bye)}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }

  async untilSeq(seq: number): Promise<void> {
    await this.until((message) => "event" in message && message.event.seq >= seq);
  }

  /** The answer to a command, or its problem. */
  answer(id: string): Promise<FromServer> {
    return this.until(
      (message) => "id" in message && message.id === id && ("answer" in message || "problem" in message),
    );
  }
}

/** The console's page of somebody signed in, who has been welcomed. */
export async function consoleOf(
  gateway: LiveGateway,
  { cookie, token }: SignedIn,
  computer: UserId,
  from = 1,
): Promise<LiveClient> {
  const client = await LiveClient.open(gateway, { cookie, origin: gateway.sites.console });
  client.hello(computer, token, from);
  await client.until((message) => "welcome" in message);
  return client;
}

/** The desk's page, with a token from the console. */
export async function deskOf(gateway: LiveGateway, { session }: SignedIn, computer: UserId): Promise<LiveClient> {
  const account = (await gateway.accounts.holder(computer)) ?? "";
  const { token } = gateway.deskTokens.give({ account, computer, session });
  const client = await LiveClient.open(gateway, { origin: gateway.sites.desk(computer) });
  client.hello(computer, token);
  await client.until((message) => "welcome" in message);
  return client;
}
