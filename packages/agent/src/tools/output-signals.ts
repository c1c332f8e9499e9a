import type { Cause } from "@choiros/contract";
import type { Signals } from "@choiros/log";
import { amount } from "../loop/meter.ts";

/** No signal is longer, and of that a line may say what is left out; no more often than this one is sent. */
const MOST_CHARACTERS = 4096; // 16 KB at most, whatever characters they are
const MOST_SAID = MOST_CHARACTERS - 96;
const EVERY_MS = 50;

/** What wasn't sent yet. */
interface Waiting {
  text: string;
  /** Before it, and not sent at all. */
  leftLines: number;
  leftCharacters: number;
}

/** Tells what a command says as it comes. Where that is much, the last lines of it, and how many aren't told. */
export class OutputSignals {
  readonly #signals: Signals;
  readonly #cause: Cause;
  readonly #streams = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  readonly #waiting = { stdout: nothing(), stderr: nothing() };
  /** Whether what was told last ended within a line. */
  #midLine = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(signals: Signals, cause: Cause) {
    this.#signals = signals;
    this.#cause = cause;
  }

  take(from: "stdout" | "stderr", bytes: Uint8Array): void {
    const waiting = this.#waiting[from];
    const text = waiting.text + this.#streams[from].decode(bytes, { stream: true });
    const at = text.length > MOST_SAID ? lineFrom(text, text.length - MOST_SAID) : 0;
    waiting.text = text.slice(at);
    waiting.leftCharacters += at;
    waiting.leftLines += text.slice(0, at).split("\n").length - 1;
    this.#timer ??= setTimeout(() => this.#send(), EVERY_MS);
  }

  end(): void {
    this.#send();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const from of ["stdout", "stderr"] as const) {
      const waiting = this.#waiting[from];
      if (waiting.text === "") continue;
      const text = (this.#mark(waiting) + waiting.text).toWellFormed();
      this.#waiting[from] = nothing();
      this.#midLine = !text.endsWith("\n");
      this.#signals.send({ type: "tool.output", cause: this.#cause, payload: { from, text } });
    }
  }

  #mark({ leftCharacters, leftLines }: Waiting): string {
    if (leftCharacters === 0) return "";
    const left = leftLines > 0 ? amount(leftLines, "line") : amount(leftCharacters, "character");
    return `${this.#midLine ? "\n" : ""}… ${left} left out here: the log has all of it …\n`;
  }
}

function nothing(): Waiting {
  return { text: "", leftLines: 0, leftCharacters: 0 };
}

/** The beginning of a line from there on; of a long one, some of it is told. */
function lineFrom(text: string, least: number): number {
  const feed = text.indexOf("\n", least - 1);
  return feed === -1 || feed === text.length - 1 ? least : feed + 1;
}
