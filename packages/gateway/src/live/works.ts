import { createHash } from "node:crypto";
import type { Progress } from "@choiros/computer";
import type { Id, UserId } from "@choiros/contract";
import { type Operation, OperationError, type Place } from "../operations/index.ts";

/** Whoever wants to hear what a work says while it goes on. */
export interface Hearer {
  item(value: unknown): Promise<void>;
  output(bytes: Uint8Array, aside: boolean): Promise<void>;
  progress(progress: Progress): void;
}

export interface Order {
  readonly id: Id;
  readonly operation: Operation<unknown, unknown, unknown>;
  readonly place: Place;
  readonly request: unknown;
  /** The session in whose name it is done. */
  readonly session: string;
}

interface Started {
  readonly what: string;
  readonly session: string;
  readonly stop: AbortController;
  readonly hearers: Set<Hearer>;
  readonly said: unknown[];
  answer: Promise<unknown>;
}

/** So much of what one said is said again to whoever joins it; the log has it all. */
const MOST_SAID = 1000;

/**
 * The commands that change something and are under way. They outlive the socket they came by: whoever lost it comes back,
 * sends the same id, and hears how it ends. What is over is in the log, by the same id.
 */
export class Works {
  readonly #started = new Map<string, Started>();

  /** Starts it; or joins it, where it is under way. Rejects as the operation does. */
  do(order: Order, hearer: Hearer): Promise<unknown> {
    const name = nameOf(order.place.userId, order.id);
    const what = fingerprint(order);
    const known = this.#started.get(name);
    if (known === undefined) return this.#start(name, what, order, hearer);
    if (known.what !== what) throw new OperationError(`another command with the id ${order.id} is under way`);
    known.hearers.add(hearer);
    for (const value of known.said) void hearer.item(value);
    return known.answer;
  }

  stop(computer: UserId, id: Id): void {
    this.#started.get(nameOf(computer, id))?.stop.abort();
  }

  /** What was begun in the name of a session that is over ends with it. */
  endOf(session: string): void {
    for (const started of this.#started.values()) if (started.session === session) started.stop.abort();
  }

  close(): void {
    for (const { stop } of this.#started.values()) stop.abort();
  }

  #start(
    name: string,
    what: string,
    { id, operation, place, request, session }: Order,
    first: Hearer,
  ): Promise<unknown> {
    const hearers = new Set([first]);
    const said: unknown[] = [];
    const stop = new AbortController();
    const all = async (tell: (hearer: Hearer) => Promise<void>) => void (await Promise.all([...hearers].map(tell)));
    const answer = operation.run(place, request, {
      id,
      input: NOTHING,
      signal: stop.signal,
      output: (bytes) => all((hearer) => hearer.output(bytes, false)),
      aside: (bytes) => all((hearer) => hearer.output(bytes, true)),
      item(value) {
        if (said.length < MOST_SAID) said.push(value);
        return all((hearer) => hearer.item(value));
      },
      progress: (progress) => hearers.forEach((hearer) => void hearer.progress(progress)),
    });
    const over = answer.finally(() => this.#started.delete(name));
    this.#started.set(name, { what, session, stop, hearers, said, answer: over });
    return over;
  }
}

export const NOTHING: AsyncIterable<Uint8Array> = (async function* () {})();

function nameOf(computer: UserId, id: Id): string {
  return `${computer}/${id}`;
}

function fingerprint({ operation, request }: Order): string {
  return createHash("sha256")
    .update(JSON.stringify([operation.name, request]))
    .digest("base64");
}
