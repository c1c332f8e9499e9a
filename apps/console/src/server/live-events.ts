import { Pulse } from "@choiros/contract/pulse";
import { type FromClient, FromServer, type Hello } from "@choiros/contract/wire";
import type { ComputerApi } from "./computer-api.ts";
import { Problem } from "./problem.ts";
import type { Moment } from "./shapes.ts";

export type Connection = "connecting" | "live" | "lost";

export interface Listener {
  /** What began and isn't over by now, and the last event there is; again where the log turns out to be another one. */
  started(unfinished: readonly Moment[], head: number): void;
  /** What came since, in order, and nothing twice. */
  came(moments: readonly Moment[]): void;
  changed(connection: Connection): void;
  /** Whether the line owes an answer for longer than it takes. */
  quiet(isQuiet: boolean): void;
}

/** Between two tries it waits twice as long as before, up to the longest. */
const FIRST_MS = 100;
const LONGEST_MS = 5000;
/** What comes within a frame is told at once: a replay may be of thousands. */
const FRAME_MS = 16;
/** Over a line that is dead it would wait for ever for what isn't over. */
const ANSWER_MS = 10_000;
const BEAT = JSON.stringify({ beat: true } satisfies FromClient);

/** Follows one computer's events over a socket. Where that ends it opens another, and goes on after the last event it heard. */
export class LiveEvents {
  readonly #api: ComputerApi;
  readonly #listener: Listener;
  readonly #ended = new AbortController();
  readonly #pulse = new Pulse();
  /** The number after the last event that was heard. */
  #next: number | undefined;
  /** Where it may speak: it was welcomed there. */
  #socket: WebSocket | undefined;
  #heard: Moment[] = [];
  /** What was said before anybody was there to hear it: what runs is known before the socket is. */
  #unsaid: FromClient[] = [];
  #connection: Connection = "connecting";
  /** Ends a pause, or a socket that may be dead without knowing it. */
  #wake = () => {};

  constructor(api: ComputerApi, listener: Listener) {
    this.#api = api;
    this.#listener = listener;
    const { signal } = this.#ended;
    for (const change of ["online", "offline"]) addEventListener(change, () => this.#wake(), { signal });
    const look = () => document.visibilityState === "visible" && this.#wake();
    document.addEventListener("visibilitychange", look, { signal });
    this.#become("connecting");
    void this.#run();
  }

  /** Asks the server to end a call that is under way; how it ended is an event. */
  stop(call: string): void {
    this.#say({ stop: call });
  }

  /** The same for an ask, with all that is done for it. */
  stopAsk(ask: string): void {
    this.#say({ signal: { type: "ask.stop", cause: { ask }, payload: {} } });
  }

  end(): void {
    this.#ended.abort();
    this.#wake();
  }

  #say(message: FromClient): void {
    if (this.#connection === "lost")
      throw new Problem(0, "Not stopped", "The server can't be reached at the moment, and nothing was stopped.");
    if (this.#socket === undefined) this.#unsaid.push(message);
    else this.#socket.send(JSON.stringify(message));
  }

  #become(connection: Connection): void {
    this.#connection = connection;
    this.#listener.changed(connection);
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    for (let tries = 0; ; tries++) {
      const since = performance.now();
      try {
        if (!(await this.#api.server.stillIn())) return; // whoever signs in starts anew
        await this.#begin();
        await this.#follow();
      } catch {
        if (!signal.aborted) this.#become("lost"); // the server is away, or its answer broke off
      }
      if (signal.aborted) return;
      if (performance.now() - since > LONGEST_MS) tries = 0; // it had been well
      await this.#pause(Math.min(LONGEST_MS, FIRST_MS * 2 ** tries));
      if (signal.aborted) return;
    }
  }

  async #begin(): Promise<void> {
    if (this.#next !== undefined) return;
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(ANSWER_MS)]);
    const { moments, seq } = await this.#api.unfinished(signal);
    this.#listener.started(moments, seq);
    this.#next = seq + 1;
  }

  /** Until it is closed, by whomever. */
  async #follow(): Promise<void> {
    this.#ended.signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/ws`);
    const { id: computer, server } = this.#api;
    const hello: Hello = { computer, from: this.#next ?? 1, hello: 1, token: server.token };
    socket.onopen = () => socket.send(JSON.stringify(hello));
    socket.onmessage = ({ data }) => {
      this.#pulse.heard();
      this.#hear(socket, FromServer.safeParse(JSON.parse(String(data))).data);
    };
    const lost = () => {
      this.#become("lost");
      resolve();
    };
    socket.onclose = lost;
    this.#wake = resolve;
    this.#pulse.begin({
      beat: () => void (socket.readyState === WebSocket.OPEN && socket.send(BEAT)),
      quiet: (isQuiet) => this.#listener.quiet(isQuiet),
      dead: lost,
    });
    await promise;
    this.#pulse.end();
    socket.onmessage = null;
    socket.onclose = null;
    this.#socket = undefined;
    socket.close();
  }

  #hear(socket: WebSocket, message: FromServer | undefined): void {
    if (message === undefined) return; // a newer server may say more
    if ("welcome" in message) {
      this.#socket = socket;
      this.#become("live");
      for (const unsaid of this.#unsaid.splice(0)) this.#say(unsaid);
    }
    if ("event" in message) this.#take(message);
    if (!("bye" in message) || message.again) return;
    this.#next = undefined; // it may be another log
    this.#api.server.stillIn().catch(() => {}); // or the session is over: that is told at once
  }

  #take(moment: Moment): void {
    this.#next = moment.event.seq + 1;
    if (this.#heard.push(moment) === 1) setTimeout(() => this.#tell(), FRAME_MS);
  }

  #tell(): void {
    const came = this.#heard;
    this.#heard = [];
    if (!this.#ended.signal.aborted) this.#listener.came(came);
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
