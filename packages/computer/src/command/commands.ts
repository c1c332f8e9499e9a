import { type Id, newId } from "@choiros/contract";
import type { Opened, Sandbox } from "@choiros/sandbox";
import type { Refused } from "../outcome.ts";
import { Arrivals } from "./arrivals.ts";
import type { CommandLine, ExecOptions, ExecOutcome } from "./command.ts";
import type { CommandParts } from "./ground.ts";
import { runCommand } from "./run-command.ts";
import { Spoken } from "./spoken.ts";

/** The commands of one computer, and the sandbox that they run in. */
export class Commands {
  readonly #parts: Omit<CommandParts, "sandbox" | "arrivals" | "clearLater">;
  readonly #open: (() => Promise<Opened>) | undefined;
  readonly #arrivals = new Arrivals();
  readonly #clearing = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #running = new Set<{ readonly call: Id; readonly spoken: Spoken; readonly stop: AbortController }>();
  #opened: Promise<Opened> | undefined;

  constructor(
    parts: Omit<CommandParts, "sandbox" | "arrivals" | "clearLater">,
    open: (() => Promise<Opened>) | undefined,
  ) {
    this.#parts = parts;
    this.#open = open;
  }

  async run(command: CommandLine, options: ExecOptions): Promise<ExecOutcome | Refused> {
    const sandbox = await this.#sandbox();
    if ("ok" in sandbox) return sandbox;
    const call = options.cause?.call ?? newId();
    const spoken = new Spoken();
    const running = { call, spoken, stop: new AbortController() };
    const signals = [this.#stopping.signal, running.stop.signal, ...(options.signal ? [options.signal] : [])];
    const clearLater = (clearing: Promise<void>) => {
      this.#clearing.add(clearing);
      void clearing.finally(() => this.#clearing.delete(clearing)); // it never fails
    };
    const parts = { ...this.#parts, sandbox, arrivals: this.#arrivals, clearLater };
    this.#running.add(running);
    try {
      const onOutput: ExecOptions["onOutput"] = (output) => {
        spoken.add(output.bytes);
        return options.onOutput?.(output);
      };
      const own = { ...options, cause: { ...options.cause, call }, onOutput, signal: AbortSignal.any(signals) };
      const outcome = await runCommand(parts, command, own);
      this.#parts.capture.retryLater();
      return outcome;
    } finally {
      this.#running.delete(running);
      spoken.end();
    }
  }

  spoken(call: Id): AsyncIterable<Uint8Array> | undefined {
    return [...this.#running].find((one) => one.call === call)?.spoken.pieces();
  }

  stop(call: Id): void {
    for (const one of this.#running) if (one.call === call) one.stop.abort(new Error("it was stopped"));
  }

  /** Ends what runs. */
  async close(): Promise<void> {
    this.#stopping.abort(new Error("the computer was closed"));
    const opened = await this.#opened?.catch(() => undefined); // whoever asked for it was told
    if (opened?.ok) await opened.sandbox.close();
    await Promise.all(this.#clearing);
  }

  /** Asked for again where it could not be opened: somebody may have installed what was missing. */
  async #sandbox(): Promise<Sandbox | Refused> {
    if (this.#open === undefined) return { ok: false, reason: "missing", message: "this computer has no sandbox" };
    this.#opened ??= this.#open();
    try {
      const opened = await this.#opened;
      if (opened.ok) return opened.sandbox;
      this.#opened = undefined;
      return { ok: false, reason: "missing", message: opened.message };
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }
}
