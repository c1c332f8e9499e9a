import type {
  Cause,
  Draft,
  Entry,
  Envelope,
  Id,
  Json,
  Sha256,
  Source,
  StateTable,
  Target,
  UserId,
  WindowValue,
} from "@choiros/contract";
import type { ContentSource, Contents, Log } from "@choiros/log";
import type { Decision } from "./actions/answer-approval.ts";
import type { WindowAct } from "./actions/change-windows.ts";
import type { Settled } from "./actions/settle-ask.ts";
import type { CommandLine, ExecOptions, ExecOutcome } from "./command/command.ts";
import type { Blocked, Change, Choices, Outcome, Preview, Progress, Refused } from "./outcome.ts";
import type { Row } from "./state/state-rows.ts";

/** One computer: its log, the state and the folder made from it, and everything that can be done to them. */
export interface Computer {
  readonly userId: UserId;
  /** `{home}/users/{user_id}`. */
  readonly root: string;
  readonly log: Log;
  readonly contents: Contents;
  /** What was done on opening that the user should know. */
  readonly notices: readonly string[];

  /** The tree in order of its keys, in pages. `at` is any seq up to the head; the head unless told. */
  files(query?: FilesQuery): AsyncIterable<readonly FileLine[]>;
  /** The paths that have all words of a text in them, whatever their case, the best first. */
  find(text: string, limit: number, options?: Watching): Promise<readonly FileLine[]>;
  /** The events that changed something there, in order and in slices; `left` are still to be looked at. */
  touching(
    where: Where,
    range: { readonly from: number; readonly to: number; readonly newest: boolean },
  ): AsyncIterable<{ readonly seqs: readonly number[]; readonly left: number }>;
  /** One entry, and for a file or a link its bytes. `undefined` where there is nothing. */
  read(key: string, at?: number): Promise<Found | undefined>;
  /** Every version of a path, the newest first; with `before`, of those that came before this event. */
  history(key: string, options?: { readonly before?: number }): AsyncIterable<Version>;
  /**
   * What stood at every path up to an event, without contents: `[key, "2f12 40d 97-"]` was a file of 12 bytes from event 2
   * on, a directory from 40 on, and is gone since 97; `l` is a link. In pages; a path may go on in the next one.
   */
  histories(until: number): AsyncIterable<readonly (readonly [key: string, versions: string])[]>;
  /** What stands in a table of the state after event `seq`, the last one by now; `under` is how keys begin. In pages. */
  rows(
    table: StateTable,
    query?: { readonly under?: string },
  ): Promise<{ readonly seq: number; readonly pages: AsyncIterable<readonly Row[]> }>;
  /** Every setting there is, by its name. */
  settings(at?: number): Promise<ReadonlyMap<string, Json>>;
  /** What changed between two moments, net: of the tree, windows and settings; or of one path, and what is below it. */
  diff(from: number, to?: number, options?: { readonly under?: string }): AsyncIterable<readonly Change[]>;

  /** What began and isn't over after event `seq`, the last one by now: the events that called a tool, asked for approval, took up an ask, or asked the user something. */
  unfinished(): Promise<{ readonly seq: number; readonly events: readonly Envelope[] }>;

  write(key: string, source: ContentSource, options?: WriteOptions): Promise<Outcome>;
  /** A file, a link, or a directory with everything in it. */
  remove(key: string, options?: RemoveOptions): Promise<Outcome>;
  move(from: string, to: string, options?: ActOptions): Promise<Outcome>;
  /** Several of these, each after the other, as one action: all of them, or none. */
  arrange(deeds: readonly Deed[], options?: ActOptions): Promise<Outcome>;
  /** Brings a folder of this machine in, as one action. */
  add(folder: string, to: string, options?: ActOptions): Promise<Outcome>;
  /** Settings by their names; `null` takes one away. */
  changeSettings(values: ReadonlyMap<string, Json>, options?: ActOptions): Promise<Outcome>;
  /** Windows by their keys; `null` is one that is closed. */
  changeWindows(
    as: WindowAct,
    windows: ReadonlyMap<string, WindowValue | null>,
    options?: ActOptions,
  ): Promise<Outcome>;
  /** What the user says: the beginning of an ask. */
  say(text: string, options?: SayOptions): Promise<Outcome>;
  /** Takes `target` back, as a new event. `since` in a target is a rewind. */
  undo(target: Target, options?: ActOptions & Watching & { readonly choices?: Choices }): Promise<Outcome>;
  /** What `undo` would do. */
  preview(target: Target, options?: Watching & { readonly choices?: Choices }): Promise<Preview | Refused>;
  /** Runs a command in the sandbox, and makes what it did to the files one event. */
  exec(command: CommandLine, options?: ExecOptions): Promise<ExecOutcome | Refused>;
  /** What a call that runs has written, of much the end, and what it writes until it is over; `undefined` where none runs. */
  spoken(call: Id): AsyncIterable<Uint8Array> | undefined;
  /** Ends what a call runs, as far as it isn't over; it is told as stopped. */
  stop(call: Id): void;
  /** Answers an approval that waits for it. */
  answer(approval: Id, decision: Decision, options?: ActOptions): Promise<Outcome>;
  /** What the user decides about an ask that paused; one that isn't is refused. */
  settleAsk(ask: Id, as: Settled, options?: ActOptions): Promise<Outcome>;
  /** Brings a path, with everything below it, back to what it was. */
  restore(key: string, at: number, options?: ActOptions): Promise<Outcome>;

