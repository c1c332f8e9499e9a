import {
  type Entry,
  isBelow,
  isWindowKey,
  type Json,
  type KnownEvent,
  recognise,
  type Sha256,
  type StateTable,
} from "@choiros/contract";
import { LogError, ThreadFailure } from "@choiros/log";
import type { Change } from "../outcome.ts";
import { ComputerThread } from "../thread/computer-thread.ts";
import type { ChangeRow, ChangesCursor } from "./changes.ts";
import { entryFrom } from "./entry-text.ts";
import { explain } from "./explain.ts";
import { folded } from "./folded.ts";
import { FrozenState } from "./frozen-state.ts";
import type { HistoriesCursor, HistoryRow } from "./histories.ts";
import { Looks } from "./looks.ts";
import { NUMBER_OF, TREE } from "./schema.ts";
import { found, touching } from "./searches.ts";
import { BATCH, FEW, GATHERED, PAGE, SLICE } from "./sizes.ts";
import type { Applied, Item } from "./state-file.ts";
import type { StateOperations } from "./state-operations.ts";
import {
  type Applicable,
  type Counts,
  changeOf,
  inPages,
  inSlices,
  ofEach,
  parse,
  type Row,
  slices,
  type TreeLine,
  type TreeQuery,
  treeLines,
  type VersionOf,
} from "./state-rows.ts";
import type { TouchingRequest } from "./touching.ts";

/**
 * What a computer's log says: the tree, windows, settings, conversations, messages, tasks and checkpoints, now and after
 * any event. Made from the log alone. `at` is a seq, and where it is left out, the last event that was applied by then.
 */
