import type { DeskApi } from "../../desk/api.ts";
import { Watched } from "../../watched.ts";
import { adopt } from "./adopt.ts";
import * as model from "./document.ts";
import type { Draft, Drafts } from "./drafts.ts";
import type { Edit } from "./edit.ts";
import { Exchange } from "./exchange.ts";
import type { Writing } from "./text-file.ts";
import { Timers } from "./timers.ts";

/** What somebody types on. */
export interface Paper {
  text(): string;
  /** By hand: as if it had been typed. Else neither the cursor of whoever types nor what they can undo changes. */
  apply(edits: readonly Edit[], byHand: boolean): void;
  /** Where somebody has to choose. */
  mark(places: readonly model.Place[]): void;
  /** The cursor goes there, with the keys. */
  goTo(at: number): void;
}

export interface State {
  /** `shown`: nobody typed it here, and it isn't what stands in the file. */
  readonly saving: "saved" | "shown" | "typed" | "saving" | "offline" | "failed";
  /** What went wrong, in a sentence. */
  readonly problem?: string;
  /** So many places wait for a choice. */
  readonly open: number;
  /** There is no file yet. */
  readonly isNew: boolean;
  /** The file was taken away, or is no text any more. */
  readonly gone: boolean;
  /** What stands in its place then. */
  readonly other?: string;
  /** Whether this browser keeps drafts; it may forbid it, or have no room. */
  readonly keeps: boolean;
  /** What is shown was typed then, in a life that ended without saving. */
  readonly restored?: number;
}

interface Start {
  readonly key: string;
  readonly version: model.Version;
  readonly writing: Writing;
  readonly left: readonly Draft[];
}

/** Typed more than a second ago is safe: half of it is for the disk. */
const DRAFT_MS = 500;
const PAUSE_MS = 30_000;
/** Where there are no drafts, the file has to be as quick as they would be. */
const UNKEPT_MS = 300;
const MARK_MS = 250;
/** Nobody waits longer for a window to close; the draft has what wasn't saved by then. */
const CLOSE_MS = 3_000;

/** Before the page goes messages still arrive; where that isn't said, or it was put off, it goes with the other. */
const ENDS = ["beforeunload", "pagehide"] as const;

/** One life of one file in one editor: what is typed, the draft of it in this browser, and the file in the log. */
export class Session {
  readonly state = new Watched<State>({ saving: "saved", open: 0, isNew: false, gone: false, keeps: true });
  readonly #drafts: Drafts;
  readonly #held: ReturnType<Drafts["hold"]>;
  readonly #exchange: Exchange;
  readonly #timers = new Timers<"draft" | "pause" | "mark" | "unkept">();
  #doc: model.Doc;
  #paper: Paper | undefined;
  #keeps = true;
  #keeping: Promise<unknown> = Promise.resolve();
  /** The one that comes after it. */
  #next: Promise<boolean> | undefined;

