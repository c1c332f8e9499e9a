import { createWriteStream, fstatSync, openSync, renameSync, type WriteStream } from "node:fs";

const MB = 1024 * 1024;

/** Beyond so much it is begun anew, and what was there is kept until the next time. */
const MOST_BYTES = 10 * MB;

/** A disk that stands still holds up nobody, and fills no memory: lines beyond so much are left out. */
const MOST_WAITING = MB;

/** The lines of the server's log, for its owner alone, in a file that never needs to be looked after. */
export class LogFile {
  readonly #path: string;
  readonly #tell: (sentence: string) => void;
  readonly #mostBytes: number;
  #stream: WriteStream | undefined;
  #size = 0;
  #told = false;
  #closed = false;

  constructor(path: string, tell: (sentence: string) => void, mostBytes: number = MOST_BYTES) {
    this.#path = path;
    this.#tell = tell;
    this.#mostBytes = mostBytes;
  }

  /** What can't be written is told once: for want of a log nobody is turned away. */
  write(line: string): void {
    if (this.#closed) return;
    try {
      const stream = this.#stream ?? this.#open();
      if (stream.writableLength > MOST_WAITING) return;
      stream.write(line);
      this.#size += Buffer.byteLength(line);
      if (this.#size >= this.#mostBytes) this.#turn(stream);
    } catch (error) {
      this.#fail(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const stream = this.#stream;
    if (stream !== undefined) await new Promise<void>((resolve) => stream.once("close", () => resolve()).end());
  }

  #open(): WriteStream {
    const fd = openSync(this.#path, "a", 0o600);
    const stream = createWriteStream(this.#path, { fd });
    stream.on("error", (error) => {
      if (this.#stream === stream) this.#stream = undefined; // the next line tries again
      this.#fail(error);
    });
    this.#size = fstatSync(fd).size;
    this.#stream = stream;
    return stream;
  }

  #turn(stream: WriteStream): void {
    this.#stream = undefined;
    stream.end(); // what waits goes to the same file, whatever its name
    renameSync(this.#path, `${this.#path}.1`);
  }

  #fail(error: unknown): void {
    if (this.#told) return;
    this.#told = true;
    this.#tell(`the log ${this.#path} can't be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
