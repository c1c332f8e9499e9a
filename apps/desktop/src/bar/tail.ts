const CHARACTERS = 400;
const LINES = 4;

/** The last lines of what a command wrote, each whole: as many as a notice has room for. */
export class Tail {
  readonly #decoder = new TextDecoder();
  #text = "";
  #isCut = false;

  add(bytes: Uint8Array): void {
    const all = this.#text + this.#decoder.decode(bytes, { stream: true });
    this.#text = all.slice(-CHARACTERS);
    this.#isCut ||= all.length > CHARACTERS;
  }

  /** With an ellipsis where there is more before it. */
  text(): string {
    const lines = this.#text
      .replace(/^\s*\n/, "")
      .trimEnd()
      .split("\n");
    const whole = this.#isCut && lines.length > 1 ? lines.slice(1) : lines; // the first may have lost its beginning
    const last = whole.slice(-LINES).join("\n");
    return this.#isCut || lines.length > LINES ? `…\n${last}` : last;
  }
}
