import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ContentRef, Envelope, Id } from "@choiros/contract";
import type { Head, Store } from "@choiros/log";
import { planned } from "./plan.ts";
import { hold } from "./promise.ts";

/** What a log owes: everything that was acknowledged, and everything that was ever seen in it. */
export class Ledger {
  readonly #events = new Map<Id, Head>();
  readonly #acknowledged = new Set<Id>();
  readonly #contents = new Map<string, ContentRef>();
  #last = NOTHING;

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Whether nothing is owed: then there need not even be a log. */
  get isEmpty(): boolean {
    return this.#events.size === 0 && this.#contents.size === 0 && this.#last.seq === 0;
  }

  wasAcknowledged(id: Id): boolean {
    return this.#acknowledged.has(id);
  }

  /** The last event that was seen in the log. */
  get last(): Head | undefined {
    return this.#last.seq === 0 ? undefined : this.#last;
  }

  acknowledge(id: Id, { seq, hash }: Head): void {
    const before = this.#events.get(id);
    hold(
      before === undefined || (before.seq === seq && before.hash === hash),
      () => `${id} was event ${before?.seq} (${before?.hash}), and was acknowledged again as ${seq} (${hash})`,
    );
    this.#events.set(id, { seq, hash });
    this.#acknowledged.add(id);
  }

  acknowledgeContent(ref: ContentRef): void {
    this.#contents.set(ref.hash, ref);
  }

  /** Reads what has come since the last look (or everything), and holds it against what is owed. */
  async check(store: Store, from: "last" | "start" = "start"): Promise<void> {
    const start = from === "start" ? 0 : this.#last.seq;
    const found = new Map<Id, Head>();
    let last: Head = start === 0 ? NOTHING : this.#last;
    for await (const event of store.log.read({ from: start + 1 })) {
      const { id, seq, hash } = event;
      hold(seq === last.seq + 1, () => `event ${seq} stands where ${last.seq + 1} should be`);
      hold(!found.has(id), () => `${id} is there twice: ${found.get(id)?.seq} and ${seq}`);
      last = { seq, hash };
      found.set(id, last);
      await checkEvent(event, store);
    }
    const head = await store.log.head();
    hold(isDeepStrictEqual(head, last), () => `the head is ${head.seq}, and the last event given out ${last.seq}`);
    hold(last.seq >= this.#last.seq, () => `the log ends at ${last.seq}, and ${this.#last.seq} was there before`);
    this.#checkOwed(found, start);
    await this.#checkContents(store);
    for (const [id, event] of found) this.#events.set(id, event); // what was seen once is owed from now on
    this.#last = last;
  }

  #checkOwed(found: ReadonlyMap<Id, Head>, start: number): void {
    for (const [id, owed] of this.#events) {
      const event = found.get(id);
      if (owed.seq <= start) {
        hold(event === undefined, () => `${id} is there twice: ${owed.seq} and ${event?.seq}`);
        continue;
      }
      hold(event !== undefined, () => `${id} was acknowledged as event ${owed.seq}, and is not in the log`);
      hold(
        isDeepStrictEqual(event, owed),
        () => `${id} was acknowledged as ${owed.seq} (${owed.hash}), and is ${event.seq} (${event.hash})`,
      );
    }
  }

  async #checkContents(store: Store): Promise<void> {
    for (const { hash, size } of this.#contents.values()) {
      hold(await store.contents.has(hash), () => `content ${hash} (${size} bytes) was acknowledged, and is not there`);
    }
  }
}

const NOTHING: Head = { seq: 0, hash: "" };

/** Whether it is what was appended. Its content was put before, so it is there, whether anybody was told or not. */
async function checkEvent(event: Envelope, store: Store): Promise<void> {
  if (event.seq === 1) {
    hold(event.type === "log.created", () => `event 1 is '${event.type}'`);
    return;
  }
  const { draft, content } = planned(event.id);
  const { id, source, type, payload, cause } = event;
  const given = { id, source, type, payload, ...(cause !== undefined && { cause }) };
  hold(isDeepStrictEqual(given, draft), () => `event ${event.seq} is not what was appended as ${id}`);
  if (content === undefined) return;
  const stored = await readContent(store, hash("sha256", content));
  hold(stored !== undefined, () => `the content that event ${event.seq} names is not there`);
  hold(stored.equals(content), () => `the content that event ${event.seq} names is not what was put`);
}

export async function readContent(store: Store, hash: string): Promise<Buffer | undefined> {
  const stream = await store.contents.get(hash);
  if (stream === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
