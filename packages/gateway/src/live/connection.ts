import type { Computer } from "@choiros/computer";
import { FromClient, Hello } from "@choiros/contract/wire";
import type { Signals } from "@choiros/log";
import type { RawData, WebSocket } from "ws";
import type { EndedSession } from "../accounts/accounts.ts";
import type { Credentials } from "../asker.ts";
import { type Asker, judge, type Verdict } from "../entrance.ts";
import { momentOf } from "../operations/index.ts";
import type { ComputerParts } from "../routes/computer-routes.ts";
import { Conversation } from "./conversation.ts";
import type { LiveLimits } from "./limits.ts";
import { Outbox } from "./outbox.ts";
import { standsUntil, whoSaysHello } from "./who-says-hello.ts";
import type { Works } from "./works.ts";

export interface ConnectionParts extends Credentials, ComputerParts {
  /** Of one computer, the same for all who use it at the same time. */
  signals(computer: string): Signals;
  report(error: unknown): void;
  readonly limits: LiveLimits;
  readonly works: Works;
  /** Why this account can't have one more socket. */
  refusal(account: string): string | undefined;
}

/** How long whoever is told `bye` has to hear it. */
const GRACE_MS = 500;
/** It stands behind what wasn't taken yet. */
const SLOW_GRACE_MS = 5000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** What a page has to say. What agents say and commands write is told by the server alone. */
const PAGES_SIGNAL: readonly string[] = ["ask.stop", "cursor.moved"];

/** One socket: from its upgrade to its end, whoever wants that. */
export class Connection {
  readonly closed: Promise<void>;
  /** Known once it has said hello. */
  session: EndedSession | undefined;
  readonly #socket: WebSocket;
  readonly #upgrade: Asker;
  readonly #parts: ConnectionParts;
  readonly #outbox: Outbox;
  readonly #gone = new AbortController();
  #timer: NodeJS.Timeout;
  #begun: Promise<Conversation | undefined> | undefined;
  /** Heartbeats since it last answered one. */
  #unanswered = 0;
  #second = 0;
  #count = 0;

