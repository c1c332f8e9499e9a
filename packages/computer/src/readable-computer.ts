import {
  type AskStatus,
  type Envelope,
  isLikelySecret,
  type Json,
  type PendingValue,
  recognise,
  type Sha256,
  type StateTable,
  type UserId,
} from "@choiros/contract";
import { type Contents, type Log, LogError, type Store } from "@choiros/log";
import type { FileLine, FilesQuery, Found, Version, Watching, Where } from "./computer-port.ts";
import { findPaths } from "./find-paths.ts";
import type { Change } from "./outcome.ts";
import type { Packer } from "./packer.ts";
import type { Parts } from "./parts.ts";
import { shownPath } from "./shown-path.ts";
import { wordsIn } from "./state/folded.ts";
import type { OpenedState } from "./state/open-state.ts";
import type { Row, TreeLine } from "./state/state-rows.ts";

export interface LocalParts extends Parts {
  readonly root: string;
  readonly store: Store;
  readonly packer: Packer;
  readonly notices: readonly string[];
  readonly opened: OpenedState;
}

/** What of a computer on this machine can be read, at any moment. */
export abstract class ReadableComputer {
  readonly userId: UserId;
  readonly root: string;
  readonly log: Log;
  readonly contents: Contents;
  readonly notices: readonly string[];
  protected readonly parts: LocalParts;

  constructor(parts: LocalParts) {
    this.parts = parts;
    this.userId = parts.log.userId;
    this.root = parts.root;
    this.log = parts.log;
    this.contents = parts.contents;
    this.notices = parts.notices;
  }

  /** Throws where it is closed. */
  protected abstract assertOpen(): void;

  async *files(query: FilesQuery = {}): AsyncGenerator<readonly FileLine[]> {
    await this.caughtUp(query.at);
    for await (const page of this.parts.state.tree(query)) yield page.map(fileLine);
  }

  async find(text: string, limit: number, options: Watching = {}): Promise<readonly FileLine[]> {
    await this.caughtUp();
    return (await findPaths(this.parts.state, text, limit, options)).map(fileLine);
  }

  async read(key: string, at?: number): Promise<Found | undefined> {
    await this.caughtUp(at);
    const entry = (await this.parts.state.entries([key], at)).get(key);
    if (entry === undefined) return undefined;
    return { entry, bytes: (from) => (entry.kind === "dir" ? nothing() : this.#bytes(key, entry.hash, from)) };
  }

  async *#bytes(key: string, hash: Sha256, from?: number): AsyncGenerator<Uint8Array> {
    const bytes = await this.contents.get(hash, from);
    if (bytes !== undefined) return yield* bytes;
    const pruned = (await this.contents.check(hash)) === "pruned";
    throw new LogError(
      "damaged",
      pruned ? `what was in ${shownPath(key)} was pruned` : `what was in ${shownPath(key)} is missing`,
    );
  }

  async *history(key: string, options: { readonly before?: number } = {}): AsyncGenerator<Version> {
    await this.caughtUp();
    for (let { before } = options; ; ) {
      const versions = await this.parts.state.history(key, { limit: PAGE, ...(before !== undefined && { before }) });
      for (const { from, to, value } of versions) {
        for await (const event of this.log.read({ from, to: from })) {
          const known = recognise(event);
          if (!known.ok) continue; // it made a version, so this one knows it
          const { ts, source, type, cause = null, payload } = known.value;
          const by = "by" in payload ? { by: payload.by } : {};
          yield { seq: from, until: to ?? null, entry: value, ts, source, type, cause, ...by };
        }
      }
      if (versions.length < PAGE) return;
      before = versions.at(-1)?.from;
    }
  }

  async *histories(until: number): AsyncGenerator<readonly (readonly [key: string, versions: string])[]> {
    await this.caughtUp(until);
    yield* this.parts.state.histories(until);
  }

  async rows(
    table: StateTable,
    query: { readonly under?: string } = {},
  ): Promise<{ seq: number; pages: AsyncIterable<readonly Row[]> }> {
    await this.caughtUp();
    const { state } = this.parts;
    const seq = state.appliedSeq;
    return { seq, pages: state.rows(table, { ...query, at: seq }) };
  }

  async *touching(
    where: Where,
    range: { readonly from: number; readonly to: number; readonly newest: boolean },
  ): AsyncGenerator<{ readonly seqs: readonly number[]; readonly left: number }> {
    await this.caughtUp(range.to);
    const { text, ...place } = where;
    const words = text === undefined ? [] : wordsIn(text);
    if (place.key === undefined && words.length === 0) return; // that would be everywhere
    yield* this.parts.state.touching({ ...place, words, ...range });
  }

  async settings(at?: number): Promise<ReadonlyMap<string, Json>> {
    await this.caughtUp(at);
    const pages = await Array.fromAsync(this.parts.state.rows("setting", at === undefined ? {} : { at }));
    return new Map(pages.flat().map(({ key, value }) => [key, value]));
  }

  async *diff(from: number, to?: number, options: { readonly under?: string } = {}): AsyncGenerator<readonly Change[]> {
    await this.caughtUp(Math.max(from, to ?? 0));
    yield* this.parts.state.diff(from, to ?? this.parts.state.appliedSeq, options);
  }

  async unfinished(): Promise<{ seq: number; events: Envelope[] }> {
    await this.caughtUp();
    const { state } = this.parts;
    const seq = state.appliedSeq;
    const began: number[] = [];
    for (const table of ["call", "approval"] as const)
      for await (const rows of state.rows(table, { at: seq })) began.push(...rows.map((row) => row.seq));
    for await (const rows of state.rows("pending", { at: seq }))
      for (const { key, value } of rows) began.push(...(await this.#begunOf(key, value as PendingValue))); // only the contract's reducers write it
    const events: Envelope[] = [];
    for (const from of began.sort((a, b) => a - b))
      for await (const event of this.log.read({ from, to: from })) events.push(event);
    return { seq, events };
  }

  /** Where an ask that isn't over was taken up, and asked the user what it still waits to hear. */
  async #begunOf(ask: string, { begun, status }: PendingValue): Promise<number[]> {
    if (!AT_WORK.includes(status)) return [];
    if (status !== "wondering") return [begun];
    const asked = await Array.fromAsync(this.log.read({ from: begun, types: ["ask.wondered"], cause: { ask } }));
    return [begun, ...asked.slice(-1).map(({ seq }) => seq)];
  }

  /** The state is as far as the log was when this was called. */
  protected async caughtUp(at?: number): Promise<void> {
    this.assertOpen();
    const { seq } = await this.log.head();
    await this.parts.projector.reached(seq);
    if (at !== undefined && at > seq)
      throw new LogError("misuse", `the log is at ${seq}: there is no moment ${at} yet`);
  }
}

const PAGE = 100;

const AT_WORK: readonly AskStatus[] = ["running", "wondering", "approval"];

async function* nothing(): AsyncGenerator<Uint8Array> {}

function fileLine({ key, entry, seq }: TreeLine): FileLine {
  return { key, entry, seq, secret: isLikelySecret(key) };
}
