import { newId, type Target } from "@choiros/contract";
import type { DeskApi, FileDeed } from "../../desk/api.ts";
import type { PostedNotice } from "../../desk/notices.ts";
import { sentence } from "../../desk/problem.ts";
import type { Refused } from "../../desk/shapes.ts";
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
  /** What the log has as done last, though nothing of it is left to take back: somebody did that by hand. */
  readonly #settled: Target[] = [];
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

  /** What is taken back already, here or elsewhere, is passed over: the one before it is meant then. */
  undo(): Promise<void> {
    return turnsOf(this.#desk).takeBack(async () => {
      const over: string[] = [];
      for (let passed: Refused | undefined; ; ) {
        const before = await this.#before();
        if (before?.isGoBack) return this.#offer(before);
        const own = this.#done.at(-1);
        const last = own ?? this.#found(before);
        if (last === undefined) return void this.#desk.notify({ text: passed?.message ?? NOTHING });
        passed = await this.#takeBack(last, over);
        if (passed === undefined) return;
        over.push(last.text);
        if (own === undefined) this.#settled.push(...last.targets);
      }
    });
  }

  redo(): Promise<void> {
    return turnsOf(this.#desk).takeBack(async () => {
      for (;;) {
        const last = this.#undone.at(-1);
        if (last === undefined) return void this.#desk.notify({ text: "There is nothing to do again." });
        const done = await this.#reverse(last, this.#undone, "Doing again");
        if (done === undefined) return;
        if ("ok" in done) continue; // it is done again already
        this.#done.push(done);
        return this.#say(done);
      }
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

  /** The server's word where it is taken back already. `over`: what was done since, and was. */
  async #takeBack(done: Done, over: readonly string[] = []): Promise<Refused | undefined> {
    if (!this.#done.includes(done)) return undefined; // by a key already
    const undone = await this.#reverse(done, this.#done, "Taking back");
    if (undone === undefined || "ok" in undone) return undone;
    this.#undone.push(undone);
    const again = () => void this.redo();
    const text = `Taken back: ${undone.text}`;
    const detail = over.length > 0 && { detail: `Passed over, as nothing of it is left: ${over.join(", ")}` };
    this.#said.set(undone, this.#desk.notify({ text, ...detail, kind: "good", action: { label: "Redo", run: again } }));
    return undefined;
  }

  /** What the log says was done last: before this page was opened, or elsewhere. */
  async #before(): Promise<LastDeed | undefined> {
    return await lastDeed(this.#desk, this.#settled).catch((error: unknown) => {
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
   * stays where it was. Where nothing was left to do, the server's word for that.
   */
  async #reverse(done: Done, from: Done[], words: string): Promise<Done | Refused | undefined> {
    const reversed: Target[] = [];
    const settled: Refused[] = [];
    const parts = done.targets.toReversed().map((target) => [target]);
    const doing = `${words}: ${done.text}`;
    const notice = done.isLong ? this.#desk.notify({ text: doing, progress: "unknown" }) : undefined;
    const many = await inParts(this.#desk, { doing, parts, share: true }, async (part) => {
      for (const target of part) {
        const outcome = await this.#desk.undo(target);
        if (outcome.ok) reversed.push({ call: outcome.call });
        else if (outcome.reason === "nothing") settled.push(outcome);
        else {
          await tellTakenBack(this.#desk, target, outcome);
          return false;
        }
      }
      return true;
    });
    notice?.remove();
    if (many === 0) return undefined;
    this.#said.get(done)?.dismiss();
    const left = done.targets.slice(0, -many);
    from.splice(from.indexOf(done), 1, ...(left.length === 0 ? [] : [{ text: done.text, targets: left }]));
    if (reversed.length === 0) return left.length === 0 ? settled.at(-1) : undefined;
    const text = left.length === 0 ? done.text : `${done.text} (in part)`;
    return { ...done, text, targets: reversed };
  }

  #say(done: Done): void {
    const undo = async () => {
      const passed = await this.#takeBack(done);
      if (passed !== undefined) this.#desk.notify({ text: passed.message });
    };
    const action = { label: "Undo", run: () => void this.#inTurn(undo) };
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
