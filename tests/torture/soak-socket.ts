import { once } from "node:events";
import { newId } from "@choiros/contract";
import { WebSocket } from "ws";
import { hold } from "./promise.ts";

export interface SoakPlace {
  readonly port: number;
  readonly console: string;
  readonly cookie: string;
  readonly token: string;
}

/** A console's socket that takes note of what it hears: each event once, in order, and how long it was on its way. */
export class SoakSocket {
  readonly #socket: WebSocket;
  #first: number | undefined;
  #last: number | undefined;
  #times: number[] = [];
  #wake: () => void = () => {};
  #asked = 0;
  #answered = 0;
  #fault: string | undefined;

  static async open({ console, cookie, port, token }: SoakPlace, from = 1): Promise<SoakSocket> {
    const headers = { cookie, host: new URL(console).host };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws`, { headers, origin: console });
    await once(socket, "open");
    const made = new SoakSocket(socket);
    socket.send(JSON.stringify({ computer: "ada", from, hello: 1, token }));
    return made;
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => {
      this.#hear(JSON.parse(String(data)));
      this.#wake();
    });
    socket.on("close", () => this.#wake());
  }

  get last(): number {
    return this.#last ?? 1;
  }

  /** Something short. */
  ask(): void {
    this.#asked++;
    this.#socket.send(JSON.stringify({ do: "files", id: newId(), request: {} }));
  }

  /** Milliseconds of the events since it was last asked. */
  takeTimes(): number[] {
    const times = this.#times;
    this.#times = [];
    return times;
  }

  /** Resolves when it has had this event, and an answer to all that it asked. */
  async caughtUp(seq: number): Promise<void> {
    while (this.last < seq || this.#answered < this.#asked) {
      hold(this.#socket.readyState === WebSocket.OPEN, () => `a socket was closed: ${this.#fault}`);
      const heard = Promise.withResolvers<void>();
      this.#wake = heard.resolve;
      await heard.promise;
    }
  }

  /** How many events it had. */
  close(): number {
    this.leave();
    hold(this.#fault === undefined, () => this.#fault ?? "");
    return (this.#last ?? 0) - (this.#first ?? 0);
  }

  leave(): void {
    this.#socket.terminate();
  }

  #hear(message: {
    event?: { seq: number; payload: { changes?: { after: string }[] } };
    answer?: unknown;
    problem?: unknown;
    bye?: string;
  }) {
    if (message.answer !== undefined || message.problem !== undefined) this.#answered++;
    if (message.bye !== undefined) this.#fault ??= `a socket was told: ${message.bye}`;
    if (message.event === undefined) return;
    const { payload, seq } = message.event;
    if (this.#last !== undefined && seq !== this.#last + 1) this.#fault ??= `event ${seq} came after ${this.#last}`;
    this.#first ??= seq;
    this.#last = seq;
    const begun = payload.changes?.[0]?.after;
    if (begun !== undefined) this.#times.push(Number(process.hrtime.bigint() - BigInt(begun)) / 1e6);
  }
}
