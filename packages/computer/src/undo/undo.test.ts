import { type Entry, isBelow } from "@choiros/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change, Choices, TreeChange } from "../outcome.ts";
import { planUndo, type UndoPlan } from "./plan.ts";
import { planRewind } from "./rewind.ts";
import { type Action, act, actions } from "./testing/actions.ts";
import { difference, folderOf, Model } from "./testing/model.ts";

const RUNS = { numRuns: 300 };

const plan = (computer: Model, seqs: readonly number[], choices: Choices = {}) =>
  planUndo({ target: computer.did(...seqs), standing: computer.standing(seqs[0]), read: computer.read, choices });

/** Plays actions, undos of whole tasks among them; `see` is shown each plan before it is carried out. */
async function play(list: readonly Action[], see?: Witness): Promise<Model> {
  const computer = new Model();
  const tasks = new Map<number, number[]>();
  for (const action of list) {
    const seqs = tasks.get(action.task) ?? [];
    tasks.set(action.task, seqs);
    if (action.kind !== "undo") {
      const seq = act(computer, action);
      if (seq !== undefined) seqs.push(seq);
      continue;
    }
    // Of one event where the number is low, of all that the task did where it is high.
    const target = action.number < 3 ? seqs.slice(action.number, action.number + 1) : [...seqs];
    const choices: Choices = action.choice === undefined ? {} : { all: action.choice };
    const planned = await plan(computer, target, choices);
    await see?.(computer, target, planned, choices);
    if (planned.outcome === "ready") seqs.push(computer.carryOut(planned));
  }
  return computer;
}

type Witness = (
  computer: Model,
  target: readonly number[],
  planned: UndoPlan,
  choices: Choices,
) => Promise<void> | void;

const placeOf = (change: Change) => ("name" in change ? `name ${change.name}` : change.key);
const listed = (planned: UndoPlan) => {
  if (planned.outcome === "ready") return planned.changes;
  return planned.outcome === "conflict" ? planned.rest : [];
};

describe("any history", () => {
  test("UNDO-2: an undo touches only what its target changed, and folders that weren't there", async () => {
    await fc.assert(
      fc.asyncProperty(actions(), async (list) => {
        await play(list, (computer, target, planned) => {
          const changes = listed(planned);
          const own = new Set(target.flatMap((seq) => (computer.events[seq - 1] ?? []).map(placeOf)));
          const needed = new Set<string>();
          for (const change of changes) {
            if ("name" in change || change.after === null) continue;
            for (let above = folderOf(change.key); above !== undefined; above = folderOf(above)) needed.add(above);
          }
          for (const change of changes.filter((one) => !own.has(placeOf(one)))) {
            expect(change).toMatchObject({ before: null, after: { kind: "dir" } });
            expect(needed).toContain(placeOf(change));
          }
        });
      }),
      RUNS,
    );
  });

  test("UNDO-8: an undo says exactly what stands, each place once and in order, and leaves a tree", async () => {
    await fc.assert(
      fc.asyncProperty(actions(), async (list) => {
        // That `before` stands and a tree is left, the model itself sees to.
        await play(list, (_computer, _target, planned) => {
          const changes = listed(planned);
          const paths = changes.filter((change) => "key" in change).map(placeOf);
          const names = changes.filter((change) => "name" in change).map(placeOf);
          expect(changes.map(placeOf)).toEqual([...[...new Set(paths)].sort(), ...new Set(names)]);
        });
      }),
      RUNS,
    );
  });

  test("UNDO-9: the undo of an undo brings back what stood, whatever was merged and picked", async () => {
    await fc.assert(
      fc.asyncProperty(actions(), async (list) => {
        await play(list, async (computer, _target, planned) => {
          if (planned.outcome !== "ready") return;
          const [tree, values] = [new Map(computer.tree), new Map(computer.values)];
          const seq = computer.carryOut(planned);
          const again = await plan(computer, [seq]);
          expect(again).toMatchObject({ outcome: "ready", merged: [], stays: [], kept: [] });
          computer.carryOut(again);
          expect([computer.tree, computer.values]).toEqual([tree, values]);
        });
      }),
      RUNS,
    );
  });

  test("UNDO-10: every event undone, from the last to the first, leaves the first tree", async () => {
    await fc.assert(
      fc.asyncProperty(actions(), async (list) => {
        const computer = await play(list);
        for (let seq = computer.events.length; seq > 0; seq--) {
          computer.carryOut(await plan(computer, [seq]));
          expect(computer.tree).toEqual(computer.trees[seq - 1]);
        }
        expect([computer.tree.size, computer.values.size]).toEqual([0, 0]);
      }),
      RUNS,
    );
  });

  test("UNDO-10: and so do all of them, undone as one", async () => {
    await fc.assert(
      fc.asyncProperty(actions(), async (list) => {
        const computer = await play(list);
        const all = computer.events.map((_, i) => i + 1);
        const planned = await plan(computer, all);
        if (planned.outcome === "ready") computer.carryOut(planned);
        expect([planned.outcome === "conflict", computer.tree.size, computer.values.size]).toEqual([false, 0, 0]);
      }),
      RUNS,
    );
  });

  test("UNDO-7: mine settles everything; theirs brings each path back that isn't blocked", async () => {
    await fc.assert(
      fc.asyncProperty(actions(), async (list) => {
        await play(list, async (computer, target, planned) => {
          expect((await plan(computer, target, { all: "mine" })).outcome).not.toBe("conflict");
          if (planned.outcome !== "conflict") return;
          for (const conflict of planned.conflicts) expect(conflict.choices).toContain("mine");
          const theirs = await plan(computer, target, { all: "theirs" });
          if (theirs.outcome === "conflict") {
            for (const conflict of theirs.conflicts) expect(conflict.choices).toEqual(["mine"]);
            return;
          }
          const finals = new Map(listed(theirs).map((change) => [placeOf(change), change.after]));
          const names = new Set(computer.events.flat().flatMap((change) => ("name" in change ? [change.name] : [])));
          for (const { key, back, choices } of planned.conflicts) {
            const [place, stands] = names.has(key) ? [`name ${key}`, computer.values] : [key, computer.tree];
            // A folder may have come to hold something by the undo itself: then it stays, or is there again.
            if (choices.length === 2 && back !== null) expect(finals.get(place) ?? stands.get(key)).toEqual(back);
          }
        });
      }),
      RUNS,
    );
  });

  test("UNDO-4: there is a conflict where a second, plainer set of rules says so, and only there", async () => {
    let conflicts = 0;
    await fc.assert(
      fc.asyncProperty(
        actions(["binary", "mkdir", "remove", "chmod", "link", "move"]),
        fc.nat(),
        async (list, pick) => {
          const computer = await play(list);
          fc.pre(computer.events.length > 0);
          const seq = (pick % computer.events.length) + 1;
          const expected = mustAsk(computer, seq);
          conflicts += Number(expected);
          expect((await plan(computer, [seq])).outcome === "conflict").toBe(expected);
        },
      ),
      { numRuns: 1000 },
    );
    expect(conflicts).toBeGreaterThan(100);
  });

  test("UNDO-13: a rewind leaves exactly what stood", async () => {
    await fc.assert(
      fc.asyncProperty(actions(), fc.nat(), async (list, pick) => {
        const computer = await play(list);
        const then = computer.trees[pick % computer.trees.length] ?? new Map<string, Entry>();
        const diff = difference(computer.tree, then);
        const planned = await planRewind({ diff: slices(diff), standing: computer.standing() });
        expect(planned.outcome).toBe(diff.length > 0 ? "ready" : "nothing");
        if (planned.outcome === "ready") computer.carryOut(planned);
        expect(computer.tree).toEqual(then);
      }),
      RUNS,
    );
  });
});

