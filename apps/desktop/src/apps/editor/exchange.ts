import { newId, plain } from "@choiros/contract";
import type { DeskApi } from "../../desk/api.ts";
import { Problem, sentence } from "../../desk/problem.ts";
import { fileSize } from "../../words.ts";
import * as model from "./document.ts";
import { type Loaded, load } from "./load.ts";
import { nameOf } from "./names.ts";
import { bytesOf, type Writing } from "./text-file.ts";
import { Timers } from "./timers.ts";

/** Whose text it is. */
export interface Owner {
  /** With what was typed up to now. */
  look(): model.Doc;
  /** What has become of it. */
  take(next: model.Next): void;
}

const RETRY_MS = 5_000;
/** Browsers send 64 KB at most for pages that are gone; of what is larger the draft has what was typed. */
const MOST_OUTLIVING = 60 * 1024;

/** Between a text and its file: one thing after another is heard or written, and what can't be is tried again. */
export class Exchange {
  readonly #desk: DeskApi;
  readonly #owner: Owner;
  readonly #timers = new Timers<"retry">();
  #key: string;
  #writing: Writing;
  /** Whether ends are mixed in what was typed, where that was changed here and isn't in the file yet. */
  #mixed: boolean | undefined;
  /** The name of what is on its way: asked again it does nothing twice. */
  #command = "";
  #problem: { readonly words: string; readonly offline: boolean } | undefined;
  /** What stands there and is no text: what it is, and its hash. */
  #other: { readonly words: string; readonly hash: string } | undefined;
  /** Something may stand in the file that isn't known here. */
  #stale = false;
  #wanted = false;
  #outliving = false;
  #working: Promise<void> | undefined;
  readonly #ends: (() => void)[];

  constructor(desk: DeskApi, owner: Owner, { key, writing }: { readonly key: string; readonly writing: Writing }) {
    this.#desk = desk;
    this.#owner = owner;
    this.#key = key;
    this.#writing = writing;
    const live = () => {
      if (desk.connection.get() === "live") void this.#work();
    };
    this.#ends = [this.#watch(), desk.connection.watch(live)];
  }

  get key(): string {
    return this.#key;
  }

  get writing(): Writing {
    return this.#mixed === undefined ? this.#writing : { ...this.#writing, mixed: this.#mixed };
  }

  mixes(mixed: boolean): void {
    this.#mixed = mixed;
  }

  /** What stands in the way, for now. */
  get problem() {
    return this.#problem;
  }

  /** What it is, where something stands in the file that is no text. */
  get other(): string | undefined {
    return this.#other?.words;
  }

  /** What is there by now becomes a version, where it may and isn't one; `outliving`: also where this page is gone by then. */
  save(outliving = false): Promise<void> {
    this.#wanted = true;
    this.#outliving = outliving;
    return this.#work();
  }

  /** The file has another name now. */
  moved(key: string): void {
    this.#key = key;
    this.#ends.shift()?.();
    this.#ends.unshift(this.#watch());
    this.#changed();
  }

  /** As a file of its own where one stands: nothing is written over. Tells whether it is done. */
  async beside(): Promise<boolean> {
    try {
      const outcome = await this.#put(this.#owner.look().local, { id: newId(), base: null });
      if (!outcome.ok) throw new Problem("Not saved", outcome.message);
      const { beside, notes } = outcome;
      if (beside !== undefined) this.#desk.notify({ text: plain(notes.at(-1) ?? "Both versions are kept.") });
      else this.#desk.notifyDone(`${nameOf(this.#key)} was gone; what you typed made it again`, outcome);
      return true;
    } catch (error) {
      this.#problem = { words: sentence(error), offline: reasonOf(error) === "offline" };
      return false;
    }
  }

  end(): void {
    for (const stop of this.#ends) stop();
    this.#timers.stopAll();
  }

  #watch(): () => void {
    return this.#desk.files.watch(this.#key, () => this.#changed());
  }

  #changed(): void {
    this.#stale = true;
    void this.#work();
  }

  #become(doc: model.Doc): void {
    this.#owner.take({ doc, edits: [] });
  }

  #work(): Promise<void> {
    this.#working ??= this.#steps().then(() => {
      this.#working = undefined;
      this.#become(this.#owner.look());
      const more = (this.#wanted || this.#stale) && this.#problem === undefined; // asked for in the last moment
      return more ? this.#work() : undefined;
    });
    return this.#working;
  }

  /** Until nothing is to be done, or something stands in the way. */
  async #steps(): Promise<void> {
    try {
      for (;;) {
        const { file, sent } = this.#owner.look();
        if (sent !== undefined) await this.#write(sent, file.hash ?? this.#other?.hash ?? null);
        else if (this.#stale || file.hash === undefined) await this.#hear();
        else if (this.#wanted) this.#begin();
        else return;
        this.#problem = undefined;
      }
    } catch (error) {
      const reason = reasonOf(error);
      this.#problem = { words: sentence(error), offline: reason === "offline" };
      if (reason === "refused") this.#wanted = false;
      if (reason === "refused") this.#become(model.returned(this.#owner.look()));
      if (reason !== "refused" || this.#stale) this.#timers.after("retry", RETRY_MS, () => void this.#work());
    }
  }

  #begin(): void {
    this.#wanted = false;
    const next = model.send(this.#owner.look());
    if (next === undefined) return;
    this.#command = newId();
    this.#become(next);
  }

  async #write(text: string, base: string | null): Promise<void> {
    const outcome = await this.#put(text, { id: this.#command, base, beside: false });
    this.#stale = true;
    if (!outcome.ok && outcome.reason !== "conflict") throw new Problem("Not saved", outcome.message);
    const doc = this.#owner.look();
    this.#become(outcome.ok ? model.kept(doc) : model.returned(doc));
    if (!outcome.ok) this.#wanted = true; // once it is known what stands there, and where nobody has to choose
  }

  #put(text: string, how: { readonly id: string; readonly base: string | null; readonly beside?: false }) {
    const bytes = new Blob([bytesOf(text, this.writing)]);
    const outlives = this.#outliving && bytes.size <= MOST_OUTLIVING;
    return this.#desk.files.write(this.#key, bytes, { ...how, ...(outlives && { outlives }) });
  }

  async #hear(): Promise<void> {
    this.#stale = false;
    const loaded = await load(this.#desk.files, this.#key).catch((error: unknown) => {
      this.#stale = true;
      throw error;
    });
    const isText = loaded.is === "text";
    this.#other = isText ? undefined : { words: wordsOf(loaded), hash: loaded.hash };
    if (isText && loaded.version.hash !== null) this.#writing = loaded.writing;
    if (!model.isTyped(this.#owner.look())) this.#mixed = undefined;
    this.#owner.take(model.arrived(this.#owner.look(), isText ? loaded.version : model.NO_FILE));
  }
}

function wordsOf(loaded: Exclude<Loaded, { is: "text" }>): string {
  if (loaded.is === "binary") return loaded.kind;
  return loaded.is === "link" ? "a link" : `a file of ${fileSize(loaded.size)}`;
}

/**
 * `offline`: not reached, or not by now: a server that was started anew knows this page again in a moment. `broken`: by this
 * page itself, or an answer that can't be read; nobody knows what became of it.
 */
function reasonOf(error: unknown): "offline" | "refused" | "broken" {
  if (error instanceof Problem)
    return [401, 408, 429, 502, 503, 504].includes(error.status ?? 0) ? "offline" : "refused";
  return error instanceof TypeError || error instanceof DOMException ? "offline" : "broken"; // as fetch fails
}
