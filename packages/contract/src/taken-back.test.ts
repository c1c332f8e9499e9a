import fc from "fast-check";
import { expect, test } from "vitest";
import type { Target } from "./payloads.ts";
import type { Cause } from "./source.ts";
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

  /** As undo works: what an event changed is as it was before it, where what it left stands and somebody doesn't keep it. */
  undo(target: Target, keep: readonly number[] = []): void {
    const seq = this.head + 1;
    const changes = new Map<number, boolean>();
    const put = (i: number, isThere: boolean) => {
      if (keep.includes(i)) return;
      if (this.there[i] !== isThere) changes.set(i, isThere);
      this.there[i] = isThere;
    };
    const kept = this.#did(target).filter(({ path }) => keep.includes(Number(path)));
    if ("since" in target) this.#past[target.since]?.forEach((isThere, i) => void put(i, isThere));
    else {
      for (const undo of this.undos.toReversed())
        if (isOf(target, undo.seq, undo.cause?.call))
          for (const [i, left] of this.#changed.get(undo.seq) ?? []) if (this.there[i] === left) put(i, !left);
      for (let i = 0; i < STEPS; i++) if (isOf(target, i + 1, `c${i + 1}`, askOf(i))) put(i, false);
    }
    if (changes.size === 0) return; // nothing to undo: no event
    this.#changed.set(seq, changes);
    this.undos.push({ cause: { call: `c${seq}` }, seq, target, ...(kept.length > 0 && { kept }) });
    this.#past.push([...this.there]);
  }

  /** What a target changed, event by event. */
  #did(target: Target): { path: string; seq: number; cause: Cause }[] {
    const isIts = (seq: number, ask?: string) =>
      "since" in target ? seq > target.since : isOf(target, seq, `c${seq}`, ask);
    const steps = this.there.flatMap((_, i) => (isIts(i + 1, askOf(i)) ? [{ path: `${i}`, ...stepAt(i) }] : []));
    const undone = this.undos.flatMap(({ seq }) => {
      const places = isIts(seq) ? [...(this.#changed.get(seq)?.keys() ?? [])] : [];
      return places.map((i) => ({ path: `${i}`, seq, cause: { call: `c${seq}` } }));
    });
    return [...steps, ...undone].map(({ path, seq, cause }) => ({ path, seq, cause }));
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
  ...{ seq: i + 1, cause: { ask: askOf(i), call: `c${i + 1}` } },
  ...{ first: i + 1, last: i + 1, places: new Set([`${i}`]) },
});

const keeping = fc.subarray(Array.from({ length: STEPS }, (_, i) => i));

/** What happens to the things, by some undos after the other. */
function thingsAfter(wishes: readonly (readonly [Target, readonly number[]])[]): Things {
  const things = new Things();
  for (const [target, keep] of wishes)
    if (!("since" in target) || target.since <= things.head) things.undo(target, keep);
  return things;
}

test("ACT-10: whatever is undone, kept, done again and gone back to, what is said to be taken back is what isn't there", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(wish, fc.oneof(fc.constant([]), keeping)), { maxLength: 20 }), (wishes) => {
      const things = thingsAfter(wishes);
      const taken = things.there.map((_, i) => takenBackBy(things.undos, stepAt(i)) === undefined);
      expect(taken).toEqual(things.there);
    }),
    { numRuns: 3000 },
  );
});

test("ACT-10: an ask is taken back but for what was kept of it, and only while one that was aimed at all of it stands", () => {
  const whole = fc.tuple(fc.constantFrom({ ask: "a0" }), keeping);
  const part = fc.tuple(
    fc.nat(STEPS - 1).map((i) => ({ call: `c${i + 1}` })),
    fc.constant([]),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(whole, part), { maxLength: 12 }), (wishes) => {
      const things = thingsAfter(wishes);
      const ask = { cause: { ask: "a0" }, first: 1, last: 5 };
      const taken = takenBackBy(things.undos, ask);
      const isWhole = things.undos.some(({ target }) => "ask" in target);
      expect(taken !== undefined).toBe(isWhole);
      const standing = [0, 2, 4].filter((i) => things.there[i]);
      if (isWhole) expect(taken?.but.toSorted()).toEqual(standing.map(String));
    }),
    { numRuns: 2000 },
  );
});