export class State {
  readonly path: string;
  /** Told of each event that is in the state. */
  onApplied: (seq: number) => void = () => {};
  readonly #thread: ComputerThread;
  readonly #target: number;
  #applied: Applied;
  #turn: Promise<unknown> = Promise.resolve(); // changes go one after the other; reading waits for none of them
  #closed: Promise<void> | undefined;
  #damaged = false;
  readonly #looks = new Looks({
    gather: () => this.#call("state.gather", { limit: GATHERED }),
    rest: () => this.#call("state.rest", {}),
  });

  /** Makes the file where there is none. One that can't be used throws as `damaged`: `openState` makes it again. */
  static async open({ path }: { readonly path: string }): Promise<State> {
    const { thread, target } = ComputerThread.take();
    try {
      const applied = await thread.call(target, "state.open", { path });
      if ("unusable" in applied) throw new LogError("damaged", `${path} can't be used: ${applied.unusable}`);
      return new State(path, thread, target, applied);
    } catch (error) {
      await thread.give();
      throw explain(error, `${path} can't be opened`);
    }
  }

  private constructor(path: string, thread: ComputerThread, target: number, applied: Applied) {
    this.path = path;
    this.#thread = thread;
    this.#target = target;
    this.#applied = applied;
  }

  get appliedSeq(): number {
    return this.#applied.seq;
  }

  /** The hash of the last event that was applied; empty where none was. */
  get appliedHash(): Sha256 {
    return this.#applied.hash;
  }

  /** Whether the file turned out not to be what was written. */
  get damaged(): boolean {
    return this.#damaged;
  }

  /** Resolves when these events, in order, are in the state. Those that are in it already change nothing. */
  async apply(items: Applicable | readonly Applicable[]): Promise<void> {
    const list = Array.isArray(items) ? (items as readonly Applicable[]) : [items as Applicable]; // TypeScript doesn't tell
    return this.#inTurn(async () => {
      let batch: Item[] = [];
      for (const { event, changes } of list) {
        const known = recognise(event);
        const { seq, hash } = event;
        if (known.ok && "list" in known.value.payload) {
          await this.#applyBatch(batch);
          batch = [];
          if (seq > this.#applied.seq) await this.#applyLong(known.value, changes);
          continue;
        }
        batch.push(known.ok ? { seq, hash, event: known.value } : { seq, hash });
        if (batch.length < BATCH) continue;
        await this.#applyBatch(batch);
        batch = [];
      }
      await this.#applyBatch(batch);
      this.onApplied(this.#applied.seq);
    });
  }

  async #applyBatch(batch: readonly Item[]): Promise<void> {
    if (batch.length > 0) this.#applied = await this.#call("state.apply", batch);
  }

  async #applyLong(event: KnownEvent, changes: Applicable["changes"]): Promise<void> {
    const { seq, hash } = event;
    if (changes === undefined) throw new LogError("misuse", `the list of what event ${seq} changed wasn't given`);
    await this.#call("state.begin", { seq, hash, event });
    try {
      for await (const slice of changes) {
        for (const part of slices(slice, SLICE)) await this.#call("state.add", part);
      }
      this.#applied = await this.#call("state.end", { seq, hash });
    } catch (error) {
      await this.#call("state.cancel", {});
      throw error;
    }
  }

  /** What stands at these keys of the tree; keys where nothing does are left out. */
  async entries(keys: readonly string[], at?: number): Promise<Map<string, Entry>> {
    return this.#standing(TREE, keys, at, entryFrom);
  }

  /** The windows and settings of these names; those that aren't there are left out. */
  async values(names: readonly string[], at?: number): Promise<Map<string, Json>> {
    const settings = names.filter((name) => !isWindowKey(name));
    const found = await this.#standing(NUMBER_OF.window, names.filter(isWindowKey), at, parse);
    for (const [name, value] of await this.#standing(NUMBER_OF.setting, settings, at, parse)) found.set(name, value);
    return found;
  }

  async #standing<Value>(kind: number, keys: readonly string[], at: number | undefined, read: (text: string) => Value) {
    const moment = this.#checked(at);
    const found = new Map<string, Value>();
    for (const part of slices(keys, SLICE)) {
      const rows = await this.#call("state.standing", { kind, keys: part, at: moment });
      for (const [i, row] of rows.entries()) if (row !== null) found.set(part[i] ?? "", read(row[1]));
    }
    return found;
  }

  /** The tree in order of its keys (of their bytes), in pages: all of it, or what is below a directory, or directly in it. */
  async *tree(query: TreeQuery = {}): AsyncGenerator<TreeLine[]> {
    const at = this.#checked(query.at) ?? this.appliedSeq;
    const { direct, under } = query;
    if (under === undefined && query.after === undefined && at < this.appliedSeq) this.#looks.note();
    yield* inPages(query, direct === true ? SLICE : PAGE, async (after, limit) =>
      treeLines(
        direct === true && under !== undefined
          ? await this.#call("state.direct", { at, under, after, limit })
          : await this.#call("state.tree", { at, under, after, limit }),
      ),
    );
  }

  /** The paths that have all of these words in them, whatever their case, in slices; each with how many were looked at. */
  find(words: readonly string[]): AsyncGenerator<{ readonly lines: TreeLine[]; readonly looked: number }> {
    return found((after) => this.#call("state.find", { words: words.map(folded), after, limit: GATHERED }));
  }

  /** The events that changed something at a path or below it, or at one with these words in it, in slices; `left` are still to be looked at. */
  touching(request: TouchingRequest): AsyncGenerator<{ readonly seqs: readonly number[]; readonly left: number }> {
    return touching((rest) => this.#call("state.touching", { ...request, ...rest }), request);
  }

  /** The versions of a path that began before `before`, the newest first. */
  async history(
    key: string,
    options: { readonly before?: number; readonly limit?: number } = {},
  ): Promise<VersionOf<Entry>[]> {
    const { before = this.appliedSeq + 1, limit = 100 } = options;
    const rows = await this.#call("state.history", { kind: TREE, key, before, limit });
    return rows.map(([from, to, text]) => ({ from, to, value: text === null ? null : entryFrom(text) }));
  }

  /** What stood at each path up to an event, in slices and in order of keys; a path may go on in the next slice. */
  histories(until: number): AsyncGenerator<readonly HistoryRow[]> {
    this.#checked(until);
    return inSlices((cursor?: HistoriesCursor) => this.#call("state.histories", { until, cursor, limit: GATHERED }));
  }

  /**
   * What is different after event `to` from what was so after event `from`, in slices and in no order: paths, windows and
   * settings. `to` may be the earlier one. `under` is a path: it, and what is below it.
   */
  async *diff(from: number, to: number, { under }: { readonly under?: string } = {}): AsyncGenerator<Change[]> {
    for (const at of [from, to]) this.#checked(at);
    const wanted = ([kind, key]: ChangeRow) =>
      under === undefined || (kind === TREE && (key === under || isBelow(key, under)));
    const between = { from: Math.min(from, to), to: Math.max(from, to), limit: SLICE };
    const ask = (cursor?: ChangesCursor) => this.#call("state.changes", { ...between, cursor });
    for await (const rows of inSlices(ask)) {
      const changes = rows.filter(wanted).map((row) => changeOf(row, from <= to));
      if (changes.length > 0) yield changes;
    }
  }

  /** Rows of a table in order of their keys, in pages; `under` is how their keys begin. */
  async *rows(table: StateTable, query: TreeQuery = {}): AsyncGenerator<Row[]> {
    const at = this.#checked(query.at) ?? this.appliedSeq;
    const kind = NUMBER_OF[table];
    yield* inPages(query, SLICE, async (after, limit) => {
      const page = await this.#call("state.values", { kind, at, prefix: query.under, after, limit });
      return page.map(([key, seq, text]) => ({ key, seq, value: parse(text) }));
    });
  }

  /** How many entries stand directly in each of these directories; those with none are left out. */
  async children(keys: readonly string[], at?: number): Promise<Map<string, number>> {
    const moment = this.#checked(at);
    const ask = (part: readonly string[]) => this.#call("state.children", { keys: part, at: moment });
    return new Map((await ofEach(keys, FEW, ask)).filter(([, count]) => count > 0));
  }

  /** Those of these keys that something is below. */
  async below(keys: readonly string[], at?: number): Promise<Set<string>> {
    const moment = this.#checked(at);
    const ask = (part: readonly string[]) => this.#call("state.below", { keys: part, at: moment });
    return new Set((await ofEach(keys, SLICE, ask)).filter(([, any]) => any).map(([key]) => key));
  }

  /** How much stands now. */
  async counts(): Promise<Counts> {
    return (await this.#call("state.counts", {})) as Counts; // one for each table, by the thread's own list of them
  }

  /** What is applied by now, to be read while more is: whoever asked closes it. */
  freeze(): Promise<FrozenState> {
    return this.#inTurn(() => FrozenState.open(this.path));
  }

  /** SHA-256 over all that stands and stood: the same for every state that the same events made. */
  async hash(): Promise<Sha256> {
    const frozen = await this.freeze();
    return frozen.hash().finally(() => frozen.close());
  }

  /** Takes over what another state holds, which ends with that; `false` where this one knows more by now. */
  async takeOver(other: State): Promise<boolean> {
    return this.#inTurn(async () => {
      if (other.appliedSeq < this.appliedSeq) return false;
      await other.close();
      this.#applied = await this.#call("state.replace", { from: other.path });
      return true;
    });
  }

  /** Waits for what is under way. */
  close(): Promise<void> {
    this.#looks.end();
    this.#closed ??= this.#inTurn(() => this.#call("state.close", {}).finally(() => this.#thread.give()));
    return this.#closed;
  }

  #checked(at: number | undefined): number | undefined {
    if (at === undefined || (Number.isSafeInteger(at) && at >= 0 && at <= this.appliedSeq)) return at;
    throw new LogError("misuse", `${at} is no moment of this computer: its last event is ${this.appliedSeq}`);
  }

  async #call<Op extends keyof StateOperations>(
    op: Op,
    request: StateOperations[Op]["request"],
  ): Promise<StateOperations[Op]["answer"]> {
    try {
      return await this.#thread.call(this.#target, op, request);
    } catch (error) {
      if (error instanceof ThreadFailure && error.failure.code === "damaged") this.#damaged = true;
      throw explain(error, `could not use the state in ${this.path}`);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {}); // whoever asked for it hears of it
    return turn;
  }
}
