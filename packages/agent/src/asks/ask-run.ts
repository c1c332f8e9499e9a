import type { Computer } from "@choiros/computer";
import type { Id } from "@choiros/contract";
import { messageOf, type Signals } from "@choiros/log";
import { direct } from "../director/direct.ts";
import type { Grants } from "../lease/grants.ts";
import { Chapter } from "../loop/chapter.ts";
import { closeAsked } from "../loop/close-asked.ts";
import type { Crew } from "../loop/crew.ts";
import { type Halt, Halted, isHalt } from "../loop/halt.ts";
import { amount, Meter, reached, Spent } from "../loop/meter.ts";
import { closeOpen } from "./close-open.ts";
import type { Day } from "./day.ts";
import { handsOf } from "./hands.ts";
import { Inbox } from "./inbox.ts";
import type { Means } from "./means.ts";
import { askValue, openingOf, saidTo } from "./said.ts";
import type { AskPace } from "./turn-taking.ts";

/** An ask that is to be worked at. */
export interface Begun {
  readonly ask: Id;
  readonly conversation: Id;
  /** The script is to be played. */
  readonly demo: boolean;
}

interface AskRunOptions {
  readonly begun: Begun;
  readonly computer: Computer;
  readonly signals: Signals;
  readonly means: Means;
  readonly pace: AskPace;
  readonly day: Day;
  readonly grants: Grants;
  readonly report: (error: unknown) => void;
}

/** An ask while it is worked at, from when it is taken up until it is answered or paused. */
export class AskRun {
  readonly ask: Id;
  readonly conversation: Id;
  readonly inbox: Inbox;
  /** Never fails: what went wrong is in the log, or was reported. */
  readonly ended: Promise<void>;
  readonly #options: AskRunOptions;
  readonly #chapter: Chapter;
  readonly #ending = new AbortController();

  constructor(options: AskRunOptions) {
    const { begun, computer } = options;
    this.#options = options;
    this.ask = begun.ask;
    this.conversation = begun.conversation;
    this.#chapter = new Chapter(computer, { ask: this.ask, conversation: this.conversation });
    this.inbox = new Inbox(() => openingOf(this.#chapter, this.ask));
    this.ended = this.#run();
  }

  end(why: Halted): Promise<void> {
    this.#ending.abort(why);
    return this.ended;
  }

  async #run(): Promise<void> {
    const { pace, report } = this.#options;
    try {
      const end = await this.#work();
      if (isHalt(end)) await this.#pause(end);
    } catch (error) {
      report(error); // the log could not be written: the next opening tells it as interrupted
    } finally {
      this.inbox.shut();
      pace.end();
    }
  }

  async #work(): Promise<Halt | { readonly answered: true }> {
    const { report } = this.#options;
    const value = await askValue(this.#options.computer, this.ask);
    // One that came with an import may have been in the middle of something.
    if (value !== undefined && value.attempt > 0) await closeAsked(this.#options.computer, this.ask);
    await this.#chapter.append("ask.started", { attempt: (value?.attempt ?? 0) + 1 });
    try {
      this.inbox.remember(await saidTo(this.#chapter, this.ask));
      return await direct(await this.#crew(), this.inbox);
    } catch (error) {
      report(error);
      return { halt: "failed", scope: "ask", detail: `Something went wrong: ${messageOf(error)}`.slice(0, 4096) };
    }
  }

  async #pause({ detail, halt }: Halt): Promise<void> {
    await closeOpen(this.#options.computer, "The ask was paused while it ran", this.ask);
    await this.#chapter.append("ask.paused", { detail: detail.slice(0, 4096).toWellFormed(), why: halt });
  }

  async #crew(): Promise<Crew> {
    const { computer, day, grants, means, pace, signals } = this.#options;
    const hands = await handsOf({ computer, signals, pace, grants }, means.policy);
    const look = async () => {
      await hands.look();
      pace.look();
    };
    const spent = new Spent();
    const meter = new Meter(
      look,
      { name: "ask", may: () => hands.limits.ask, spent: () => spent },
      { name: "day", may: () => hands.limits.day, spent: () => day.spent }, // another one after midnight
    );
    const seconds = (name: "ask" | "day") => hands.limits[name].time_s;
    const end = (name: "ask" | "day") => () =>
      this.#ending.abort(new Halted(reached(name, amount(seconds(name), "second"))));
    pace.clock(() => seconds("ask") * 1000, end("ask"));
    pace.clockBy(() => (seconds("day") - day.spent.seconds) * 1000, end("day"));
    const { associate, costOf, director } = means;
    const { signal } = this.#ending;
    return { computer, signals, director, associate, costOf, hands, pace, meter, chapter: this.#chapter, signal };
  }
}
