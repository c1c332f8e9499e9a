import type { Cause, Json, Signal, Source, Target } from "@choiros/contract";
import type { Streams } from "../asks/streams.ts";
import type { Cell } from "../shell/icon-grid.ts";
import type { MenuAt } from "../shell/menu.tsx";
import type { Watched } from "../watched.ts";
import type { Args } from "../windows/deeds.ts";
import type { NewNotice, PostedNotice } from "./notices.ts";
import type { Choice, FileLine, Outcome, Preview, Ran, Said, Shown, Version } from "./shapes.ts";
import type { Connection, Moment } from "./socket.ts";
import type { Writing } from "./web.ts";

/** Whether something is taken back, or what was taken back is done again. */
export type Turn = "back" | "again";

export type Choices = ReadonlyMap<string, Choice>;

/** One step of an arrangement; all of one arrangement is one event, and happens whole or not at all. */
export type FileDeed =
  | { readonly move: { readonly from: string; readonly to: string } }
  | { readonly copy: { readonly from: string; readonly to: string } }
  | { readonly remove: { readonly key: string } }
  | { readonly folder: { readonly key: string } }
  | { readonly file: { readonly key: string } };

export interface Progressing {
  /** How far it is, where there is much to look at. */
  onProgress?(progress: { readonly done: number; readonly total?: number; readonly what: string }): void;
}

export interface Stoppable {
  readonly signal?: AbortSignal;
}

/** Which events: those that fit all of it. */
export interface EventQuery {
  /** Counted from the end where it is negative: -10 is the last ten. */
  readonly from?: number;
  readonly to?: number;
  readonly type?: readonly string[];
  readonly source?: readonly Source[];
  readonly cause?: Cause;
  /** Those that changed something there, or below it. */
  readonly key?: string;
  /** Those that changed something whose path has all of these words in it. */
  readonly named?: string;
  /** Messages, plans, commands and changed paths that have all of these words. */
  readonly text?: string;
  readonly since?: string;
  readonly until?: string;
  /** From the last one backwards. */
  readonly newest?: boolean;
  readonly limit?: number;
}

export interface Opening {
  /** A window with an app, as the app is; returns its id. */
  open(app: string, args?: Args): string | undefined;
  /** With the app that is for it; `app` where another one is wanted. */
  openFile(key: string, kind?: "file" | "folder", app?: string): string | undefined;
}

/** What an app may ask of the desk. What can't be done rejects with a `Problem`; what is refused is an answer. */
export interface DeskApi extends Opening {
  readonly computer: string;
  readonly files: DeskFiles;
  readonly settings: {
    readonly values: Watched<ReadonlyMap<string, Json>>;
    change(values: { readonly [name: string]: Json }): Promise<Outcome>;
  };
  readonly asks: DeskAsks;
  readonly connection: Watched<Connection>;
  /** Every undo that there was, by its event. */
  readonly undos: Watched<ReadonlyMap<string, Json>>;
  /** What runs, by its call. */
  readonly calls: Watched<ReadonlyMap<string, Json>>;
  /** The number of the last event that was heard. */
  head(): number;
  /** Events that were, each as it comes; what is answered is the server's. */
  events(query: EventQuery, options: Stoppable & Progressing & { onItem(moment: Moment): void }): Promise<Json>;
  /** Events from now on. `restarted`: what was known has to be asked for again. Returns how to stop. */
  follow(follower: (moments: readonly Moment[]) => void, restarted?: () => void): () => void;
  /** Exactly what an undo would do; without `lines`, only of what. */
  preview(
    target: Target,
    choices?: Choices,
    options?: Stoppable & { readonly lines?: boolean },
  ): Promise<{ said: readonly Said[]; answer: Preview }>;
  undo(target: Target, choices?: Choices): Promise<Outcome>;
  /** Undoes it at once, and tells what came of it in a notice; `again` where that does what was taken back. Whether it was done. */
  takeBack(target: Target, turn?: Turn): Promise<boolean>;
  /** A line for a shell, in a folder; what it writes comes as it is written. */
  run(line: string, options?: Running): Promise<Ran>;
  /** What a call that runs has written, of much the end, and what it writes until it is over; `false` where none runs. */
  listen(call: string, options: Stoppable & { onOutput(bytes: Uint8Array): void }): Promise<boolean>;
  /** Ends what a call runs, whoever called it. */
  stop(call: string): void;
  /** The events that called what still runs. */
  running(): Promise<readonly Moment[]>;
  /**
   * What a command wrote, by the event that says how it ended, from a place on, or another content that an event names;
   * `undefined` where it isn't kept.
   */
  output(seq: number, from: number, options?: Stoppable & { readonly part?: Part }): Promise<string | undefined>;
  /** For what is opened once something is done or known: who typed or pressed something meanwhile keeps the keys. */
  later(): Opening;
  /** A page of the web, beside the desktop: the console asks first. */
  visit(address: string): void;
  /** Files and folders, where one sees them first, or from a cell on. */
  putOnDesktop(keys: readonly string[], at?: Cell): Promise<void>;
  /** A menu there, in place of any other. */
  showMenu(menu: MenuAt): void;
  /** Opens this computer's Timeline at an event, wherever it is opened; `undefined` where no console is around. */
  linkTo(seq: number): string | undefined;
  notify(notice: NewNotice): PostedNotice;
  /** A notice that something was done, with a way to take it back, and to what came of it. */
  notifyDone(text: string, outcome: Outcome, show?: NewNotice["show"]): void;
}

