import { type Id, type Json, parentKey, type Sha256, type Target, type WindowValue } from "@choiros/contract";
import { type ContentSource, LogError } from "@choiros/log";
import { addFolder } from "./actions/add-folder.ts";
import { answerApproval, type Decision } from "./actions/answer-approval.ts";
import { arrangePaths, keysOf } from "./actions/arrange-paths.ts";
import { changeSettings } from "./actions/change-settings.ts";
import { changeWindows, type WindowAct } from "./actions/change-windows.ts";
import { removePath } from "./actions/remove-path.ts";
import { repeated, type Trace } from "./actions/repeated.ts";
import { restorePath } from "./actions/restore-path.ts";
import { say } from "./actions/say.ts";
import { type Settled, settleAsk } from "./actions/settle-ask.ts";
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
  Deed,
  Exported,
  RemoveOptions,
  SayOptions,
  Watching,
  WriteOptions,
} from "./computer-port.ts";
import type { Blocked, Outcome, Preview, Refused } from "./outcome.ts";
import { type LocalParts, ReadableComputer } from "./readable-computer.ts";
import { shownPath } from "./shown-path.ts";
import { exportComputer } from "./transfer/export-computer.ts";
import { rebuildState, verifyComputer } from "./verify-computer.ts";

/** A computer on this machine, with its folder. */
export class LocalComputer extends ReadableComputer implements Computer {
  readonly #capture: Capture;
  readonly #commands: Commands;
  /** What was asked for and isn't done, which closing waits for. */
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(parts: LocalParts, capture: Capture, commands: Commands) {
    super(parts);
    this.#capture = capture;
    this.#commands = commands;
  }

  write(key: string, source: ContentSource, options: WriteOptions = {}): Promise<Outcome> {
    const trace = { types: ["file.write"], keys: [key, parentKey(key) ?? ""] } as const; // it may stand beside
    return this.#act([key], options, trace, () => writeFile(this.parts, key, source, options));
  }

  remove(key: string, options: RemoveOptions = {}): Promise<Outcome> {
    const trace = { types: ["file.delete", "dir.delete"], keys: [key] } as const;
    return this.#act([key], options, trace, () => removePath(this.parts, key, options));
  }

  move(from: string, to: string, options: ActOptions = {}): Promise<Outcome> {
    const trace = { types: ["file.move", "dir.move"], keys: [from] } as const;
    return this.#act([from, to], options, trace, () => arrangePaths(this.parts, [{ move: { from, to } }], options));
  }

  arrange(deeds: readonly Deed[], options: ActOptions = {}): Promise<Outcome> {
    const keys = deeds.flatMap(keysOf);
    return this.#act(keys, options, { types: ARRANGED, keys }, () => arrangePaths(this.parts, deeds, options));
  }

  add(folder: string, to: string, options: ActOptions = {}): Promise<Outcome> {
    return this.#act([to], options, { types: ["files.changed"] }, () => addFolder(this.parts, folder, to, options));
  }

  changeSettings(values: ReadonlyMap<string, Json>, options: ActOptions = {}): Promise<Outcome> {
    return this.#act([], options, { types: ["settings.change"] }, () => changeSettings(this.parts, values, options));
  }

  changeWindows(
    as: WindowAct,
    windows: ReadonlyMap<string, WindowValue | null>,
    options: ActOptions = {},
  ): Promise<Outcome> {
    const trace = { types: [`window.${as}`] } as const;
    return this.#act([], options, trace, () => changeWindows(this.parts, as, windows, options));
  }

  say(text: string, options: SayOptions = {}): Promise<Outcome> {
    return this.#act(options.paths ?? [], options, { types: ["message"] }, () => say(this.parts, text, options));
  }

  undo(target: Target, options: UndoOptions = {}): Promise<Outcome> {
    return this.#act([], options, { types: ["undo"], target }, () => undoTarget(this.parts, target, options));
  }

  preview(target: Target, options: PreviewOptions = {}): Promise<Preview | Refused> {
    return this.#underWay(() => previewTarget(this.parts, target, options));
  }

  restore(key: string, at: number, options: ActOptions = {}): Promise<Outcome> {
    const trace = { types: ["file.write", "files.changed"], keys: [key] } as const;
    return this.#act([key], options, trace, () => restorePath(this.parts, key, at, options));
  }

  exec(command: CommandLine, options: ExecOptions = {}): Promise<ExecOutcome | Refused> {
    return this.#underWay(() => this.#commands.run(command, options));
  }

  spoken(call: Id): AsyncIterable<Uint8Array> | undefined {
    return this.#commands.spoken(call);
  }

  stop(call: Id): void {
    this.#commands.stop(call);
  }

  answer(approval: Id, decision: Decision, options: ActOptions = {}): Promise<Outcome> {
    return this.#act([], options, { types: ["approval.given"] }, () =>
      answerApproval(this.parts, approval, decision, options),
    );
  }

  settleAsk(ask: Id, as: Settled, options: ActOptions = {}): Promise<Outcome> {
    return this.#act([], options, { types: [`ask.${as}`] }, () => settleAsk(this.parts, ask, as, options));
  }

  #act(keys: readonly string[], options: ActOptions, trace: Trace, work: () => Promise<Outcome>): Promise<Outcome> {
    return this.#underWay(() => this.#try(keys, options, trace, work));
  }

  async #try(
    keys: readonly string[],
    options: ActOptions,
    trace: Trace,
    work: () => Promise<Outcome>,
  ): Promise<Outcome> {
    for (const key of keys) {
      const why = checkKey(key);
      if (why !== undefined) return { ok: false, reason: "invalid", message: `${shownPath(key)} ${why}` };
    }
    const before = await repeated(this.parts, options, trace);
    if (before !== undefined) return before;
    const outcome = await work();
    const meanwhile = outcome.ok ? undefined : await repeated(this.parts, options, trace); // by another try
    if (meanwhile !== undefined) return meanwhile;
    if (outcome.ok) this.parts.packer.wake();
    this.#capture.retryLater();
    return outcome;
  }

  capture(keys?: readonly string[]): Promise<Captured> {
    return this.#underWay(() => this.#capture.take(keys));
  }

  blocked(): readonly Blocked[] {
    return this.parts.reconciler.blocked();
  }

  unkept(): readonly Blocked[] {
    return this.parts.reconciler.unkept();
  }

  verify(options: Watching = {}): Promise<ComputerReport> {
    return this.#underWay(() => verifyComputer(this.parts, options));
  }

  rebuild(options: Watching = {}): Promise<{ events: number; hash: Sha256 }> {
    return this.#underWay(() => rebuildState(this.parts, options));
  }

  async stateHash(): Promise<Sha256> {
    await this.caughtUp();
    return this.parts.state.hash();
  }

  exportTo(file: string, options: Watching = {}): Promise<Exported> {
    return this.#underWay(() => exportComputer(this.log, this.contents, file, options));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { turns, packer, projector, folder, opened, store } = this.parts;
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
    this.assertOpen();
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  protected assertOpen(): void {
    if (this.#closing !== undefined) throw new LogError("closed", `the computer '${this.userId}' is closed`);
  }
}

/** What an arrangement may be told as. */
const ARRANGED = [
  ...(["file.move", "dir.move", "file.write", "dir.create"] as const),
  ...(["file.delete", "dir.delete", "files.changed"] as const),
];
