import { newId, type Target } from "@choiros/contract";
import type { DeskApi, FileDeed } from "../../desk/api.ts";
import type { PostedNotice } from "../../desk/notices.ts";
import { sentence } from "../../desk/problem.ts";
import { tellTakenBack } from "../../desk/taken-back.ts";
import { turnsOf } from "../../desk/turns.ts";
import { number } from "../../words.ts";
import { inParts, partsOf } from "./in-parts.ts";
import { type LastDeed, lastDeed } from "./last-deed.ts";

/** What was done here as one: it may have taken several calls. */
interface Done {
  readonly text: string;
  readonly targets: readonly Target[];
  /** It took its time, and so does taking it back. */
  readonly isLong?: boolean;
}

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
  /** What was said of each: it goes out of sight when that is taken back. */
  readonly #said = new WeakMap<Done, PostedNotice>();

  constructor(desk: DeskApi) {
    this.#desk = desk;
  }

  /** All of it or none; more than the server takes at once, one part after the other. Whether all of it was done. */
  arrange(deeds: readonly FileDeed[], text: string, doing = text): Promise<boolean> {
    return this.#inTurn(() => this.#arrange(deeds, text, doing));
  }

  /** Says that something was done, with a way to take it back. */
  add(text: string, calls: readonly string[]): void {
    const targets = [...new Set(calls)].map((call) => ({ call }));
    const done = { text, targets, isLong: targets.length < calls.length };
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
      const done = await this.#reverse(last, this.#undone, "Doing again");
      if (done === undefined) return;
      this.#done.push(done);
      this.#say(done);
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return turnsOf(this.#desk).inTurn(work);
  }

  async #arrange(deeds: readonly FileDeed[], text: string, doing: string): Promise<boolean> {
    const calls: string[] = [];
    const parts = partsOf(deeds);
    const shared = parts.length > 1 ? { call: newId() } : {}; // in the log, too, it is one
    const done = await inParts(this.#desk, { doing, parts }, async (part) => {
      const outcome = await this.#desk.files.arrange(part, shared);
      if (!outcome.ok) throw new Error(outcome.message);
      calls.push(outcome.call);
    });
    if (done === parts.length) this.add(text, calls);
    else if (done > 0) {
      const [some, all] = [number.format(parts.slice(0, done).flat().length), number.format(deeds.length)];
      this.add(`${text.replace(all, `${some} of ${all}`)}, then stopped`, calls);
    }
    return done === parts.length;
  }

  async #takeBack(done: Done): Promise<void> {
    if (!this.#done.includes(done)) return; // by a key already
    const undone = await this.#reverse(done, this.#done, "Taking back");
    if (undone === undefined) return;
    this.#undone.push(undone);
    const again = () => void this.redo();
    const text = `Taken back: ${undone.text}`;
    this.#said.set(undone, this.#desk.notify({ text, kind: "good", action: { label: "Redo", run: again } }));
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

  /**
   * The last call first. What did it, to be taken back in turn; where something stands in the way, that is said. What is left
   * stays where it was.
   */
  async #reverse(done: Done, from: Done[], words: string): Promise<Done | undefined> {
    const reversed: Target[] = [];
    const parts = done.targets.toReversed().map((target) => [target]);
    const doing = `${words}: ${done.text}`;
    const notice = done.isLong ? this.#desk.notify({ text: doing, progress: "unknown" }) : undefined;
    const many = await inParts(this.#desk, { doing, parts, share: true }, async (part) => {
      for (const target of part) {
        const outcome = await this.#desk.undo(target);
        if (!outcome.ok) {
          await tellTakenBack(this.#desk, target, outcome);
          return false;
        }
        reversed.push({ call: outcome.call });
      }
      return true;
    });
    notice?.remove();
    if (many === 0) return undefined;
    this.#said.get(done)?.dismiss();
    const left = done.targets.slice(0, -many);
    from.splice(from.indexOf(done), 1, ...(left.length === 0 ? [] : [{ text: done.text, targets: left }]));
    const text = left.length === 0 ? done.text : `${done.text} (in part)`;
    return { ...done, text, targets: reversed };
  }

  #say(done: Done): void {
    const undo = () => void this.#inTurn(() => this.#takeBack(done));
    const action = { label: "Undo", run: undo };
    this.#said.set(done, this.#desk.notify({ text: done.text, kind: "good", action }));
  }
}

const doings = new WeakMap<DeskApi, Doings>();

/** One for all windows: what was done in one can be taken back in another. */
export function doingsOf(desk: DeskApi): Doings {
  const there = doings.get(desk) ?? new Doings(desk);
  doings.set(desk, there);
  return there;
}