  /** Takes up what others did to the folder; all of it unless keys are named. */
  capture(keys?: readonly string[]): Promise<Captured>;
  /** What the log has and the folder doesn't yet. */
  blocked(): readonly Blocked[];
  /** What the folder has and the log can't have: a socket, a file that can't be read. */
  unkept(): readonly Blocked[];

  /** Holds the state against the log and the folder against the state. Changes nothing. */
  verify(options?: Watching): Promise<ComputerReport>;
  /** Throws the state away and makes it again from the log. */
  rebuild(options?: Watching): Promise<{ readonly events: number; readonly hash: Sha256 }>;
  stateHash(): Promise<Sha256>;
  /** Everything in one SQLite file. */
  exportTo(file: string, options?: Watching): Promise<Exported>;

  /** Waits for what is under way. */
  close(): Promise<void>;
}

export interface Watching {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

/** Tells progress, and stops there where nobody wants it any more. */
export function attentive({ onProgress, signal }: Watching): (progress: Progress) => void {
  return (progress) => {
    signal?.throwIfAborted();
    onProgress?.(progress);
  };
}

/** `signal` ends an action as long as it isn't in the log, and then nothing has happened. */
export interface ActOptions extends Watching {
  /** `user` unless told. */
  readonly source?: Source;
  /** Gets a `call` of its own where it has none. */
  readonly cause?: Cause;
  /** The event's id: a retry with the same one does nothing twice. */
  readonly id?: Id;
  /**
   * Whether all of this may be written, asked when nothing else comes in between any more; why not, in a sentence, where it
   * may not. Then nothing of it is.
   */
  readonly mayLand?: (changes: readonly Change[]) => Promise<string | undefined>;
}

export interface WriteOptions extends ActOptions {
  /** What the writer had read. Where that isn't what stands any more, both are merged, or both kept. `null`: nothing. */
  readonly base?: Sha256 | null;
  /** Both are merged, or nothing is written: also where what was read is gone. That is a conflict. */
  readonly beside?: false;
  readonly mode?: number;
}

export interface RemoveOptions extends ActOptions {
  /** What whoever removes it had read: where something else stands, that is a conflict, and stays. */
  readonly base?: Sha256;
}

export interface SayOptions extends ActOptions {
  /** The keys of what it is about. */
  readonly paths?: readonly string[];
  /** The one that it goes on with. */
  readonly conversation?: Id;
}

/** What can be done to paths at a desk. A copy of a directory is one of everything in it; a file is made empty. */
export type Deed =
  | { readonly move: { readonly from: string; readonly to: string } }
  | { readonly copy: { readonly from: string; readonly to: string } }
  | { readonly remove: { readonly key: string } }
  | { readonly folder: { readonly key: string } }
  | { readonly file: { readonly key: string } };

export interface FilesQuery {
  readonly at?: number;
  /** A directory: what is below it. */
  readonly under?: string;
  /** Only what is directly in `under`. */
  readonly direct?: boolean;
}

/** Paths that fit all of it; nothing said is none. */
export interface Where {
  /** It, and what is below it. */
  readonly key?: string;
  /** All words of it are in the path, whatever their case. */
  readonly text?: string;
}

export interface FileLine {
  readonly key: string;
  readonly entry: Entry;
  /** The event that made it so. */
  readonly seq: number;
  /** Likely a key or a password: never shown to a model, pushed or published without a grant. */
  readonly secret: boolean;
}

export interface Found {
  readonly entry: Entry;
  /** Of a file, or a link's target, from a place on where one is given; nothing for a directory. */
  bytes(from?: number): AsyncIterable<Uint8Array>;
}

export interface Version {
  /** By which means, where its event says so. */
  readonly by?: string;
  /** The event that made it so, and until which one it stood. */
  readonly seq: number;
  readonly until: number | null;
  readonly entry: Entry | null;
  readonly ts: string;
  readonly source: Source;
  readonly type: Draft["type"] | (string & {});
  readonly cause: Cause | null;
}

export interface Captured {
  /** The event it became; `null` where nothing had changed. */
  readonly seq: number | null;
  readonly changed: number;
  /** What can't be kept (a socket, a file that can't be read), in sentences. */
  readonly notes: readonly string[];
}

export interface ComputerReport {
  readonly ok: boolean;
  readonly state: { readonly ok: boolean; readonly hash: Sha256; readonly problems: readonly string[] };
  readonly folder: {
    readonly ok: boolean;
    readonly paths: number;
    readonly problems: readonly string[];
    /** What stands there and can't be kept (a socket, a FIFO), in sentences: no damage. */
    readonly notes: readonly string[];
  };
}

export interface Exported {
  readonly file: string;
  readonly seq: number;
  readonly hash: Sha256;
  readonly events: number;
  readonly contents: number;
  readonly bytes: number;
  /** Contents that are named and aren't in the file, since they are damaged or gone here. */
  readonly missing: { readonly count: number; readonly first: readonly MissingContent[] };
}

export interface MissingContent {
  readonly hash: Sha256;
  readonly state: "damaged" | "missing";
  /** The first event that names it, and the path that it names it for; `null` where it isn't for one. */
  readonly seq: number;
  readonly key: string | null;
}
