import type { CauseKind, Draft, Envelope, Id, Sha256, Source, UserId } from "@choiros/contract";
import { LogError } from "./log-error.ts";

/** The events of one computer, in order. Every engine keeps the numbered rules of SPEC.md. */
export interface Log {
  readonly userId: UserId;
  /** The chain's own identity, from event 1. It stays when the computer is imported under another id. */
  readonly logId: Id;

  /** Resolves once the event is durable. What can be expected comes back as a value; a disk that fails throws. */
  append(draft: Draft, options?: AppendOptions): Promise<Appended>;
  /** The events that stood when the call was made, in order. Each is checked against its hash before it is given out. */
  read(query?: Query): AsyncIterable<Envelope>;
  /** Replays from `from`, then follows: no gap, no duplicate. Ends when the signal aborts or the log closes. */
  subscribe(options?: { readonly from?: number; readonly signal?: AbortSignal }): AsyncIterable<Envelope>;
  head(): Promise<Head>;
  /** When each of these was appended and by whom, as it stands there and unchecked; nothing for one that isn't there. */
  marks(seqs: readonly number[]): Promise<readonly (Mark | undefined)[]>;
  /** Checks everything, and repairs nothing. */
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  /** Waits for what is under way; ends every subscription. */
  close(): Promise<void>;
}

/** What is to be known of an event without reading it. */
export interface Mark {
  readonly ts: string;
  readonly source: Source;
  readonly type: string;
  /** By which means files changed, where the event says so. */
  readonly by: string | null;
  /** What it was done for, where that was an ask. */
  readonly ask: Id | null;
}

/** The last event. */
export interface Head {
  readonly seq: number;
  readonly hash: Sha256;
}

export interface AppendOptions {
  /** The head the caller has seen. Where it has moved, nothing is appended and the answer is `conflict`. */
  readonly expectedSeq?: number;
}

export type Appended =
  | (Head & {
      readonly ok: true;
      readonly id: Id;
      readonly ts: string;
      /** The id was in the log already: this is what the first append got. */
      readonly repeated: boolean;
    })
  | { readonly ok: false; readonly reason: "conflict"; readonly head: Head; readonly message: string }
  | { readonly ok: false; readonly reason: "invalid" | "too-large"; readonly message: string };

export interface Query {
  /** First seq, inclusive; 1 unless told. */
  readonly from?: number;
  /** Last seq, inclusive. */
  readonly to?: number;
  readonly types?: readonly string[];
  /** There is no index by these: every event is looked at, but only those that fit are read. */
  readonly sources?: readonly Source[];
  /** Only events with all of these causes. */
  readonly cause?: Partial<Record<CauseKind, Id>>;
  readonly limit?: number;
}

const MAX_TYPES = 100;

/** A query that makes no sense would be answered by something that looks like damage: it is refused before. */
export function checkQuery({ from = 1, to = 1, limit = 0, types = [] }: Query): void {
  const wrong = Object.entries({ from, to, limit }).find(([, value]) => !Number.isSafeInteger(value));
  if (wrong !== undefined) throw new LogError("misuse", `${wrong[0]} is ${wrong[1]}: it must be a whole number`);
  if (limit < 0) throw new LogError("misuse", `limit is ${limit}: it must not be negative`);
  if (types.length > MAX_TYPES) throw new LogError("misuse", `a query names at most ${MAX_TYPES} types`);
}

export interface VerifyOptions {
  /** An event that is known to have been there, from a state, a snapshot, an export or a note. */
  readonly expect?: Head;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface VerifyReport {
  readonly ok: boolean;
  /** How many events were read. */
  readonly events: number;
  /** The last event of the good prefix; absent where not even event 1 is good. */
  readonly good?: Head;
  /** The first event that is wrong or missing. */
  readonly firstBad?: number;
  /** The first problems, at most `MAX_PROBLEMS`. */
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly kind: ProblemKind;
  readonly seq?: number;
  readonly message: string;
}

export type ProblemKind =
  /** The file can't be opened as a log, or its tables aren't the ones it was made with. */
  | "structure"
  /** A row, or a page under it, can't be read. */
  | "unreadable"
  /** Events are missing between two that are there. */
  | "gap"
  /** The event isn't what its hash covers, or doesn't follow from the one before. */
  | "hash"
  /** A column says something else than the event. */
  | "column"
  /** The log ends before an event that is known to have been there. */
  | "short";

export const MAX_PROBLEMS = 20;
