import { TextDecoder } from "node:util";
import type { Terminal } from "./command.ts";
import { plain } from "./plain.ts";

/**
 * Hands on what a command writes: to a program every byte; to a screen as text, with what it would obey written out. With
 * `json`, all of it goes to the side.
 */
export class Passing {
  readonly #out: Way;
  readonly #aside: Way;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal;
    this.#aside = new Way((bytes) => terminal.asideBytes(bytes), terminal.asideScreen);
    this.#out = json ? this.#aside : new Way((bytes) => terminal.outBytes(bytes), terminal.screen);
  }

  output(bytes: Uint8Array): Promise<void> {
    return this.#out.pass(bytes);
  }

  aside(bytes: Uint8Array): Promise<void> {
    return this.#aside.pass(bytes);
  }

  /** Whether what is said next would stand behind something else. */
  get midLine(): boolean {
    return this.#aside.open || (this.#terminal.screen && this.#out.open);
  }

  /** What is said next begins on a line of its own. */
  async end(): Promise<void> {
    await this.#out.flush();
    await this.#aside.flush();
    if (this.midLine) await this.#terminal.asideBytes(Buffer.from("\n"));
  }
}

class Way {
  /** Whether the last line has no end yet. */
  open = false;
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #decoder: TextDecoder | undefined;

  constructor(write: (bytes: Uint8Array) => Promise<void>, screen: boolean) {
    this.#write = write;
    this.#decoder = screen ? new TextDecoder() : undefined;
  }

  async pass(bytes: Uint8Array): Promise<void> {
    await this.#send(this.#decoder === undefined ? bytes : disarmed(this.#decoder.decode(bytes, { stream: true })));
  }

  /** The beginning of a character that never came whole. */
  async flush(): Promise<void> {
    if (this.#decoder !== undefined) await this.#send(disarmed(this.#decoder.decode()));
  }

  async #send(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.open = bytes.at(-1) !== NEWLINE;
    await this.#write(bytes);
  }
}

const NEWLINE = 10;

/** Lines, tabs, and the ends of lines of other systems stay what they are. */
function disarmed(text: string): Uint8Array {
  return Buffer.from(text.replace(/[^\t\n]+/g, (piece) => plain(piece.replace(/\r$/, ""))));
}
