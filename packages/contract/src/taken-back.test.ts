import fc from "fast-check";
import { expect, test } from "vitest";
import type { Target } from "./payloads.ts";
import { takenBackBy, type UndoValue, undoneFirst } from "./taken-back.ts";

const STEPS = 6;

/** Steps of asks that each made one thing, the undos that came after them, and which things are there. */
class Things {
  readonly undos: UndoValue[] = [];
  readonly there: boolean[] = Array.from({ length: STEPS }, () => true);
  readonly #changed = new Map<number, Map<number, boolean>>();
  /** What was there after each event. */
  readonly #past: boolean[][] = [];

  constructor() {
    for (let seq = 0; seq <= STEPS; seq++) this.#past.push(this.there.map((_, i) => i < seq));
  }

  get head(): number {
    return this.#past.length - 1;
  }

  /** As undo works: what an event changed is as it was before it, where what it left stands. */
  undo(target: Target): void {
    const seq = this.head + 1;
    const changes = new Map<number, boolean>();
    const put = (i: number, isThere: boolean) => {
      if (this.there[i] !== isThere) changes.set(i, isThere);
      this.there[i] = isThere;
    };
    if ("since" in target) this.#past[target.since]?.forEach((isThere, i) => void put(i, isThere));
    else {
      for (const undo of this.undos.toReversed())
        if (isOf(target, undo.seq, undo.cause?.call))
          for (const [i, left] of this.#changed.get(undo.seq) ?? []) if (this.there[i] === left) put(i, !left);
      for (let i = 0; i < STEPS; i++) if (isOf(target, i + 1, `c${i + 1}`, askOf(i))) put(i, false);
    }
    if (changes.size === 0) return; // nothing to undo: no event
    this.#changed.set(seq, changes);
    this.undos.push({ cause: { call: `c${seq}` }, seq, target });
    this.#past.push([...this.there]);
  }
}

const askOf = (step: number) => `a${step % 2}`;

function isOf(target: Target, seq: number, call: string | undefined, ask?: string): boolean {
  if ("seq" in target) return target.seq === seq;
  if ("call" in target) return target.call === call;
  return "ask" in target && target.ask === ask;
}

const wish = fc.oneof(
  fc.nat(30).map((n) => ({ seq: n + 1 })),
  fc.nat(30).map((n) => ({ call: `c${n + 1}` })),
  fc.constantFrom({ ask: "a0" }, { ask: "a1" }),
  fc.nat(30).map((n) => ({ since: n })),
);

const stepAt = (i: number) => ({
  seq: i + 1,
  cause: { ask: askOf(i), call: `c${i + 1}` },
  first: i + 1,
  last: i + 1,
});

test("whatever is undone, done again and gone back to, what is said to be taken back is what isn't there", () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 20 }), (wishes) => {
      const things = new Things();
      for (const target of wishes) if (!("since" in target) || target.since <= things.head) things.undo(target);
      const taken = things.there.map((_, i) => takenBackBy(things.undos, stepAt(i)) === undefined);
      expect(taken).toEqual(things.there);
    }),
    { numRuns: 2000 },
  );
});

test("undoing the undo that is named brings it again, and undoing that takes it back once more", () => {
  const things = new Things();
  things.undo({ ask: "a0" });
  for (const isThere of [true, false, true]) {
    const ask = { cause: { ask: "a0" }, first: 1, last: 5 };
    const by = takenBackBy(things.undos, ask) ?? things.undos.at(-1);
    things.undo({ seq: by?.seq ?? 0 });
    expect(takenBackBy(things.undos, ask) === undefined).toBe(isThere);
    expect(things.there[0]).toBe(isThere);
  }
});

test("what was done after its undo isn't taken back by it", () => {
  const undos: UndoValue[] = [{ cause: null, seq: 5, target: { ask: "a" } }];
  expect(takenBackBy(undos, { cause: { ask: "a" }, first: 2, last: 4 })?.seq).toBe(5);
  expect(takenBackBy(undos, { cause: { ask: "a" }, first: 2, last: 7 })).toBeUndefined();
});

test("what an undo was about in the first place is told, also of the undo of an undo", () => {
  const first: UndoValue = { cause: { call: "c" }, seq: 5, target: { ask: "a" } };
  const again: UndoValue = { cause: null, seq: 6, target: { call: "c" } };
  const back: UndoValue = { cause: null, seq: 7, target: { seq: 6 } };
  for (const undo of [first, again, back]) expect(undoneFirst([first, again, back], undo)).toEqual({ ask: "a" });
});
