const CHARACTERS = 400;
const LINES = 4;

/** The last lines of what a command wrote: as many as a notice has room for. */
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
    const lines = this.#text.trim().split("\n");
    const last = lines.slice(-LINES).join("\n");
    return this.#isCut || lines.length > LINES ? `…\n${last}` : last;
  }
}
