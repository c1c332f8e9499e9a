import { type Envelope, type Json, newId, type Signal } from "@choiros/contract";
import { Pulse } from "@choiros/contract/pulse";
import { type FromClient, FromServer, type Hello } from "@choiros/contract/wire";
import type { Grant } from "../console.ts";
import { Pending, type Wish } from "./pending.ts";
import type { Unheard } from "./unheard.ts";

export type Connection = "connecting" | "live" | "lost";

/** An event as it comes; with the command where it called one. */
export interface Moment {
  readonly command?: string;
  readonly event: Envelope;
}

export interface SocketListener {
  /** A connection whose events go on from no earlier one: all that was known has to be asked for again. */
  began(head: number): void;
  /** In order, and nothing twice. */
  came(moments: readonly Moment[]): void;
  /** What is worth saying but not keeping. */
  signalled(signal: Signal): void;
  changed(connection: Connection): void;
  /** Whether the server owes an answer for longer than it takes: nobody knows by then what is kept. */
  owes(isLate: boolean): void;
  /** The connection is dead, though nobody closed it: nothing that was asked over it is answered. */
  dead(): void;
  /** The token isn't good any more. */
  refused(): void;
  /** The last event there is by now. Throws where the server can't be reached, or doesn't know the token. */
  head(): Promise<number>;
}

/** Between two tries it waits twice as long as before, up to the longest. */
const FIRST_MS = 100;
const LONGEST_MS = 5000;
/** What comes within a frame is told at once: a replay may be of thousands. */
const FRAME_MS = 16;
const BEAT = JSON.stringify({ beat: true } satisfies FromClient);

/**
 * The one line to the server. Where it breaks, another is opened: events go on after the last one that was heard, and
 * commands that weren't answered are sent again with their ids, which does nothing twice.
 */
export class DeskSocket {
  readonly #listener: SocketListener;
  readonly #pending = new Pending((words) => this.#say(words));
  readonly #pulse = new Pulse();
  #grant: Grant | undefined;
  /** The token that was turned away last. It may be good all the same, and is tried again, but not at once. */
  #refused: string | undefined;
  /** The number after the last event that was heard. */
  #next: number | undefined;
  /** Where it may speak: it was welcomed there. */
  #socket: WebSocket | undefined;
  #heard: Moment[] = [];
  #isQuiet = false;
  /** Ends a pause, or a socket that may be dead without knowing it. */
  #wake = () => {};

  constructor(listener: SocketListener) {
    this.#listener = listener;
    for (const news of ["online", "offline"]) addEventListener(news, () => this.#wake());
    this.#pending.unheard.late.watch(() => this.#tellLate());
    void this.#run();
  }

  /** What was said and the server may not know of. */
  get unheard(): Pick<Unheard, "any"> {
    return this.#pending.unheard;
  }

  /** What it may say from now on; a socket that is open stays. */
  give(grant: Grant): void {
    this.#grant = grant;
    if (this.#socket === undefined && grant.token !== this.#refused) this.#wake();
  }

  /** Asks for something. What changes something is done also where the connection breaks meanwhile. */
  do(name: string, request: { readonly [key: string]: Json }, wish: Wish = {}): Promise<Json> {
    const pages = wish.reads === true ? { pages: true as const } : {};
    return this.#pending.add({ do: name, id: wish.id ?? newId(), request, ...pages }, wish);
  }

  /** Whether somebody could hear it: a signal isn't kept. */
  send(signal: Signal): boolean {
    return this.#say({ signal });
  }

  /** Ends what somebody asked for, over this socket or another. */
  stop(id: string): void {
    this.#say({ stop: id });
  }

  /** As if nothing had been heard so far. */
  startAnew(): void {
    this.#next = undefined;
    this.#wake();
  }

  #tellLate(): void {
    this.#listener.owes(this.#isQuiet || this.#pending.unheard.late.get());
  }

  #say(words: FromClient): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(words));
    if ("do" in words) this.#pulse.said();
    return true;
  }

  async #run(): Promise<void> {
    for (let tries = 0; ; tries++) {
      const since = performance.now();
      try {
        if (this.#grant !== undefined) await this.#follow(this.#grant);
      } catch {
        this.#listener.changed("lost"); // the server is away, or doesn't know the token
      }
      if (performance.now() - since > LONGEST_MS) tries = 0; // it had been well
      const patient = this.#grant?.token === this.#refused;
      await this.#pause(patient ? LONGEST_MS : Math.min(LONGEST_MS, FIRST_MS * 2 ** tries));
    }
  }

  /** Until it is closed, by whomever. */
  async #follow({ computer, token }: Grant): Promise<void> {
    const known = this.#next;
    // Where it was turned away the token was over, or the log is another one, that ends before what was heard.
    const isSure = known !== undefined && this.#refused === undefined;
    const end = isSure ? known : (await this.#listener.head()) + 1;
    const from = Math.min(known ?? end, end);
    const anew = from !== known;
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/ws`);
    const hello: Hello = { computer, from, hello: 1, token };
    socket.onopen = () => socket.send(JSON.stringify(hello));
    socket.onmessage = ({ data }) => {
      this.#pulse.heard();
      const message = FromServer.safeParse(JSON.parse(String(data))).data;
      if (message === undefined) return; // a newer server may say more
      if ("welcome" in message) this.#welcomed(socket, anew ? from - 1 : undefined);
      else this.#hear(message);
    };
    socket.onclose = () => resolve();
    this.#wake = resolve;
    this.#pulse.begin({
      beat: () => void (socket.readyState === WebSocket.OPEN && socket.send(BEAT)),
      quiet: (isQuiet) => this.#becomeQuiet(isQuiet),
      dead: () => {
        this.#listener.dead();
        resolve();
      },
    });
    await promise;
    this.#pulse.end();
    socket.onmessage = null;
    this.#socket = undefined;
    socket.close();
    this.#pending.lost();
    this.#listener.changed("lost");
  }

  #becomeQuiet(isQuiet: boolean): void {
    this.#isQuiet = isQuiet;
    this.#tellLate();
  }

  #welcomed(socket: WebSocket, head: number | undefined): void {
    this.#socket = socket;
    this.#refused = undefined;
    if (head !== undefined) {
      this.#next = head + 1;
      this.#listener.began(head);
    }
    this.#pending.resume();
    this.#listener.changed("live");
  }

  #hear(message: FromServer): void {
    if ("event" in message) this.#take(message);
    else if ("signal" in message) this.#listener.signalled(message.signal);
    else if (!("bye" in message)) this.#pending.hear(message);
    else if (!message.again) {
      this.#refused = this.#grant?.token;
      this.#listener.refused();
    }
  }

  #take(moment: Moment): void {
    const { cause, seq } = moment.event;
    this.#next = seq + 1;
    if (cause?.call !== undefined) this.#pending.unheard.heard(cause.call); // it is in the log, also where it isn't over
    if (this.#heard.push(moment) === 1) setTimeout(() => this.#tell(), FRAME_MS);
  }

  #tell(): void {
    const came = this.#heard;
    this.#heard = [];
    this.#listener.came(came);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
