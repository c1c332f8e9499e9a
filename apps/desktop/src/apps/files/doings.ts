import type { Target } from "@choiros/contract";
import type { DeskApi, FileDeed } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import { type LastDeed, lastDeed } from "./last-deed.ts";

/** What was done here as one: it may have taken several calls. */
interface Done {
  readonly text: string;
  readonly targets: readonly Target[];
}

/** The server takes so many at once. */
const MOST_DEEDS = 1000;
const NOTHING =
  "Nothing was done here that could be undone. “undo” in the bar takes back the last thing done anywhere.";

/**
 * What was done in windows with files since this page was opened, and how to take it back, and do it again. What was done
 * before, the log knows.
 */
export class Doings {
  readonly #desk: DeskApi;
  readonly #done: Done[] = [];
  readonly #undone: Done[] = [];
  /** One after the other: whoever takes back means what was done before, also where the server hasn't answered yet. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(desk: DeskApi) {
    this.#desk = desk;
  }

  /** All of it or none; more than the server takes at once, one part after the other. Whether it was done. */
  arrange(deeds: readonly FileDeed[], text: string): Promise<boolean> {
    return this.#inTurn(() => this.#arrange(deeds, text));
  }

  /** Says that something was done, with a way to take it back. */
  add(text: string, calls: readonly string[]): void {
    const done = { text, targets: calls.map((call) => ({ call })) };
    this.#done.push(done);
    this.#undone.length = 0;
    this.#say(done);
  }

  undo(): Promise<void> {
    return this.#inTurn(async () => {
      const before = await this.#before();
      if (before?.isGoBack) return this.#offer(before);
      const last = this.#done.at(-1) ?? this.#found(before);
      if (last === undefined) this.#desk.notify({ text: NOTHING });
      else await this.#takeBack(last);
    });
  }

  redo(): Promise<void> {
    return this.#inTurn(async () => {
      const last = this.#undone.at(-1);
      if (last === undefined) return void this.#desk.notify({ text: "There is nothing to do again." });
      const targets = await this.#reverse(last.targets);
      if (targets === undefined) return;
      this.#undone.pop();
      const done = { text: last.text, targets };
      this.#done.push(done);
      this.#say(done);
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {}); // whoever asked for it hears of it
    return done;
  }

  async #arrange(deeds: readonly FileDeed[], text: string): Promise<boolean> {
    const calls: string[] = [];
    try {
      for (let at = 0; at < deeds.length; at += MOST_DEEDS) {
        const outcome = await this.#desk.files.arrange(deeds.slice(at, at + MOST_DEEDS));
        if (!outcome.ok) throw new Error(outcome.message);
        calls.push(outcome.call);
      }
    } catch (error) {
      this.#desk.notify({ text: sentence(error), kind: "wrong" });
      if (calls.length > 0) this.add(`Some of it was done: ${text}`, calls);
      return false;
    }
    this.add(text, calls);
    return true;
  }

  async #takeBack(done: Done): Promise<void> {
    if (!this.#done.includes(done)) return; // by a key already
    const targets = await this.#reverse(done.targets);
    if (targets === undefined) return;
    this.#done.splice(this.#done.indexOf(done), 1);
    this.#undone.push({ text: done.text, targets });
    const again = () => void this.redo();
    this.#desk.notify({ text: `Taken back: ${done.text}`, kind: "good", action: { label: "Redo", run: again } });
  }

  /** What the log says was done last: before this page was opened, or elsewhere. */
  async #before(): Promise<LastDeed | undefined> {
    return await lastDeed(this.#desk).catch((error: unknown) => {
      this.#desk.notify({ text: sentence(error), kind: "wrong" });
      return undefined;
    });
  }

  #found(last: LastDeed | undefined): Done | undefined {
    if (last === undefined) return undefined;
    const done = { text: last.text, targets: [last.target] };
    this.#done.push(done);
    return done;
  }

  /** More than a key in Files should take back unasked. */
  #offer({ target, text }: LastDeed): void {
    const undo = () => void this.#desk.takeBack(target);
    this.#desk.notify({ text: `Done last: ${text}`, action: { label: "Undo", run: undo } });
  }

  /** The last first. What did it, to be taken back in turn; where something stands in the way, that is said. */
  async #reverse(targets: readonly Target[]): Promise<Target[] | undefined> {
    const reversed: Target[] = [];
    try {
      for (const target of targets.toReversed()) {
        const outcome = await this.#desk.undo(target);
        if (!outcome.ok) throw new Error(outcome.message);
        reversed.push({ call: outcome.call });
      }
      return reversed;
    } catch (error) {
      this.#desk.notify({ text: sentence(error), kind: "wrong" });
      return undefined;
    }
  }

  #say(done: Done): void {
    const undo = () => void this.#inTurn(() => this.#takeBack(done));
    this.#desk.notify({ text: done.text, kind: "good", action: { label: "Undo", run: undo } });
  }
}

const doings = new WeakMap<DeskApi, Doings>();

/** One for all windows: what was done in one can be taken back in another. */
export function doingsOf(desk: DeskApi): Doings {
  const there = doings.get(desk) ?? new Doings(desk);
  doings.set(desk, there);
  return there;
}
