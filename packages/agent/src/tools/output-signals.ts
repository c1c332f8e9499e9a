import type { Cause } from "@choiros/contract";
import type { Signals } from "@choiros/log";

/** No signal is longer; and no more often than this one is sent. */
const MOST_CHARACTERS = 4096; // 16 KB at most, whatever characters they are
const EVERY_MS = 50;

/** Tells what a command says as it comes. Where that is much, the last of it: the whole is kept elsewhere. */
export class OutputSignals {
  readonly #signals: Signals;
  readonly #cause: Cause;
  readonly #streams = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  readonly #waiting = { stdout: "", stderr: "" };
  #timer: NodeJS.Timeout | undefined;

  constructor(signals: Signals, cause: Cause) {
    this.#signals = signals;
    this.#cause = cause;
  }

  take(from: "stdout" | "stderr", bytes: Uint8Array): void {
    const text = this.#waiting[from] + this.#streams[from].decode(bytes, { stream: true });
    this.#waiting[from] = text.slice(-MOST_CHARACTERS);
    this.#timer ??= setTimeout(() => this.#send(), EVERY_MS);
  }

  end(): void {
    this.#send();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const from of ["stdout", "stderr"] as const) {
      const text = this.#waiting[from].toWellFormed();
      this.#waiting[from] = "";
      if (text !== "") this.#signals.send({ type: "tool.output", cause: this.#cause, payload: { from, text } });
    }
  }
}
