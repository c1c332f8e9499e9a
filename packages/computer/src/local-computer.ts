import { type Envelope, type Id, type Json, recognise, type Sha256, type Target, type UserId } from "@choiros/contract";
import { type ContentSource, type Contents, type Log, LogError, type Store } from "@choiros/log";
import { addFolder } from "./actions/add-folder.ts";
import { answerApproval, type Decision } from "./actions/answer-approval.ts";
import { changeSettings } from "./actions/change-settings.ts";
import { movePath } from "./actions/move-path.ts";
import { removePath } from "./actions/remove-path.ts";
import { type Deed, repeated } from "./actions/repeated.ts";
import { restorePath } from "./actions/restore-path.ts";
import { type PreviewOptions, previewTarget, type UndoOptions, undoTarget } from "./actions/undo-target.ts";
import { writeFile } from "./actions/write-file.ts";
import type { Capture } from "./capture.ts";
import { checkKey } from "./check-key.ts";
import type { CommandLine, ExecOptions, ExecOutcome } from "./command/command.ts";
import type { Commands } from "./command/commands.ts";
import type {
  ActOptions,
  Captured,
  Computer,
  ComputerReport,
  Exported,
  FileLine,
  Found,
  RemoveOptions,
  Version,
  Watching,
  WriteOptions,
} from "./computer-port.ts";
import { isLikelySecret } from "./likely-secret.ts";
import type { Blocked, Change, Outcome, Preview, Refused } from "./outcome.ts";
import type { Packer } from "./packer.ts";
import type { Parts } from "./parts.ts";
import { shownPath } from "./shown-path.ts";
import type { OpenedState } from "./state/open-state.ts";
import { exportComputer } from "./transfer/export-computer.ts";
import { rebuildState, verifyComputer } from "./verify-computer.ts";

export interface LocalParts extends Parts {
  readonly root: string;
  readonly store: Store;
  readonly packer: Packer;
  readonly notices: readonly string[];
  readonly opened: OpenedState;
}

/** A computer on this machine, with its folder. */
export class LocalComputer implements Computer {
  readonly userId: UserId;
  readonly root: string;
  readonly log: Log;
  readonly contents: Contents;
  readonly notices: readonly string[];
  readonly #parts: LocalParts;
  readonly #capture: Capture;
  readonly #commands: Commands;
  /** What was asked for and isn't done, which closing waits for. */
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(parts: LocalParts, capture: Capture, commands: Commands) {
    this.#parts = parts;
    this.#capture = capture;
    this.#commands = commands;
    this.userId = parts.log.userId;
    this.root = parts.root;
    this.log = parts.log;
    this.contents = parts.contents;
    this.notices = parts.notices;
  }

  async *files(query: { at?: number; under?: string } = {}): AsyncGenerator<readonly FileLine[]> {
    await this.#caughtUp(query.at);
    for await (const page of this.#parts.state.tree(query)) {
      yield page.map(({ key, entry, seq }) => ({ key, entry, seq, secret: isLikelySecret(key) }));
    }
  }

