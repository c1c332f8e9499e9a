import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Entry, evolve, INITIAL_STATE, type Json, recognise, type StateMaps, TABLES } from "@choiros/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DIR, EventList, file } from "../testing/events.ts";
import { snapshotPath, takeSnapshot } from "./snapshot-file.ts";
import { State } from "./state.ts";

let folder = "";
let standing: State;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "choir-model-"));
  standing = await State.open({ path: join(folder, "standing.sqlite") }); // keeps the thread
});
afterAll(async () => {
  await standing.close();
  rmSync(folder, { recursive: true, force: true });
});

type Step =
  | { readonly do: "files"; readonly set: Readonly<Record<string, Entry | null>>; readonly long: boolean }
  | { readonly do: "keys"; readonly key: string; readonly value: Json }
  | { readonly do: "message"; readonly conversation: string }
  | { readonly do: "task"; readonly type: string; readonly task: string }
  | { readonly do: "begin" | "end"; readonly what: "approval" | "call"; readonly id: string }
  | { readonly do: "unknown" };

const key = fc.constantFrom("a", "a/b", "a//ff", "a///ff", "a/b/c", "b", "é", "a-b", "a/\n");
const entry = fc.option(fc.constantFrom<Entry>(DIR, file("1"), file("2"), { ...DIR, mode: 0o700 }), { nil: null });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("files" as const),
      set: fc.dictionary(key, entry, { minKeys: 1 }),
      long: fc.boolean(),
    }),
  },
  fc.record({
    do: fc.constant("keys" as const),
    key: fc.constantFrom("theme", "window.1", "window.2"),
    value: fc.constantFrom<Json>(null, 1, { b: 1, a: [2] }, { a: [2], b: 1 }),
  }),
  fc.record({ do: fc.constant("message" as const), conversation: fc.constantFrom("c", "d") }),
  fc.record({
    do: fc.constant("task" as const),
    type: fc.constantFrom("task.planned", "task.started", "task.denied"),
    task: fc.constantFrom("t", "u"),
  }),
  fc.record({
    do: fc.constantFrom("begin" as const, "end" as const),
    what: fc.constantFrom("approval" as const, "call" as const),
    id: fc.constantFrom("x", "y"),
  }),
  fc.constant<Step>({ do: "unknown" }),
);

/** Events, and the state after each of them by the contract's reducer alone. */
function played(steps: readonly Step[]) {
  const list = new EventList();
  const long = new Map<number, { key: string; after: Entry | null }[]>();
  const states: StateMaps[] = [INITIAL_STATE];
  for (const one of steps) {
    const event = eventOf(list, one);
    if (one.do === "files")
      long.set(
        event.seq,
        Object.entries(one.set).map(([key, after]) => ({ key, after })),
      );
    const known = recognise(event);
    const last = states.at(-1) ?? INITIAL_STATE;
    states.push(known.ok ? evolve(last, known.value, long.get(event.seq)) : { ...last, seq: event.seq });
  }
  return { list, long, states };
}

function eventOf(list: EventList, one: Step) {
  switch (one.do) {
    case "files":
      if (one.long)
        return list.add("files.changed", { by: "import", count: 1, list: { hash: "0".repeat(64), size: 1 } });
      return list.files(one.set);
    case "keys": {
      const type = one.key === "theme" ? "settings.change" : "window.change";
      return list.add(type, { changes: [{ key: one.key, before: null, after: one.value }] });
    }
    case "message":
      return list.add("message", { text: `hello ${list.events.length}` }, { conversation: one.conversation });
    case "task":
      return list.add(
        one.type,
        one.type === "task.planned"
          ? { ...PLAN, task_id: one.task }
          : one.type === "task.started"
            ? { attempt: 1 }
            : {},
        { task: one.task },
      );
    case "begin":
      if (one.what === "approval") return list.add("approval.asked", { approval: one.id, covers: "x" });
      return list.add("tool.call", { input: { hash: "0".repeat(64), size: 1 }, tool: "exec" }, { call: one.id });
    case "end":
      if (one.what === "approval") return list.add("approval.given", { approval: one.id, decision: "once" });
      return list.add("tool.result", { status: "ok" }, { call: one.id });
    case "unknown":
      return list.add("newer.kind", {});
  }
}

const PLAN = {
  acceptance_criteria: [],
  allowed_tools: [],
  egress: "none",
  instruction: "x",
  kind: "edit",
  paths: [],
  time_budget_s: 1,
  verify: [],
};

