import { createHash } from "node:crypto";
import { body, type Draft, type Envelope, FIRST_PREVIOUS, link } from "@choiros/contract";
import { expect } from "vitest";
import type { Appended, Head, Query } from "../log.ts";
import { range, seqs } from "./drafts.ts";
import type { Plan } from "./plans.ts";

export interface Tried {
  readonly plan: Plan;
  readonly draft: Draft;
  readonly expectedSeq: number | undefined;
  readonly answer: Appended;
}

/** What a log is, without any of what makes one hard: a list in memory. Holds what an engine answered against it. */
export class Model {
  #events: Envelope[];

  constructor(events: readonly Envelope[]) {
    this.#events = [...events];
  }

  get head(): Head {
    const { seq = 0, hash = "" } = this.#events.at(-1) ?? {};
    return { seq, hash };
  }

  /** Takes in a burst of appends that were made at the same time: in whatever order, each answer must be right. */
  take(burst: readonly Tried[]): void {
    const before = this.head.seq;
    const added = burst.flatMap(({ draft, answer }) => (answer.ok && !answer.repeated ? [{ draft, answer }] : []));
    added.sort((a, b) => a.answer.seq - b.answer.seq);
    expect(added.map(({ answer }) => answer.seq)).toEqual(range(before + 1, before + added.length));
    for (const { draft, answer } of added) {
      const { seq, hash, id, ts } = answer;
      expect(this.#byId(id)).toBeUndefined();
      this.#events.push({ ...draft, v: 1, id, seq, ts, hash, user_id: "ada" } as Envelope); // a draft with its place is one
    }
    for (const tried of burst) this.#judge(tried, before);
  }

  #judge({ plan, expectedSeq, answer }: Tried, before: number): void {
    const refused = plan.kind === "invalid" || plan.kind === "too-large";
    if (refused) {
      expect(answer).toMatchObject({ ok: false, reason: plan.kind });
      return;
    }
    const named = plan.id === undefined ? undefined : this.#byId(plan.id);
    if (answer.ok) {
      if (plan.id !== undefined) {
        const { id, seq, hash, ts } = named ?? {};
        expect(answer).toMatchObject({ id, seq, hash, ts });
      }
      if (!answer.repeated && expectedSeq !== undefined) expect(answer.seq).toBe(expectedSeq + 1);
      return;
    }
    if (answer.reason !== "conflict") throw new Error(`a good draft was refused: ${answer.message}`);
    expect(answer.head.seq).not.toBe(expectedSeq);
    expect(answer.head.seq).toBeGreaterThanOrEqual(before);
    expect(answer.head.hash).toBe(this.#events[answer.head.seq - 1]?.hash);
    expect(named?.seq ?? Number.POSITIVE_INFINITY).toBeGreaterThan(answer.head.seq); // else it was a repetition
  }

  #byId(id: string): Envelope | undefined {
    return this.#events.find((event) => event.id === id);
  }

  answerTo({ from = 1, to = Number.POSITIVE_INFINITY, types, cause, limit }: Query): Envelope[] {
    return this.#events
      .filter(({ seq, type }) => seq >= from && seq <= to && (types?.includes(type) ?? true))
      .filter((event) => cause?.ask === undefined || event.cause?.ask === cause.ask)
      .slice(0, limit);
  }

  /** The engine has exactly these events, and their hashes are a chain. */
  expectSame(events: readonly Envelope[]): void {
    expect(events).toEqual(this.#events);
    let previous = FIRST_PREVIOUS;
    for (const event of events) {
      expect(event.hash).toBe(
        createHash("sha256")
          .update(link(previous, body(event)))
          .digest("hex"),
      );
      previous = event.hash;
    }
  }

  /** After a crash: everything up to `durable` must be there, and what is there is the beginning of what was. */
  expectLeft(events: readonly Envelope[], durable: number): void {
    expect(events.length).toBeGreaterThanOrEqual(durable);
    this.#events = this.#events.slice(0, events.length);
    this.expectSame(events);
  }

  /** What somebody who followed from here was given: no gap, no double, and nothing else. */
  expectFollowed(from: number, given: readonly Head[]): void {
    const first = Math.max(1, from);
    expect(seqs(given)).toEqual(range(first, first + given.length - 1));
    expect(given).toEqual(
      this.#events.slice(first - 1, first - 1 + given.length).map(({ seq, hash }) => ({ seq, hash })),
    );
  }
}