  async read(key: string, at?: number): Promise<Found | undefined> {
    await this.#caughtUp(at);
    const entry = (await this.#parts.state.entries([key], at)).get(key);
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
    await this.#caughtUp();
    for (let { before } = options; ; ) {
      const versions = await this.#parts.state.history(key, { limit: PAGE, ...(before !== undefined && { before }) });
      for (const { from, to, value } of versions) {
        for await (const event of this.log.read({ from, to: from })) {
          const known = recognise(event);
          if (!known.ok) continue; // it made a version, so this one knows it
          const { ts, source, type, cause = null } = known.value;
          yield { seq: from, until: to ?? null, entry: value, ts, source, type, cause };
        }
      }
      if (versions.length < PAGE) return;
      before = versions.at(-1)?.from;
    }
  }

  async *histories(until: number): AsyncGenerator<readonly (readonly [key: string, versions: string])[]> {
    await this.#caughtUp(until);
    yield* this.#parts.state.histories(until);
  }

  async settings(at?: number): Promise<ReadonlyMap<string, Json>> {
    await this.#caughtUp(at);
    const pages = await Array.fromAsync(this.#parts.state.rows("setting", at === undefined ? {} : { at }));
    return new Map(pages.flat().map(({ key, value }) => [key, value]));
  }

  async *diff(from: number, to?: number): AsyncGenerator<readonly Change[]> {
    await this.#caughtUp(Math.max(from, to ?? 0));
    yield* this.#parts.state.diff(from, to ?? this.#parts.state.appliedSeq);
  }

  async unfinished(): Promise<{ seq: number; events: Envelope[] }> {
    await this.#caughtUp();
    const { state } = this.#parts;
    const seq = state.appliedSeq;
    const began: number[] = [];
    for (const table of ["call", "approval"] as const)
      for await (const rows of state.rows(table, { at: seq })) began.push(...rows.map((row) => row.seq));
    const events: Envelope[] = [];
    for (const from of began.sort((a, b) => a - b))
      for await (const event of this.log.read({ from, to: from })) events.push(event);
    return { seq, events };
  }

  write(key: string, source: ContentSource, options: WriteOptions = {}): Promise<Outcome> {
    return this.#act([key], options, { types: ["file.write"] }, () => writeFile(this.#parts, key, source, options));
  }

  remove(key: string, options: RemoveOptions = {}): Promise<Outcome> {
    const deed = { types: ["file.delete", "dir.delete"], key } as const;
    return this.#act([key], options, deed, () => removePath(this.#parts, key, options));
  }

  move(from: string, to: string, options: ActOptions = {}): Promise<Outcome> {
    const deed = { types: ["file.move", "dir.move"], key: from } as const;
    return this.#act([from, to], options, deed, () => movePath(this.#parts, from, to, options));
  }

  add(folder: string, to: string, options: ActOptions = {}): Promise<Outcome> {
    return this.#act([to], options, { types: ["files.changed"] }, () => addFolder(this.#parts, folder, to, options));
  }

  changeSettings(values: ReadonlyMap<string, Json>, options: ActOptions = {}): Promise<Outcome> {
    return this.#act([], options, { types: ["settings.change"] }, () => changeSettings(this.#parts, values, options));
  }

  undo(target: Target, options: UndoOptions = {}): Promise<Outcome> {
    return this.#act([], options, { types: ["undo"], target }, () => undoTarget(this.#parts, target, options));
  }

  preview(target: Target, options: PreviewOptions = {}): Promise<Preview | Refused> {
    return this.#underWay(() => previewTarget(this.#parts, target, options));
  }

  restore(key: string, at: number, options: ActOptions = {}): Promise<Outcome> {
    const deed = { types: ["file.write", "files.changed"], key } as const;
    return this.#act([key], options, deed, () => restorePath(this.#parts, key, at, options));
  }

  exec(command: CommandLine, options: ExecOptions = {}): Promise<ExecOutcome | Refused> {
    return this.#underWay(() => this.#commands.run(command, options));
  }

  stop(call: Id): void {
    this.#commands.stop(call);
  }

  answer(approval: Id, decision: Decision, options: ActOptions = {}): Promise<Outcome> {
    return this.#act([], options, { types: ["approval.given"] }, () =>
      answerApproval(this.#parts, approval, decision, options),
    );
  }

  #act(keys: readonly string[], options: ActOptions, deed: Deed, work: () => Promise<Outcome>): Promise<Outcome> {
    return this.#underWay(() => this.#try(keys, options, deed, work));
  }

  async #try(keys: readonly string[], options: ActOptions, deed: Deed, work: () => Promise<Outcome>): Promise<Outcome> {
    for (const key of keys) {
      const why = checkKey(key);
      if (why !== undefined) return { ok: false, reason: "invalid", message: `${shownPath(key)} ${why}` };
    }
    const before = await repeated(this.#parts, options, deed);
    if (before !== undefined) return before;
    const outcome = await work();
    const meanwhile = outcome.ok ? undefined : await repeated(this.#parts, options, deed); // by another try
    if (meanwhile !== undefined) return meanwhile;
    if (outcome.ok) this.#parts.packer.wake();
    this.#capture.retryLater();
    return outcome;
  }

  capture(keys?: readonly string[]): Promise<Captured> {
    return this.#underWay(() => this.#capture.take(keys));
  }

  blocked(): readonly Blocked[] {
    return this.#parts.reconciler.blocked();
  }

  unkept(): readonly Blocked[] {
    return this.#parts.reconciler.unkept();
  }

  verify(options: Watching = {}): Promise<ComputerReport> {
    return this.#underWay(() => verifyComputer(this.#parts, options));
  }

  rebuild(options: Watching = {}): Promise<{ events: number; hash: Sha256 }> {
    return this.#underWay(() => rebuildState(this.#parts, options));
  }

  async stateHash(): Promise<Sha256> {
    await this.#caughtUp();
    return this.#parts.state.hash();
  }

  exportTo(file: string, options: Watching = {}): Promise<Exported> {
    return this.#underWay(() => exportComputer(this.log, this.contents, file, options));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { turns, packer, projector, folder, opened, store } = this.#parts;
    await this.#commands.close();
    await Promise.allSettled(this.#running);
    await this.#capture.close();
    await turns.idle();
    await packer.close();
    await projector.close();
    await folder.close();
    await opened.close();
    await store.close();
  }

  async #underWay<T>(work: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** The state is as far as the log was when this was called. */
  async #caughtUp(at?: number): Promise<void> {
    this.#assertOpen();
    const { seq } = await this.log.head();
    await this.#parts.projector.reached(seq);
    if (at !== undefined && at > seq)
      throw new LogError("misuse", `the log is at ${seq}: there is no moment ${at} yet`);
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new LogError("closed", `the computer '${this.userId}' is closed`);
  }
}

const PAGE = 100;

async function* nothing(): AsyncGenerator<Uint8Array> {}
