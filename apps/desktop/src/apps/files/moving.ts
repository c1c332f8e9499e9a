import { Watched } from "../../watched.ts";

/** Something on its way, up to the computer or down from it. */
export interface Transfer {
  readonly id: number;
  readonly way: "up" | "down";
  /** The file that is moved. */
  readonly now: string;
  readonly bytes: number;
  readonly total: number;
  readonly files: number;
  readonly count: number;
  /** Somebody stopped it, and what has gone out whole isn't answered yet. */
  readonly stopping: boolean;
  stop(): void;
}

/** What is on its way, in this page: windows come and go meanwhile. */
export const transfers = new Watched<readonly Transfer[]>([]);
let last = 0;

/** Tells how far one of them is, and hears when somebody stops it. */
export class Moving {
  readonly #id = ++last;
  readonly #stopped = new AbortController();
  readonly #way: Transfer["way"];
  #total = 0;
  #count = 0;
  #now = "";
  /** Of files that have come whole, and of each that is on its way. */
  #bytes = 0;
  readonly #partly = new Map<string, number>();
  #files = 0;
  /** Set while it waits to be told, and for good at the end. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(way: Transfer["way"]) {
    this.#way = way;
    this.#tell();
  }

  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** How many came whole. */
  get files(): number {
    return this.#files;
  }

  expect(count: number, bytes: number): void {
    this.#count += count;
    this.#total += bytes;
    this.#tell();
  }

  /** One file, from its beginning to its end. */
  async carry<Result>(
    name: string,
    size: number,
    how: (told: (bytes: number) => void) => Promise<Result>,
  ): Promise<Result> {
    this.signal.throwIfAborted();
    this.#now = name;
    const key = `${name} ${this.#files} ${this.#partly.size}`;
    const told = (bytes: number) => {
      this.#partly.set(key, Math.min(bytes, size));
      this.#tell();
    };
    try {
      told(0);
      const result = await how(told);
      this.#files++;
      this.#bytes += size;
      return result;
    } finally {
      this.#partly.delete(key);
      this.#tell();
    }
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    transfers.set(transfers.get().filter(({ id }) => id !== this.#id));
  }

  /** Once in a while: thousands of files may come in a second. */
  #tell(): void {
    if (this.#ended || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#show();
    }, DRAW_MS);
  }

  #show(): void {
    const bytes = [...this.#partly.values()].reduce((sum, part) => sum + part, this.#bytes);
    const transfer: Transfer = {
      ...{ id: this.#id, way: this.#way, now: this.#now, bytes, total: this.#total },
      ...{ files: this.#files, count: this.#count, stopping: this.signal.aborted },
      stop: () => {
        this.#stopped.abort(new Error("It was stopped."));
        this.#tell();
      },
    };
    transfers.set(
      [...transfers.get().filter(({ id }) => id !== this.#id), transfer].sort((one, two) => one.id - two.id),
    );
  }
}

const DRAW_MS = 60;