  constructor(desk: DeskApi, drafts: Drafts, { key, version, writing, left }: Start) {
    this.#drafts = drafts;
    this.#held = drafts.hold();
    const { doc, taken } = adopt(model.opened(version), left);
    this.#doc = doc;
    this.#exchange = new Exchange(
      desk,
      { look: () => this.#look(), take: (next) => this.#take(next) },
      { key, writing },
    );
    if (taken.length > 0) this.#bringBack(taken);
    document.addEventListener("visibilitychange", this.#leaving);
    for (const type of ENDS) addEventListener(type, this.#ending);
  }

  get key(): string {
    return this.#exchange.key;
  }

  get writing(): Writing {
    return this.#exchange.writing;
  }

  /** What a new paper begins with. */
  get text(): string {
    return this.#doc.local;
  }

  attach(paper: Paper): () => void {
    this.#paper = paper;
    this.#mark();
    return () => {
      this.#look();
      this.#paper = undefined;
    };
  }

  /** Somebody typed. */
  typed(): void {
    const { saving } = this.state.get();
    if (saving === "saved" || saving === "shown") this.state.set({ ...this.state.get(), saving: "typed" });
    this.#timers.within("draft", DRAFT_MS, () => void this.#keep());
    this.#timers.after("pause", PAUSE_MS, () => void this.save());
    if (this.state.get().open > 0) this.#timers.after("mark", MARK_MS, () => this.#mark());
  }

  /** Somebody made the ends of all lines alike, or took that back. */
  mixes(mixed: boolean): void {
    this.#exchange.mixes(mixed);
  }

  /** A version of what is there, where it isn't one yet; `outliving`: this page may be gone at once. */
  save(outliving = false): Promise<void> {
    const doc = this.#look();
    if (!model.isSettled(doc)) this.#take(model.arrived(doc, doc.file)); // it may have become the same
    return this.#exchange.save(outliving);
  }

  /** Somebody goes elsewhere. */
  leave(outliving = false): void {
    void this.#keep();
    void this.save(outliving);
  }

  /** Somebody chose; `theirs` tells which place was meant where there is another by now. */
  choose(place: number, theirs: string, choice: model.Choice): void {
    const open = model.places(this.#look());
    const which = open[place]?.theirs === theirs ? place : open.findIndex((one) => one.theirs === theirs);
    const next = model.chosen(this.#doc, which, choice);
    if (next !== undefined) {
      this.#take(next, true);
      this.#paper?.goTo(next.at);
    }
    if (model.isSettled(this.#doc)) void this.save();
  }

  /** The file was taken away, and is to be there again. */
  putBack(): Promise<void> {
    this.#doc = model.putBack(this.#look());
    return this.save();
  }

  /** What was typed in another life isn't wanted. */
  discard(): void {
    const { local, file } = this.#look();
    this.#take(model.arrived(model.opened({ hash: undefined, text: local }), file), true);
  }

  /** An earlier version is what is shown, at once, as if somebody had typed it; and it is saved. */
  replace(text: string): void {
    this.#paper?.apply(model.changes(this.#look().local, text), true);
    void this.save();
  }

  /** Nothing more is to be said about what was brought back. */
  forget(): void {
    const { restored: _, ...state } = this.state.get();
    this.state.set(state);
  }

  moved(key: string): void {
    this.#exchange.moved(key);
  }

  /** As much as can be is saved; what can't be is a draft, and `false` says so. */
  async close(): Promise<boolean> {
    await Promise.race([this.save(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS))]);
    const isOpen = !model.isSettled(this.#doc) && this.#doc.local !== this.#doc.base;
    if (isOpen && this.#exchange.problem === undefined && (await this.#exchange.beside()))
      this.#doc = model.opened({ hash: undefined, text: this.#doc.local });
    await this.#keep();
    return !model.isTyped(this.#doc);
  }

  /** Saves what it can, and then does nothing any more. */
  end(): void {
    document.removeEventListener("visibilitychange", this.#leaving);
    for (const type of ENDS) removeEventListener(type, this.#ending);
    this.#timers.stopAll();
    void this.close().finally(() => {
      this.#timers.stopAll();
      this.#exchange.end();
      this.#held.release();
    });
  }

  readonly #leaving = (): void => {
    if (document.visibilityState === "hidden") this.leave(true);
  };

  readonly #ending = (): void => this.leave(true);

  #bringBack(taken: readonly Draft[]): void {
    const at = Math.max(...taken.map((draft) => draft.at));
    this.state.set({ ...this.state.get(), restored: at });
    this.#timers.after("pause", PAUSE_MS, () => void this.save());
    const done = async () => {
      if (await this.#keep()) await Promise.all(taken.map(({ id }) => this.#drafts.remove(id)));
    };
    done().catch(() => {}); // they are there another time
  }

  /** With what was typed since. */
  #look(): model.Doc {
    if (this.#paper !== undefined) this.#doc = model.typed(this.#doc, this.#paper.text());
    return this.#doc;
  }

  #take({ doc, edits }: model.Next, byHand = false): void {
    this.#doc = doc;
    if (edits.length > 0) this.#paper?.apply(edits, byHand);
    this.#mark();
    this.#timers.within("draft", DRAFT_MS, () => void this.#keep());
  }

  #mark(): void {
    this.#paper?.mark(model.places(this.#look()));
    this.#tell();
  }

  /** The draft is what is there now, and none where nothing of it was typed, or all is saved. Tells whether it is. One at a time: a slow one isn't overtaken. */
  #keep(): Promise<boolean> {
    this.#timers.stop("draft");
    this.#next ??= this.#keeping.then(() => {
      this.#next = undefined;
      const keeping = this.#keepNow();
      this.#keeping = keeping;
      return keeping;
    });
    return this.#next;
  }

  async #keepNow(): Promise<boolean> {
    const { base, local, sent } = this.#look();
    this.#tell();
    if (!this.#keeps) this.#saveSoon();
    const { id } = this.#held;
    const draft = { id, key: this.key, at: Date.now(), base, local, ...(sent !== undefined && { sent }) };
    try {
      await (model.isTyped(this.#doc) ? this.#drafts.put(draft) : this.#drafts.settle(id));
      this.#keeps = true;
    } catch {
      this.#keeps = false;
      this.#saveSoon();
    }
    return this.#keeps;
  }

  /** What no draft has is a version before long. */
  #saveSoon(): void {
    if (model.send(this.#doc) !== undefined) this.#timers.within("unkept", UNKEPT_MS, () => void this.save());
  }

  #tell(): void {
    const { restored } = this.state.get();
    const { other, problem } = this.#exchange;
    this.state.set({
      saving: this.#saving(),
      open: model.places(this.#doc).length,
      isNew: model.isNew(this.#doc),
      gone: model.isGone(this.#doc),
      ...(other !== undefined && { other }),
      keeps: this.#keeps,
      ...(problem !== undefined && { problem: problem.words }),
      ...(restored !== undefined && model.isTyped(this.#doc) && { restored }),
    });
  }

  #saving(): State["saving"] {
    if (!model.isTyped(this.#doc)) return model.isSettled(this.#doc) ? "saved" : "shown";
    const { problem } = this.#exchange;
    if (problem !== undefined) return problem.offline ? "offline" : "failed";
    return this.#doc.sent === undefined ? "typed" : "saving";
  }
}
