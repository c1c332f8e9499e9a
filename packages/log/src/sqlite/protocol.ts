import type { Head } from "../log.ts";
import type { LogErrorCode } from "../log-error.ts";
import type { ContentChange, ContentRow } from "./contents-file.ts";
import type { Entry, Page, PageQuery, Placed } from "./log-file.ts";
import type { RefusalReason } from "./refusal.ts";

/** What the disk's thread can be asked to do, and what it answers. */
export interface Operations {
  open: { request: OpenRequest; answer: OpenAnswer };
  append: { request: Entry; answer: Placed };
  page: { request: PageQuery; answer: Page };
  head: { request: Record<string, never>; answer: Head };
  change: { request: ContentChange; answer: boolean };
  content: { request: { readonly hash: string }; answer: ContentRow | undefined };
  close: { request: Record<string, never>; answer: undefined };
}

export type Operation = keyof Operations;

export interface OpenRequest {
  readonly dir: string;
  readonly mode: "write" | "read";
  /** The first event, where a log should be made if there is none. */
  readonly first: Entry | undefined;
  readonly who: string;
}

export interface OpenAnswer {
  readonly head: Head;
  readonly notices: readonly string[];
}

export interface Call<Op extends Operation = Operation> {
  readonly number: number;
  /** Which open store this is for; chosen by the caller at `open`. */
  readonly store: number;
  readonly op: Op;
  readonly request: Operations[Op]["request"];
}

export type Answer =
  | { readonly number: number; readonly ok: true; readonly value: Operations[Operation]["answer"] }
  | { readonly number: number; readonly ok: false; readonly failure: Failure };

/** An error as it crosses between threads. */
export interface Failure {
  readonly code: LogErrorCode | RefusalReason;
  readonly message: string;
}
