/** Lines of a text as a model is shown them. */
export interface TextLines {
  /** Numbered. */
  readonly text: string;
  readonly shown: number;
  /** The number of the first line that isn't shown; `undefined` where all are. */
  readonly next?: number;
  /** Whether a line of it is so long that only its beginning is shown. */
  readonly hasCut: boolean;
}

export interface LinesOptions {
  /** The number of the first line, from 1. */
  readonly offset?: number;
  readonly limit?: number;
  /** Ends the reading: a line that is wanted may be far away. */
  readonly signal?: AbortSignal;
}

export const MOST_LINES = 2000;
export const MOST_TEXT_BYTES = 64 * 1024;
const MOST_LINE = 2000;

/** Reads no further than what is shown. `undefined` where it isn't text: it isn't UTF-8, or holds a NUL. */
export async function textLines(
  bytes: AsyncIterable<Uint8Array>,
  { offset = 1, limit = MOST_LINES, signal }: LinesOptions = {},
): Promise<TextLines | undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const page = new Page(offset, Math.min(limit, MOST_LINES));
  try {
    for await (const chunk of bytes) {
      signal?.throwIfAborted();
      if (chunk.includes(0)) return undefined;
      if (!page.take(decoder.decode(chunk, { stream: true }))) return page.result();
    }
    page.take(decoder.decode());
  } catch (error) {
    if (error instanceof TypeError) return undefined; // what a decoder throws for bytes that are no text
    throw error;
  }
  return page.end();
}

class Page {
  readonly #offset: number;
  readonly #limit: number;
  readonly #lines: string[] = [];
  #number = 1;
  #line = "";
  #cut = 0;
  #size = 0;
  #full = false;
  #hasCut = false;

  constructor(offset: number, limit: number) {
    this.#offset = offset;
    this.#limit = limit;
  }

  /** Whether there is room for more. */
  take(text: string): boolean {
    let at = 0;
    for (let feed = text.indexOf("\n"); feed >= 0 && !this.#full; feed = text.indexOf("\n", at)) {
      this.#add(text.slice(at, feed));
      this.#endLine();
      at = feed + 1;
    }
    if (!this.#full) this.#add(text.slice(at));
    return !this.#full;
  }

  end(): TextLines {
    if (this.#line !== "" || this.#cut > 0) this.#endLine();
    return this.result();
  }

  result(): TextLines {
    const shown = this.#lines.length;
    const text = this.#lines.join("\n");
    return { text, shown, hasCut: this.#hasCut, ...(this.#full && { next: this.#offset + shown }) };
  }

  #add(piece: string): void {
    const room = Math.max(0, MOST_LINE - this.#line.length);
    this.#line += piece.slice(0, room);
    this.#cut += Math.max(0, piece.length - room);
  }

  #endLine(): void {
    const isCut = this.#cut > 0;
    const cut = isCut ? ` … (${this.#cut} characters more in this line)` : "";
    const line = `${String(this.#number).padStart(6)}\t${this.#line.replace(/\r$/, "")}${cut}`;
    this.#line = "";
    this.#cut = 0;
    if (this.#number++ < this.#offset) return;
    this.#size += Buffer.byteLength(line) + 1;
    if (this.#lines.length >= this.#limit || this.#size > MOST_TEXT_BYTES) this.#full = true;
    else {
      this.#lines.push(line);
      this.#hasCut ||= isCut;
    }
  }
}
