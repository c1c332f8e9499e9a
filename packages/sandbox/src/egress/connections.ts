import type { Connection } from "./connection.ts";

/** Of refusals, so many different ones are told in so much time; the others are counted. */
const MAX_KINDS = 20;
const FOLD_MS = 60_000;

/** Tells of each connection; of refusals that repeat, once, and how often later: a flood makes no flood of receipts. */
export class Connections {
  readonly #tell: (connection: Connection) => void;
  readonly #folded = new Map<string, Connection>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (connection: Connection) => void) {
    this.#tell = tell;
  }

  tell(connection: Connection): void {
    if (connection.allowed) this.#tell(connection);
    else this.#fold({ ...connection, host: legible(connection.host) });
  }

  /** Tells of what was only counted so far. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const folded = [...this.#folded.values()];
    this.#folded.clear();
    for (const connection of folded) if (connection.times !== 0) this.#tell(connection);
  }

  #fold(plain: Connection): void {
    this.#timer ??= setTimeout(() => this.flush(), FOLD_MS).unref();
    const own = JSON.stringify([plain.host, plain.port, plain.why]);
    if (!this.#folded.has(own) && this.#folded.size < MAX_KINDS) {
      this.#folded.set(own, { ...plain, times: 0 });
      this.#tell(plain);
      return;
    }
    const key = this.#folded.has(own) ? own : "others";
    const folded = this.#folded.get(key) ?? { ...plain, host: "(others)", why: "many different ones were refused" };
    this.#folded.set(key, { ...folded, times: (folded.times ?? 0) + 1 });
  }
}

/** What was asked for may be anything at all, and goes into a log that people read. */
function legible(host: string): string {
  const text = host.replace(/[^\x21-\x7e]/g, "?").slice(0, 253);
  return text === "" ? "(none)" : text;
}
