import type { Computer } from "@choiros/computer";
import {
  type AskValue,
  type Id,
  isDemo,
  type KnownEvent,
  recognise,
  type Signal,
  type Target,
} from "@choiros/contract";
import { messageOf, type Signals } from "@choiros/log";
import { Grants } from "../lease/grants.ts";
import { Chapter } from "../loop/chapter.ts";
import { type Halt, Halted } from "../loop/halt.ts";
import { AskRun, type Begun } from "./ask-run.ts";
import { closeOpen } from "./close-open.ts";
import { Day } from "./day.ts";
import type { Means, Missing } from "./means.ts";
import { askValue, saidIn } from "./said.ts";
import { isLive, pause, pendingAsks, takeUp } from "./take-up.ts";
import { TurnTaking } from "./turn-taking.ts";

export interface AgentsOptions {
  readonly computer: Computer;
  readonly signals: Signals;
  /** Asked for anew for each ask: models come and go. */
  readonly means: (demo: boolean) => Promise<Means | Missing>;
  /** Where nobody can give leave, as without a console: what to do. An ask that needs it is paused with that. */
  readonly noLeave?: string;
  /** Hears of what went wrong and isn't in the log. */
  readonly report: (error: unknown) => void;
}

/** The agents of one open computer: they follow its log, and take its asks in order. */
export class Agents {
  readonly #options: AgentsOptions;
  readonly #queue = new Map<Id, Begun>();
  readonly #running = new Map<Id, AskRun>();
  readonly #turns = new TurnTaking(() => this.wake());
  readonly #day: Day;
  readonly #grants = new Grants();
  readonly #closing = new AbortController();
  /** Whether nothing that is queued could be begun when that was last tried. */
  #stuck = false;
  #unlisten = () => {};
  /** Whether what was left was ended, and the log is followed. */
  #begun = false;
  #following: Promise<void> = Promise.resolve();
  #listening: Promise<void> | undefined;
  #taking: Promise<void> = Promise.resolve();

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#day = new Day(options.computer);
  }

  /**
   * Ends what a process that is gone had begun, takes up what waits, and follows the log from there on. Where that can't be
   * done now, what waits is told why, and the next wake tries again.
   */
  async start(): Promise<void> {
    this.#taking = this.#taking.then(() => this.#take()).catch((error) => this.#hinder(error));
    await this.#taking;
    if (this.#begun) this.wake();
  }

  /** Whether something is worked at, waits for its user, or is about to be begun: then the computer stays open. */
  get busy(): boolean {
    return this.#running.size > 0 || (this.#queue.size > 0 && !this.#stuck);
  }

  /** Looks again whether an ask can be taken: a model was connected, or the policy mended. */
  wake(): void {
    this.#taking = this.#taking.then(() => this.#takeNext()).catch((error) => this.#hinder(error));
  }

  /** What is under way is paused, and said to be interrupted. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#unlisten();
    await this.#taking;
    const halt: Halt = { halt: "interrupted", scope: "ask", detail: "ChoirOS was closed while it worked at this." };
    const ended = [...this.#running.values()].map((run) => run.end(new Halted(halt)));
    await Promise.all([...ended, this.#following, this.#listening]);
  }

  async #take(): Promise<void> {
    if (this.#begun) return;
    const { computer, signals } = this.#options;
    const { seq, queued } = await takeUp(computer);
    this.#begun = true;
    for (const { ask, value } of queued) this.#enqueue(ask, value);
    this.#unlisten = signals.listen((signal) => this.#hear(signal));
    this.#following = this.#follow(seq + 1);
  }

  /** What waits is told why. */
  async #hinder(error: unknown): Promise<void> {
    const { computer, report } = this.#options;
    report(error);
    this.#stuck = true;
    if (!this.#begun) this.#listening ??= this.#listen();
    const why = `It can't be begun: ${messageOf(error)}. It is tried again with whatever is said next.`;
    const pending = this.#begun
      ? []
      : await pendingAsks(computer).then(
          ({ asks }) => asks,
          () => [],
        ); // told of already
    const queued = pending.filter(({ value }) => value.status === "queued").map(({ ask }) => ask);
    for (const ask of [...this.#queue.keys(), ...queued]) this.#tellWait(ask, why);
  }

  /** Until it has begun, whatever is said wakes it. */
  async #listen(): Promise<void> {
    const { computer, report } = this.#options;
    const { signal } = this.#closing;
    try {
      const { seq } = await computer.log.head();
      for await (const { type } of computer.log.subscribe({ from: seq + 1, signal })) {
        if (this.#begun) return;
        if (type === "message" || type === "ask.resumed") this.wake();
      }
    } catch (error) {
      if (!signal.aborted) report(error);
    }
  }

  #tellWait(ask: Id, why: string): void {
    this.#options.signals.send({ type: "agent.wait", cause: { ask }, payload: { why, ms: 0 } });
  }

  async #follow(from: number): Promise<void> {
    const { computer, report } = this.#options;
    try {
      for await (const event of computer.log.subscribe({ from, signal: this.#closing.signal })) {
        const known = recognise(event);
        if (known.ok) await this.#notice(known.value).catch(report); // the next one may go well
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) report(error);
    }
  }

  async #notice(event: KnownEvent): Promise<void> {
    const ask = event.cause?.ask;
    switch (event.type) {
      case "message":
        if (event.source === "user" && ask === event.id) await this.#asked(event);
        return;
      case "ask.resumed":
        if (ask !== undefined) this.#resumed(ask).catch(this.#options.report);
        return;
      case "approval.asked":
        if (ask !== undefined) this.#needsLeave(ask);
        return;
      case "ask.left":
        if (ask !== undefined) this.#queue.delete(ask);
        return;
      case "settings.change":
        return this.wake(); // one that was taken back may be there again
      case "undo":
        this.#undone(event.payload.target);
        return this.wake();
    }
  }

  /** What is said in a conversation whose ask is worked at is told to that ask; else it is one of its own. */
  async #asked(event: Extract<KnownEvent, { type: "message" }>): Promise<void> {
    const { computer } = this.#options;
    const conversation = event.cause?.conversation ?? event.id;
    const chapter = new Chapter(computer, { ask: event.id, conversation });
    const run = [...this.#running.values()].find((one) => one.conversation === conversation);
    if (run?.inbox.expect() !== true) {
      const title = "text" in event.payload ? event.payload.text : null;
      this.#enqueue(event.id, { conversation, title });
      return this.wake();
    }
    try {
      await chapter.append("ask.steered", { into: run.ask });
      run.inbox.put({ id: event.id, text: await saidIn(chapter, event.payload) });
    } catch (error) {
      run.inbox.forgo();
      throw error;
    }
  }

  /** It may just be ending: that is waited for, and what the state says of it then holds. */
  async #resumed(ask: Id): Promise<void> {
    await this.#running.get(ask)?.ended;
    const value = await askValue(this.#options.computer, ask);
    if (value?.status !== "queued") return;
    this.#enqueue(ask, value);
    this.wake();
  }

  /** It would wait for ever. */
  #needsLeave(ask: Id): void {
    const { noLeave, report } = this.#options;
    if (noLeave === undefined) return;
    const halt: Halt = { halt: "failed", scope: "ask", detail: noLeave };
    this.#running.get(ask)?.end(new Halted(halt)).catch(report);
  }

  #hear({ type, cause }: Signal): void {
    if (type !== "ask.stop" || cause?.ask === undefined) return;
    const halt: Halt = { halt: "stopped", scope: "ask", detail: "You stopped it. What it did by then stands." };
    const run = this.#running.get(cause.ask);
    const stopped = run === undefined ? this.#stopIdle(cause.ask) : run.end(new Halted(halt));
    stopped.catch(this.#options.report);
  }

  /** One that wasn't begun yet; or whose end could not be kept when it ended, since the disk was full. */
  async #stopIdle(ask: Id): Promise<void> {
    const { computer } = this.#options;
    const queued = this.#queue.delete(ask);
    const value = await askValue(computer, ask);
    if (value === undefined || !(queued || isLive(value)) || this.#running.has(ask)) return;
    await closeOpen(computer, "It was stopped", ask);
    await pause(computer, ask, value, { detail: "You stopped it.", why: "stopped" });
  }

  #enqueue(ask: Id, { conversation, title }: Pick<AskValue, "conversation" | "title">): void {
    this.#stuck = false;
    this.#queue.set(ask, { ask, conversation: conversation ?? ask, demo: isDemo(title ?? "") });
  }

  async #takeNext(): Promise<void> {
    const { means } = this.#options;
    await this.#take();
    while (!this.#closing.signal.aborted && this.#turns.free) {
      const waiting = await this.#waiting();
      const ready = waiting[0]?.demo === false ? await means(false) : undefined;
      // Whoever has no model can watch the demo, whatever waits before it.
      const missing = ready !== undefined && "missing" in ready;
      const next = (missing ? waiting.find(({ demo }) => demo) : undefined) ?? waiting[0];
      this.#stuck = next === undefined;
      if (next === undefined) return;
      const found = next.demo || ready === undefined ? await means(next.demo) : ready;
      const policy = "missing" in found ? found : await found.policy.read();
      if ("missing" in found || !("ok" in policy) || !policy.ok) {
        const why = "missing" in policy ? policy.missing : "message" in policy ? policy.message : "";
        this.#stuck = true;
        return this.#tellWait(next.ask, why);
      }
      await this.#day.recalled();
      // It may have been left meanwhile, or the computer closed.
      if (!this.#queue.delete(next.ask) || this.#closing.signal.aborted) continue;
      this.#begin(next, found);
    }
  }

  #begin(begun: Begun, means: Means): void {
    const { computer, report, signals } = this.#options;
    const pace = this.#turns.begin((ms) => {
      this.#day.spent.seconds += ms / 1000; // of the day that it is by now
    });
    const own = { day: this.#day, grants: this.#grants };
    const run = new AskRun({ ...own, begun, computer, means, pace, report, signals });
    this.#running.set(begun.ask, run);
    run.ended.finally(() => this.#running.delete(begun.ask)).catch(report);
  }

  /** What somebody goes back behind, or takes back whole, isn't gone on with. */
  #undone(target: Target): void {
    const detail = "What it did was taken back while it worked at it.";
    for (const run of this.#running.values()) {
      if (!("since" in target) && !("ask" in target && target.ask === run.ask)) continue;
      run.end(new Halted({ halt: "stopped", scope: "ask", detail })).catch(this.#options.report);
    }
  }

  /** Those that weren't taken back, in order. */
  async #waiting(): Promise<readonly Begun[]> {
    if (this.#queue.size === 0) return [];
    const settings = await this.#options.computer.settings();
    return [...this.#queue.values()].filter(({ ask }) => settings.get(`ask.${ask}.withdrawn`) !== true);
  }
}