async function* slices(changes: readonly TreeChange[]): AsyncGenerator<readonly TreeChange[]> {
  for (let at = 0; at < changes.length; at += 3) yield changes.slice(at, at + 3);
}

/** Whether the undo of one event has to ask; for contents that can't be merged. Tree by tree instead of path by path. */
function mustAsk(computer: Model, seq: number): boolean {
  const now = computer.tree;
  const changes = (computer.events[seq - 1] ?? []).filter((change) => "key" in change);
  const result = new Map(now);
  const unclear: TreeChange[] = [];
  for (const change of changes) {
    const value = threeWay(change.after, now.get(change.key) ?? null, change.before);
    if (value === undefined) unclear.push(change);
    else if (value === null) result.delete(change.key);
    else result.set(change.key, value);
  }
  const holds = (key: string) => [...result.keys()].some((other) => isBelow(other, key));
  const above = (key: string): string[] => {
    const folder = folderOf(key);
    return folder === undefined ? [] : [folder, ...above(folder)];
  };
  if (unclear.some(({ key, before }) => !(before === null && now.get(key)?.kind === "dir" && holds(key)))) return true;
  return changes.some(({ key }) => {
    const entry = result.get(key);
    if (entry === undefined) return false;
    if (entry.kind !== "dir" && holds(key)) return true; // in place of a folder that holds something, or above what comes back
    return !now.has(key) && above(key).some((one) => (result.get(one)?.kind ?? "dir") !== "dir");
  });
}

/** Kind, content and mode each for itself; `undefined` where that can't be. */
function threeWay(base: Entry | null, ours: Entry | null, theirs: Entry | null): Entry | null | undefined {
  const text = (entry: Entry | null) => JSON.stringify(entry && Object.entries(entry).sort());
  if (text(ours) === text(base)) return theirs;
  if (text(ours) === text(theirs)) return ours;
  if (base === null || ours === null || theirs === null) return text(base) === text(theirs) ? ours : undefined;
  const content = (entry: Entry) => (entry.kind === "dir" ? "dir" : `${entry.kind} ${entry.hash}`);
  const [o, a, b] = [content(base), content(ours), content(theirs)];
  const from = a === b || b === o ? ours : a === o ? theirs : undefined;
  const mode = ours.mode === theirs.mode || theirs.mode === base.mode ? ours.mode : theirs.mode;
  const modeClear = mode === ours.mode || ours.mode === base.mode;
  const kinds = new Set([base.kind, ours.kind, theirs.kind]);
  return from === undefined || !modeClear || kinds.size > 1 ? undefined : { ...from, mode };
}
