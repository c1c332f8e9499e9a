import {
  type AskValue,
  type Draft,
  Envelope,
  factsOf,
  isOver,
  isPaused,
  type Json,
  recognise,
} from "@choiros/contract";
import type { RestoredEvent } from "@choiros/log";

/** Only these say something of an ask; most events needn't be read for it. */
const ABOUT_ASKS = /"type":"(?:message|ask\.[a-z]+)","v":\d+\}$/;

const DETAIL =
  "It came with an import, and nothing of that goes on by itself. Resume it to go on from there, undo it, or leave it as it is.";

/** The asks of a log that is read from its first event on. */
export class PendingAsks {
  readonly #asks = new Map<string, Json>();

  /** The same events, as they pass by. */
  async *heard(events: AsyncIterable<RestoredEvent>): AsyncGenerator<RestoredEvent> {
    for await (const event of events) {
      if (ABOUT_ASKS.test(event.body)) this.#hear(event);
      yield event;
    }
  }

  /** Those that would be gone on with are paused: who imports something has not asked for it. */
  pauses(): Draft[] {
    return [...this.#asks].flatMap(([ask, value]) => {
      const { conversation, status } = value as AskValue; // as the contract's reducer made it
      if (isOver(status) || isPaused(status)) return [];
      const cause = { ask, ...(conversation !== null && { conversation }) };
      return [{ source: "system", type: "ask.paused", cause, payload: { detail: DETAIL, why: "interrupted" } }];
    });
  }

  /** What is no event is told by whoever takes them all in. */
  #hear({ body, hash }: RestoredEvent): void {
    const event = Envelope.safeParse({ ...Object(jsonOf(body)), hash, user_id: "import" });
    const known = event.success ? recognise(event.data) : undefined;
    if (known?.ok !== true) return;
    const facts = factsOf(known.value, [], (table, key) => (table === "ask" ? this.#asks.get(key) : undefined));
    for (const fact of facts) if (fact.table === "ask") this.#asks.set(fact.key, fact.value);
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
