import type { ContentRef } from "@choiros/contract";
import type { Head, Mark } from "../log.ts";
import type { SweepPlan } from "./chunk-list.ts";
import type { ChunkPart, ChunkPlace } from "./chunk-row.ts";
import type { PageState } from "./content-pages.ts";
import type { ContentChange, KeptContent } from "./contents-file.ts";
import type { Page, PageQuery, Placed, Sealed } from "./log-file.ts";

/** What the disk's thread can be asked to do, and what it answers. */
export type DiskOperations = {
  open: { request: OpenRequest; answer: OpenAnswer };
  append: { request: Sealed; answer: Placed };
  page: { request: PageQuery; answer: Page };
  marks: { request: { readonly seqs: readonly number[] }; answer: (Mark | undefined)[] };
  head: { request: Record<string, never>; answer: Head };
  change: { request: ContentChange; answer: boolean };
  content: { request: { readonly hash: string; readonly bytes: boolean }; answer: KeptContent | undefined };
  changes: { request: readonly ContentChange[]; answer: boolean[] };
  list: { request: { readonly after: string }; answer: ContentRef[] };
  bytes: { request: readonly string[]; answer: (Uint8Array | null)[] };
  states: { request: { readonly hashes: readonly string[]; readonly read: boolean }; answer: PageState[] };
  /** Of a large content: its chunks from a place on, and the files that hold them. */
  chunksAt: { request: { readonly hash: string; readonly from: number }; answer: ChunkPart[] | undefined };
  filesOf: { request: { readonly hash: string }; answer: string[] };
  /** For a put: the chunks that are there already, which stay until it says that it is over. */
  find: { request: { readonly put: string; readonly hashes: readonly string[] }; answer: (ChunkPlace | null)[] };
  /** Answers whether there is something to be tidied up. */
  unpin: { request: { readonly put: string }; answer: boolean };
  untidy: { request: Record<string, never>; answer: { readonly going: string[]; readonly mixed: string[] } };
  plan: { request: { readonly name: string }; answer: SweepPlan };
  trim: { request: Record<string, never>; answer: undefined };
  close: { request: Record<string, never>; answer: undefined };
};

export interface OpenRequest {
  readonly dir: string;
  readonly mode: "write" | "read";
  /** The first event, where a log should be made if there is none. */
  readonly first: Sealed | undefined;
  readonly who: string;
}

export interface OpenAnswer {
  readonly head: Head;
  readonly notices: readonly string[];
}