test("ACT-10: a step that was kept is as it was, until it is undone itself; then the whole is taken back, and redo is of the whole", () => {
  const things = new Things();
  const ask = { cause: { ask: "a0" }, first: 1, last: 5 };
  const how = () => {
    const taken = takenBackBy(things.undos, ask);
    return taken && [taken.by.seq, taken.but];
  };
  things.undo({ ask: "a0" }, [2]);
  expect(takenBackBy(things.undos, stepAt(2))).toBeUndefined();
  expect(how()).toEqual([7, ["2"]]);
  things.undo({ seq: 7 });
  expect(how()).toBeUndefined();
  things.undo({ seq: 8 });
  expect(how()).toEqual([9, ["2"]]);
  things.undo({ call: "c3" });
  expect(takenBackBy(things.undos, stepAt(2))?.by.seq).toBe(10);
  expect(how()).toEqual([9, []]);
});

test("ACT-10: a path that several steps changed stands until each of them is undone", () => {
  const kept = [1, 2].map((seq) => ({ path: "n", seq, cause: { ask: "a", call: `c${seq}` } }));
  const undos: UndoValue[] = [{ cause: null, kept, seq: 5, target: { ask: "a" } }];
  const ask = { cause: { ask: "a" }, first: 1, last: 4 };
  undos.push({ cause: null, seq: 6, target: { call: "c2" } });
  expect(takenBackBy(undos, ask)?.but).toEqual(["n"]);
  undos.push({ cause: null, seq: 7, target: { seq: 1 } });
  expect(takenBackBy(undos, ask)?.but).toEqual([]);
});

test("ACT-10: of what was kept and is too much for an event, how much it is is told of the whole, and no part of it is taken back", () => {
  const undos: UndoValue[] = [{ cause: null, kept: 150, seq: 5, target: { ask: "a" } }];
  const ask = { cause: { ask: "a" }, first: 1, last: 4 };
  const step = { seq: 2, cause: { ask: "a", call: "c2" }, first: 2, last: 2 };
  expect(takenBackBy(undos, ask)).toMatchObject({ by: { seq: 5 }, but: [], others: 150 });
  expect(takenBackBy(undos, step)).toBeUndefined();
  undos.push({ cause: null, seq: 6, target: { ask: "a" } });
  expect(takenBackBy(undos, ask)?.others).toBe(0);
  expect(takenBackBy(undos, step)?.by.seq).toBe(6);
});

test("undoing the undo that is named brings it again, and undoing that takes it back once more", () => {
  const things = new Things();
  things.undo({ ask: "a0" });
  for (const isThere of [true, false, true]) {
    const ask = { cause: { ask: "a0" }, first: 1, last: 5 };
    const by = takenBackBy(things.undos, ask)?.by ?? things.undos.at(-1);
    things.undo({ seq: by?.seq ?? 0 });
    expect(takenBackBy(things.undos, ask) === undefined).toBe(isThere);
    expect(things.there[0]).toBe(isThere);
  }
});

test("what was done after its undo isn't taken back by it", () => {
  const undos: UndoValue[] = [{ cause: null, seq: 5, target: { ask: "a" } }];
  expect(takenBackBy(undos, { cause: { ask: "a" }, first: 2, last: 4 })?.by.seq).toBe(5);
  expect(takenBackBy(undos, { cause: { ask: "a" }, first: 2, last: 7 })).toBeUndefined();
});

test("what an undo was about in the first place is told, also of the undo of an undo", () => {
  const first: UndoValue = { cause: { call: "c" }, seq: 5, target: { ask: "a" } };
  const again: UndoValue = { cause: null, seq: 6, target: { call: "c" } };
  const back: UndoValue = { cause: null, seq: 7, target: { seq: 6 } };
  for (const undo of [first, again, back]) expect(undoneFirst([first, again, back], undo)).toEqual({ ask: "a" });
});
