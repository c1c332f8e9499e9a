import type { DraftAnswer, DraftRequest, KeptDraft } from "@choiros/contract/frame";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Drafts } from "./drafts.ts";

/** As the console keeps them; it may refuse, its answer may be lost, and it may take its time. */
class Keeper {
  readonly requests: DraftRequest[] = [];
  readonly #kept = new Map<string, KeptDraft>();
  is: "well" | "full" | "silent" = "well";
  ticks = 1;

  readonly ask = async (request: DraftRequest): Promise<DraftAnswer> => {
    this.requests.push(request);
    const { is, ticks } = this;
    const answer = is === "full" ? no("it is full") : this.#do(request);
    for (let i = 0; i < ticks; i++) await Promise.resolve();
    return is === "silent" ? no("there was no answer") : answer;
  };

  #do(request: DraftRequest): DraftAnswer {
    if (request.do === "left") {
      const all = [...this.#kept.values()];
      const others = all.flatMap((one) => (one.key === request.key ? [] : [one.key]));
      return { ok: true, drafts: all.filter((one) => one.key === request.key), others };
    }
    if (request.do === "remove") this.#kept.delete(request.id);
    else {
      const { do: _, base = this.#kept.get(request.id)?.base, ...draft } = request;
      if (base === undefined) return no("nobody knows what it started from");
      this.#kept.set(request.id, { ...draft, base });
    }
    return { ok: true, drafts: [] };
  }
}

function no(why: string): DraftAnswer {
  return { ok: false, why };
}

const key = "workspace/a";

test("EDIT-5: what a text started from is told once, and then only what was typed", async () => {
  const keeper = new Keeper();
  const drafts = new Drafts(keeper.ask);
  const { id, release } = drafts.hold();
  await drafts.settle(id); // none was kept, so nothing is asked
  for (const local of ["one!", "one!?"]) await drafts.put({ id, key, at: 1, base: "one", local, sent: "one!" });
  const typed = (insert: string) => ({ from: 3, insert, to: 3 });
  const each = { at: 1, do: "put", id, key, sent: typed("!") };
  expect(keeper.requests).toEqual([
    { ...each, base: "one", typed: typed("!") },
    { ...each, typed: typed("!?") },
  ]);
  expect(await drafts.left(key)).toEqual([]); // it is held
  release();
  expect(await drafts.left(key)).toEqual([{ id, key, at: 1, base: "one", local: "one!?", sent: "one!" }]);
  await drafts.remove(id);
  expect(await drafts.left(key)).toEqual([]);
});

test("EDIT-5: a draft is found by the name that its file has by now", async () => {
  const keeper = new Keeper();
  const drafts = new Drafts(keeper.ask);
  for (const former of ["workspace/was", "workspace/other"]) {
    const { id, release } = drafts.hold();
    await drafts.put({ id, key: former, at: 1, base: "", local: former });
    release();
  }
  const isNow = async (former: string) => former === "workspace/was";
  expect((await drafts.left(key, isNow)).map(({ local }) => local)).toEqual(["workspace/was"]);
  expect(await drafts.left(key)).toEqual([]);
});

test("EDIT-5: what is left is what was kept last, however it was asked for, and whatever was refused or not answered", async () => {
  const step = fc.record({
    base: fc.constantFrom("one", "two", "three"),
    is: fc.constantFrom("well", "well", "full", "silent"),
    ticks: fc.nat({ max: 6 }),
    waits: fc.constantFrom(0, 3, 100),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const keeper = new Keeper();
      const drafts = new Drafts(keeper.ask);
      const { id, release } = drafts.hold();
      const put = async (local: string, base: string) => {
        try {
          await drafts.put({ id, key, at: 1, base, local });
          return true;
        } catch {
          return false;
        }
      };
      for (const [i, { base, is, ticks, waits }] of steps.entries()) {
        Object.assign(keeper, { is, ticks });
        void put(`${base} and ${i}`, base);
        for (let tick = 0; tick < waits; tick++) await Promise.resolve();
      }
      Object.assign(keeper, { is: "well" });
      const last = (await put("one at last", "one")) || (await put("one at last", "one"));
      release();
      expect([last, (await drafts.left(key)).map(({ local }) => local)]).toEqual([true, ["one at last"]]);
    }),
    { numRuns: 500 },
  );
});