/** The contents that events name, apart from those of files. */
export type Part = "answer" | "content" | "input" | "output" | "summary";

/** What is asked of agents, and what becomes of it. */
export interface DeskAsks {
  /** By ask, by task and by message, as the contract's tables have them. */
  readonly rows: Watched<ReadonlyMap<string, Json>>;
  readonly tasks: Watched<ReadonlyMap<string, Json>>;
  readonly messages: Watched<ReadonlyMap<string, Json>>;
  /** What comes of each ask and isn't kept: what its model says, and what it waits for. */
  readonly streams: Watched<ReadonlyMap<string, Streams>>;
  /** An ask, or what is said to one that runs in this conversation; its call is its id. */
  say(text: string, about?: { readonly conversation?: string; readonly paths?: readonly string[] }): Promise<Outcome>;
  /** Ends what runs for it. Whether somebody could hear that. */
  stop(ask: string): boolean;
  /** One that paused goes on, or stays as it is. */
  resume(ask: string): Promise<Outcome>;
  leave(ask: string): Promise<Outcome>;
  /** One that nobody has taken up is taken back. */
  withdraw(ask: string): Promise<Outcome>;
  /** What is said and not kept: what a model or a command writes, as it comes. Returns how to stop. */
  hear(hearer: (signal: Signal) => void): () => void;
  /** Begins an ask with these words, in the bar; whoever sits there says the rest. */
  begin(words: string): void;
}

export interface Running extends Stoppable {
  readonly folder?: string;
  /** What its call is named by; else it gets a name that nobody knows before it is over. */
  readonly call?: string;
  onOutput?(bytes: Uint8Array, aside: boolean): void;
}

export interface Range {
  readonly from: number;
  /** Now, where it isn't said. */
  readonly to?: number;
  readonly key?: string;
}

export interface Listing {
  readonly at?: number;
  onItem?(line: FileLine): void;
}

export interface DeskFiles {
  /** What stands directly in a folder; with `onItem` each as it comes, too: there may be many. */
  list(folder: string, options?: Stoppable & Listing): Promise<readonly FileLine[]>;
  /** `undefined` where there is no such file. */
  read(key: string, options?: Stoppable & { readonly at?: number }): Promise<Response | undefined>;
  /** An address of its bytes that the browser can load by itself: for pictures, and with `download` for downloads. */
  link(key: string, options?: { readonly at?: number; readonly download?: boolean }): Promise<string>;
  write(key: string, bytes: Blob | string, writing?: Writing): Promise<Outcome>;
  /** `call`: what it is a part of, where that is more than the server takes at once. */
  arrange(deeds: readonly FileDeed[], part?: { readonly call?: string }): Promise<Outcome>;
  find(text: string, limit: number, options?: Stoppable): Promise<readonly FileLine[]>;
  /** Every version of a path, the newest first. */
  history(key: string, options?: Stoppable): Promise<readonly Version[]>;
  /** What changed from one moment to another; with `key`, at that path or below it. */
  diff(range: Range, options: Stoppable & { onItem(shown: Shown): void }): Promise<void>;
  restore(key: string, at: number): Promise<Outcome>;
  /** Heard when something at this path or below it may have changed. Returns how to stop. */
  watch(key: string, changed: () => void): () => void;
}
