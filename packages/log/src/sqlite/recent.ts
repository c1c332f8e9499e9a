import type { Envelope } from "@choiros/contract";

/** An event that was just appended, in the parts it was made of. */
interface Fresh {
  readonly seq: number;
  readonly hash: string;
  readonly body: string;
}

const MAX_EVENTS = 128;
const MAX_CHARACTERS = 256 * 1024;

/**
 * The last events, for those who follow: as long as they keep up, nobody reads the file again. Who falls behind
 * reads the file. An event is made of its stored text, once, when the first one asks for it.
 */
export class Recent {
  readonly #build: (fresh: Fresh) => Envelope;
  #events: (Fresh & { event?: Envelope })[] = [];
  #characters = 0;

  constructor(build: (fresh: Fresh) => Envelope) {
    this.#build = build;
  }

  add(fresh: Fresh): void {
    this.#events.push(fresh);
    this.#characters += fresh.body.length;
    if (this.#events.length < 2 * MAX_EVENTS && this.#characters < 2 * MAX_CHARACTERS) return;
    while (this.#events.length > MAX_EVENTS || this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#events.shift()?.body.length ?? 0;
    }
  }

  /** The event with this seq, where it is recent enough. */
  get(seq: number): Envelope | undefined {
    const first = this.#events[0];
    if (first === undefined) return undefined;
    const found = this.#events[seq - first.seq];
    if (found === undefined) return undefined;
    found.event ??= frozen(this.#build(found));
    return found.event;
  }
}

/** Everyone who follows gets the same object: nobody may write to it. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