  constructor(socket: WebSocket, upgrade: Asker, parts: ConnectionParts) {
    this.#socket = socket;
    this.#upgrade = upgrade;
    this.#parts = parts;
    const { limits } = parts;
    this.#outbox = new Outbox(socket, limits, () => this.end(SLOW, { again: true, graceMs: SLOW_GRACE_MS }));
    this.#timer = setTimeout(() => this.end("No hello came."), limits.helloMs);
    this.closed = new Promise((resolve) => socket.once("close", () => resolve(this.#over())));
    socket.on("message", (data, binary) => this.#take(data, binary));
    socket.on("ping", () => this.#isTooMuch());
    socket.on("pong", () => {
      this.#unanswered = 0;
    });
  }

  /** The last word, and the end: also of a peer that doesn't listen. */
  end(bye: string, { again = false, graceMs = GRACE_MS } = {}): void {
    if (this.#gone.signal.aborted) return;
    this.#over();
    this.#socket.send(JSON.stringify({ again, bye }));
    this.#socket.close(again ? 1013 : 1008);
    setTimeout(() => this.#socket.terminate(), graceMs).unref();
  }

  /** Asks whether the peer is there, and whether its session still stands: another process may have ended it. */
  beat(): void {
    if (++this.#unanswered > 2) return void this.end("You don't answer.", { again: true });
    this.#socket.ping();
    if (this.session !== undefined) void this.#keepWatch(this.session);
  }

  #over(): void {
    clearTimeout(this.#timer);
    this.#gone.abort();
  }

  #take(data: RawData, binary: boolean): void {
    if (this.#gone.signal.aborted || this.#isTooMuch()) return;
    if (binary) return void this.end("Messages are text.");
    const text = String(data); // a Buffer: that is what `ws` gives, unless told
    if (Buffer.byteLength(text) > this.#parts.limits.messageBytes) return void this.end("That message is too long.");
    const message = parse(text);
    if (this.#begun === undefined) {
      const hello = Hello.safeParse(message);
      if (!hello.success) return void this.end(`The first message has to be a hello: ${whyOf(hello.error)}`);
      clearTimeout(this.#timer);
      this.#begun = this.#begin(hello.data);
      return;
    }
    const known = FromClient.safeParse(message);
    if (!known.success)
      return void this.end("There is no such message: it is a 'do', a 'stop', a 'signal' or a 'beat'.");
    const heard = known.data;
    // At once, also while the computer is being opened. Where there is no room, what is on its way tells as much.
    if ("beat" in heard) return void this.#outbox.offer(heard);
    const said = "signal" in heard ? heard.signal.type : undefined;
    if (said !== undefined && !PAGES_SIGNAL.includes(said))
      return void this.end(`A page can't signal '${said}', only ${PAGES_SIGNAL.join(" and ")}.`);
    void this.#begun.then((conversation) => conversation?.hear(heard));
  }

  /** Whoever sends without end is dropped, before what they are owed fills the memory. */
  #isTooMuch(): boolean {
    const second = Math.floor(performance.now() / 1000);
    this.#count = second === this.#second ? this.#count + 1 : 1;
    this.#second = second;
    if (this.#count <= this.#parts.limits.messagesPerSecond) return false;
    this.end("Too many messages at once.", { again: true });
    return true;
  }

  async #begin(hello: Hello): Promise<Conversation | undefined> {
    try {
      return await this.#enter(hello);
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  async #enter(hello: Hello): Promise<Conversation | undefined> {
    const known = whoSaysHello(this.#upgrade, hello, this.#parts);
    if (known === undefined) return void this.end(WORDS["sign-in"]);
    const { asker, session } = known;
    const named = { computer: hello.computer, holder: await this.#parts.accounts.holder(hello.computer) };
    const verdict = judge("act", asker, named);
    if (verdict !== "pass") return void this.end(WORDS[verdict]);
    const refusal = this.#parts.refusal(session.account);
    if (refusal !== undefined) return void this.end(refusal);
    this.session = session; // from here on it hears of the session's end; so what was looked up before is looked at again
    await this.#keepWatch(session);
    if (this.#gone.signal.aborted) return undefined;
    const place = this.#parts.place(hello.computer);
    const release = place.use();
    this.#gone.signal.addEventListener("abort", release, { once: true });
    const opened = await place.openComputer();
    if (!opened.ok) return void this.end(opened.message, { again: true });
    const { seq } = await opened.computer.log.head();
    if (hello.from > seq + 1)
      return void this.end(`There is no event ${hello.from - 1}: the last one is ${seq}. Begin anew, from 1.`);
    await this.#outbox.send({ welcome: { computer: hello.computer, head: seq } });
    if (this.#gone.signal.aborted) return undefined;
    void this.#follow(opened.computer, hello.from);
    const { limits, report, works } = this.#parts;
    const signals = this.#parts.signals(hello.computer);
    const deaf = signals.listen((signal) => this.#outbox.offer({ signal }));
    this.#gone.signal.addEventListener("abort", deaf, { once: true });
    const { computer } = opened;
    const own = { asker, computer, gone: this.#gone.signal, named, place, session: session.id, signals };
    return new Conversation(this.#outbox, { ...own, limits, report, works });
  }

  async #follow({ contents, log }: Computer, from: number): Promise<void> {
    try {
      const events = log.subscribe({ from, signal: this.#gone.signal });
      for await (const event of events) await this.#outbox.sendEvent(await momentOf(contents, event));
      this.end("The computer was closed.", { again: true });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends with the session; and looks again when that is due to expire, for it may have been prolonged. */
  async #keepWatch(session: EndedSession): Promise<void> {
    try {
      const until = await standsUntil(this.#parts, session);
      if (until === undefined) return void this.end(SIGNED_OUT);
      if (this.#gone.signal.aborted) return;
      clearTimeout(this.#timer);
      const left = Math.min(Math.max(until.getTime() - Date.now(), 1), LONGEST_TIMER_MS);
      this.#timer = setTimeout(() => void this.#keepWatch(session), left).unref();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#gone.signal.aborted) return;
    this.#parts.report(error);
    this.end("Something failed in the server. Its output says what.", { again: true });
  }
}

export const SIGNED_OUT = "You are signed out here. Sign in at the console, and come back.";
const SLOW = "You don't take what is sent. Come back, and say from where.";
const WORDS: Readonly<Record<Exclude<Verdict, "pass">, string>> = {
  "sign-in": "Sign in at the console, and try again.",
  forbidden: "Only the console's own page may do this.",
  missing: "There is nothing here, or it isn't yours.",
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function whyOf({
  issues,
}: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}): string {
  const [first] = issues;
  return first === undefined
    ? "it is none"
    : [first.path.join("."), first.message].filter((part) => part !== "").join(": ");
}
