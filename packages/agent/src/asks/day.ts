import type { Computer } from "@choiros/computer";
import { type Payload, recognise } from "@choiros/contract";
import { type Guess, Spent } from "../loop/meter.ts";
import { writtenBy } from "../loop/written.ts";

/** What agents used today on this computer, as the log has it. */
export class Day {
  readonly #computer: Computer;
  readonly #now: () => Date;
  #date = "";
  #spent = new Spent();
  #recalled: Promise<void> | undefined;

  constructor(computer: Computer, now: () => Date = () => new Date()) {
    this.#computer = computer;
    this.#now = now;
  }

  /** Begins anew at midnight. */
  get spent(): Spent {
    if (this.#date !== this.#now().toDateString()) {
      this.#date = this.#now().toDateString();
      this.#spent = new Spent();
    }
    return this.#spent;
  }

  /** Takes up what was used before this process began, once: it reads all that agents did today. */
  recalled(): Promise<void> {
    this.#recalled ??= this.#recall().catch((error) => {
      this.#recalled = undefined; // the next one tries again
      throw error;
    });
    return this.#recalled;
  }

  async #recall(): Promise<void> {
    const midnight = this.#now();
    midnight.setHours(0, 0, 0, 0);
    const spent = new Spent();
    const from = await this.#firstSince(midnight.toISOString());
    const began = new Map<string, number>();
    const held = new Map<string, number>();
    for await (const event of this.#computer.log.read({ from, sources: ["agent"] })) {
      const known = recognise(event);
      if (!known.ok) continue;
      const { cause, payload, ts, type } = known.value;
      if (type === "model.call") {
        spent.pay(payload, guessOf(payload, `${payload.role} ${cause?.task ?? cause?.ask}`, held));
        spent.seconds += payload.duration_ms / 1000;
      }
      const written = await writtenBy(this.#computer, known.value);
      if (written !== undefined) spent.wrote(written);
      if (cause?.call === undefined) continue;
      if (type === "tool.call") began.set(cause.call, Date.parse(ts));
      const since = began.get(cause.call);
      if (type === "tool.result" && since !== undefined) spent.seconds += (Date.parse(ts) - since) / 1000;
    }
    this.#date = this.#now().toDateString();
    this.#spent = spent;
  }

  async #firstSince(moment: string): Promise<number> {
    const { log } = this.#computer;
    let [low, high] = [1, (await log.head()).seq + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [mark] = await log.marks([middle]);
      if (mark !== undefined && mark.ts < moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** About so many bytes are a token. */
const BYTES_PER_TOKEN = 4;

/** What was said before goes to the model with each call: the log has of each only what was new. `held` is by conversation. */
function guessOf({ request, response }: Payload<"model.call">, of: string, held: Map<string, number>): Guess {
  if (response === null) return { in: 0, out: 0 };
  const sent = (held.get(of) ?? 0) + request.size;
  held.set(of, sent + response.size);
  return { in: Math.ceil(sent / BYTES_PER_TOKEN), out: Math.ceil(response.size / BYTES_PER_TOKEN) };
}
