import type { Draft, Envelope, Sha256, UserId } from "@choiros/contract";
import type { Contents } from "../contents.ts";
import type { Appended, Log } from "../log.ts";

/** What the suite needs of an engine. Nothing in it may lean on how one engine keeps its events. */
export interface Engine {
  readonly name: string;
  /** A new place, where no log was made yet. */
  place(): Promise<Place>;
}

/** Where one computer's log and contents lie, however its engine keeps them. */
export interface Place {
  open(options: PlaceOptions): Promise<Opening>;
  /** A writer in a process of its own; it makes the log where there is none. */
  spawnWriter(): Promise<OtherWriter>;
  /** What is left if all processes die at this very moment. The stores of the old place are only closed after that. */
  crash(): Promise<Place>;
  /** From now on the disk takes this many more events in one commit and then refuses, until it is mended. */
  breakDisk(room: number): Promise<() => Promise<void>>;
  readonly tamper: Tamper;
  remove(): Promise<void>;
}

export interface PlaceOptions {
  readonly mode: "write" | "read";
  /** Makes the log where there is none; so does every writer unless told. */
  readonly create?: boolean;
  readonly who?: string;
  readonly userId?: UserId;
  readonly now?: () => Date;
}

export type Opening =
  | { readonly ok: true; readonly store: OpenPlace }
  | { readonly ok: false; readonly reason: string; readonly message: string };

export interface OpenPlace {
  readonly log: Log;
  readonly contents: Contents;
  close(): Promise<void>;
}

export interface OtherWriter {
  readonly who: string;
  append(draft: Draft): Promise<Appended>;
  close(): Promise<void>;
  /** Ends the process without a chance to tidy up. */
  kill(): Promise<void>;
}

/** Changes what is stored behind the engine's back, as a bad disk or a careless hand would. */
export interface Tamper {
  /** Another byte in the event itself; its hash stays. */
  alter(seq: number): void;
  lose(seq: number): void;
  /** The last events are gone without a trace: the log ends after `seq`. */
  loseAfter(seq: number): void;
  /** The event stands a second time, after the last one. */
  double(seq: number): void;
  swap(a: number, b: number): void;
  /** Appends an event as a newer version could have written it, with a right hash. */
  plant(event: Omit<Envelope, "hash" | "seq" | "user_id">): void;
  damageContent(hash: Sha256): void;
  loseContent(hash: Sha256): void;
}