let made = 0;

async function applied(
  path: string,
  { list, long }: ReturnType<typeof played>,
  sizes: readonly number[],
): Promise<State> {
  const state = await State.open({ path });
  const items = list.events.slice(state.appliedSeq).map((event) => {
    const changes = "list" in event.payload ? (long.get(event.seq) ?? []).map((change) => [change]) : undefined;
    return changes === undefined ? { event } : { event, changes };
  });
  for (let at = 0, turn = 0; at < items.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    await state.apply(items.slice(at, at + size));
    at += size;
  }
  return state;
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What stands at a moment by what stood at each path, as far as that tells: what it is, and how long. */
async function treeByHistories(state: State, at: number): Promise<Map<string, string>> {
  const tree = new Map<string, string>();
  for (const [key, versions] of (await Array.fromAsync(state.histories(state.appliedSeq))).flat()) {
    for (const version of versions.split(" ")) {
      const [, seq, what = ""] = /^(\d+)(.+)$/.exec(version) ?? [];
      if (Number(seq) > at) break;
      if (what === "-") tree.delete(key);
      else tree.set(key, what);
    }
  }
  return tree;
}

function sizeOf(entry: Entry): string {
  return entry.kind === "dir" ? "d" : `${entry.kind.charAt(0)}${entry.size}`;
}

/** Everything that can be asked about a moment, against the reducer's maps. */
async function expectMoment(state: State, maps: StateMaps, at: number): Promise<void> {
  const tree = (await Array.fromAsync(state.tree({ at }))).flat().map(({ key, entry }) => [key, entry] as const);
  expect(tree).toEqual([...maps.tree].sort(byKey));
  expect(await treeByHistories(state, at)).toEqual(new Map(tree.map(([key, entry]) => [key, sizeOf(entry)])));
  expect(await state.entries(["a", "a//ff", "b", "nothing"], at)).toEqual(
    new Map([...maps.tree].filter(([name]) => ["a", "a//ff", "b"].includes(name))),
  );
  for (const table of TABLES) {
    const rows = (await Array.fromAsync(state.rows(table, { at, limit: 50 })))
      .flat()
      .map(({ key, value }) => [key, value]);
    expect(rows).toEqual([...maps[table]].sort(byKey));
  }
}

function net(from: StateMaps, to: StateMaps): unknown[] {
  const between = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>, name: "key" | "name") =>
    [...new Set([...a.keys(), ...b.keys()])].flatMap((key) => {
      const [before, after] = [a.get(key) ?? null, b.get(key) ?? null];
      return canonical(before) === canonical(after) ? [] : [canonical({ [name]: key, before, after })];
    });
  return [
    ...between(from.tree, to.tree, "key"),
    ...between(from.window, to.window, "name"),
    ...between(from.setting, to.setting, "name"),
  ].sort();
}

/** Keys in order, so that the same is the same. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

test("STATE-14: whatever happens, in whatever slices, each moment is what a replay gives, and so are differences and the hash", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
      fc.tuple(fc.nat(14), fc.nat(14)),
      async (steps, sizes, [one, other]) => {
        const run = played(steps);
        const path = join(folder, `${made++}.sqlite`);
        const state = await applied(path, run, sizes);
        for (const [at, maps] of run.states.entries()) await expectMoment(state, maps, at);
        // Again, now that past moments are at hand.
        for (const [at, maps] of run.states.entries()) await expectMoment(state, maps, at);
        const [from, to] = [one % run.states.length, other % run.states.length];
        const changes = (await Array.fromAsync(state.diff(from, to))).flat().map(canonical).sort();
        expect(changes).toEqual(net(run.states[from] ?? INITIAL_STATE, run.states[to] ?? INITIAL_STATE));
        const hash = await state.hash();
        await state.close();
        // From nothing, all at once; and from a snapshot of some moment on.
        const whole = await applied(join(folder, `${made++}.sqlite`), run, [1000]);
        const part = join(folder, `${made++}.sqlite`);
        const begun = await applied(
          part,
          { ...run, list: Object.assign(new EventList(), { events: run.list.events.slice(0, from) }) },
          [3],
        );
        const { seq } = takeSnapshot(part, join(folder, `${made}`));
        const rest = await applied(snapshotPath(join(folder, `${made}`), seq), run, sizes);
        expect([await whole.hash(), await rest.hash()]).toEqual([hash, hash]);
        await Promise.all([whole.close(), begun.close(), rest.close()]);
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);
