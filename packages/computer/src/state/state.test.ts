import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Entry, isBelow, messageKey, parentKey, TABLES } from "@choiros/contract";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { DIR, EventList, file } from "../testing/events.ts";
import { State } from "./state.ts";

/** One stays open, so that the thread is started once. */
let standing: State;
let standingFolder = "";
beforeAll(async () => {
  standingFolder = mkdtempSync(join(tmpdir(), "choir-state-"));
  standing = await State.open({ path: join(standingFolder, "state.sqlite") });
});
afterAll(async () => {
  await standing.close();
  rmSync(standingFolder, { recursive: true, force: true });
});

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "choir-state-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "state.sqlite");
}

async function opened(path = place()): Promise<State> {
  const state = await State.open({ path });
  onTestFinished(() => state.close());
  return state;
}

async function stateOf(list: EventList): Promise<State> {
  const state = await opened();
  await state.apply(list.events.map((event) => ({ event })));
  return state;
}

const keysOf = async (state: State, query?: Parameters<State["tree"]>[0]) =>
  (await Array.fromAsync(state.tree(query))).flat().map(({ key }) => key);
const changes = async (state: State, from: number, to: number, under?: string) =>
  (await Array.fromAsync(state.diff(from, to, under === undefined ? {} : { under }))).flat();

describe("applying", () => {
  test("STATE-1: an event that is in the state already changes nothing, and one that leaves a gap is refused", async () => {
    const list = new EventList();
    list.files({ a: file("1") });
    list.files({ a: file("2") });
    list.files({ a: file("3") });
    const state = await opened();
    const items = list.events.map((event) => ({ event }));
    await state.apply(items.slice(0, 2));
    await state.apply(items.slice(0, 2));
    expect([state.appliedSeq, state.appliedHash]).toEqual([2, list.events[1]?.hash]);
    const before = await state.hash();
    await expect(state.apply([{ ...items[2], event: list.add("message", { text: "far" }) }])).rejects.toThrow(
      "event 4 can't be applied to the state after event 2",
    );
    expect(await state.hash()).toBe(before);
    await state.apply(items);
    expect(await state.entries(["a"])).toEqual(new Map([["a", file("3")]]));
  });

  test("STATE-2: what fails half way leaves the state after the event before, and can be tried again", async () => {
    const list = new EventList();
    list.files({ a: file("1") });
    const long = list.add("files.changed", { by: "import", count: 3, list: { hash: "0".repeat(64), size: 1 } });
    const state = await opened();
    await state.apply({ event: list.events[0] ?? long });
    async function* cut() {
      yield [{ key: "b", after: file("b") }];
      throw new Error("the content is gone");
    }
    await expect(state.apply({ event: long, changes: cut() })).rejects.toThrow("the content is gone");
    expect([state.appliedSeq, await keysOf(state)]).toEqual([1, ["a"]]);
    await expect(state.apply({ event: long })).rejects.toThrow("the list of what event 2 changed wasn't given");
    await state.apply({ event: long, changes: [[{ key: "b", after: file("b") }], [{ key: "c", after: DIR }]] });
    expect([state.appliedSeq, await keysOf(state)]).toEqual([2, ["a", "b", "c"]]);
  });

  test("STATE-3: nobody sees an event half applied, however long its list is", async () => {
    const list = new EventList();
    list.files({ a: file("1") });
    const long = list.add("files.changed", { by: "import", count: 30, list: { hash: "0".repeat(64), size: 1 } });
    const state = await stateOf({ ...list, events: list.events.slice(0, 1) } as EventList);
    const seen: number[] = [];
    async function* slices() {
      for (let i = 0; i < 30; i++) {
        yield [{ key: `k${i}`, after: file(`${i}`) }];
        seen.push((await keysOf(state)).length);
      }
    }
    await state.apply({ event: long, changes: slices() });
    expect([new Set(seen), (await keysOf(state)).length]).toEqual([new Set([1]), 31]);
  });

  test("STATE-4: an event of a type that isn't known changes nothing but how far the state has come", async () => {
    const list = new EventList();
    list.files({ a: file("1") });
    list.add("file.teleport", { changes: [{ path: "a", before: null, after: null }] });
    const state = await stateOf(list);
    expect([state.appliedSeq, await keysOf(state)]).toEqual([2, ["a"]]);
  });

  test("STATE-5: it is there after a restart", async () => {
    const path = place();
    const list = new EventList();
    list.files({ a: file("1"), b: DIR });
    const first = await State.open({ path });
    await first.apply({ event: list.events[0] ?? list.files({}) });
    const hash = await first.hash();
    await first.close();
    const second = await opened(path);
    expect([second.appliedSeq, second.appliedHash, await second.hash()]).toEqual([1, list.events[0]?.hash, hash]);
  });
});

describe("asking", () => {
  const odd: Record<string, Entry | null> = {
    dir: DIR,
    "dir//ff": DIR,
    "dir//ff/x": file("x"),
    "dir/a": DIR,
    "dir/a/b": file("b"),
    "dir///ff": file("odd"),
    "dir/\n": file("line"),
    "dir-b": file("c"),
    dir0: file("d"),
    "dir/é😂": file("e"),
    "dir/\uffee": file("f"),
  };

  test("STATE-6: the tree comes in order of its bytes, in pages of any size, and what is below a directory is that alone", async () => {
    const list = new EventList();
    list.files(odd);
    list.files(Object.fromEntries(Object.keys(odd).map((key) => [key, null])));
    const state = await stateOf(list);
    const sorted = Object.keys(odd).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await keysOf(state, { at: 1 })).toEqual(sorted);
    const below = sorted.filter((key) => isBelow(key, "dir"));
    expect(below).toHaveLength(6);
    expect(await keysOf(state, { at: 1, under: "dir" })).toEqual(below);
    for (const limit of [1, 2, 3]) {
      const paged: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = await keysOf(state, { at: 1, under: "dir", limit, ...(after !== undefined && { after }) });
        paged.push(...page);
        after = page.at(-1);
        if (page.length < limit) break;
      }
      expect(paged).toEqual(below);
    }
    expect(await keysOf(state)).toEqual([]);
  });

  test("STATE-6: each line has the entry and the event that made it so", async () => {
    const list = new EventList();
    const link: Entry = { hash: "ab".repeat(32), kind: "link", mode: 0o777, size: 2 };
    list.files({ d: { kind: "dir", mode: 0o1777 }, e: file(""), l: link });
    list.files({ e: file("more", 0o7755) });
    const state = await stateOf(list);
    expect((await Array.fromAsync(state.tree())).flat()).toEqual([
      { key: "d", seq: 1, entry: { kind: "dir", mode: 0o1777 } },
      { key: "e", seq: 2, entry: file("more", 0o7755) },
      { key: "l", seq: 1, entry: link },
    ]);
  });

  test("STATE-7: whether something is below a directory, and how much is directly in it, is known now and at any moment", async () => {
    const list = new EventList();
    list.files(odd);
    list.files({ "dir/a/b": null, "dir//ff/x": null });
    const state = await stateOf(list);
    const keys = Object.keys(odd);
    for (const [at, there] of [
      [1, keys],
      [2, keys.filter((key) => key !== "dir/a/b" && key !== "dir//ff/x")],
    ] as const) {
      const above = keys.filter((key) => there.some((other) => isBelow(other, key)));
      expect([...(await state.below(keys, at))].sort()).toEqual(above.sort());
      const counts = await state.children(keys, at);
      for (const key of keys) {
        expect(counts.get(key) ?? 0).toBe(there.filter((other) => parentKey(other) === key).length);
      }
    }
  });

  test("STATE-8: a path's history has each version from one event up to the next, also that there was nothing", async () => {
    const list = new EventList();
    list.files({ a: file("1") });
    list.files({ a: file("1") });
    list.files({ a: null });
    list.files({ b: DIR });
    list.files({ a: file("2") });
    list.files({ a: file("3") });
    list.files({ a: null });
    const state = await stateOf(list);
    const versions = [
      { from: 7, to: null, value: null },
      { from: 6, to: 7, value: file("3") },
      { from: 5, to: 6, value: file("2") },
      { from: 3, to: 5, value: null },
      { from: 1, to: 3, value: file("1") },
    ];
    expect(await state.history("a")).toEqual(versions);
    expect(await state.history("a", { limit: 2, before: 6 })).toEqual(versions.slice(2, 4));
    expect(await state.history("nothing")).toEqual([]);
  });

  test("STATE-20: what stood at every path is one line each, with what it was and since when", async () => {
    const list = new EventList();
    list.files({ a: file("1"), "d/x": file("long") });
    list.files({ a: file("22") });
    list.files({ a: null });
    list.files({ a: DIR });
    const state = await stateOf(list);
    const histories = async (until: number) => (await Array.fromAsync(state.histories(until))).flat();
    expect(await histories(4)).toEqual([
      ["a", "1f1 2f2 3- 4d"],
      ["d/x", "1f4"],
    ]);
    await expect(histories(5)).rejects.toThrow("5 is no moment of this computer");
  });

  test("STATE-20: a path that a slice cuts goes on in the next one", async () => {
    const list = new EventList();
    for (let i = 0; i < 8001; i++) list.files({ a: file("x".repeat(1 + (i % 2))) });
    const state = await stateOf(list);
    const rows = (await Array.fromAsync(state.histories(8001))).flat();
    expect(rows.map(([key]) => key)).toEqual(["a", "a"]);
    expect(rows[0]?.[1]).toMatch(/ 8000f2 8001-$/);
    expect(rows[1]?.[1]).toBe("8001f1");
  });

  test("STATE-9: the difference of two moments is net, either way round, and names windows and settings too", async () => {
    const list = new EventList();
    list.files({ a: file("1"), b: file("b"), "d/x": file("x") });
    list.add("settings.change", { changes: [{ key: "theme", before: null, after: { b: 1, a: 2 } }] });
    list.files({ a: file("2"), c: file("c") });
    list.add("window.open", { changes: [{ key: "window.1", before: null, after: { app: "notes" } }] });
    list.files({ a: file("1"), b: null, c: null, "d/x": file("y") });
    list.add("settings.change", { changes: [{ key: "theme", before: null, after: { a: 2, b: 1 } }] });
    const state = await stateOf(list);
    const expected = [
      { key: "b", before: file("b"), after: null },
      { key: "d/x", before: file("x"), after: file("y") },
      { name: "window.1", before: null, after: { app: "notes" } },
    ];
    const order = (list: readonly object[]) => list.map((change) => JSON.stringify(change)).sort();
    expect(order(await changes(state, 2, 6))).toEqual(order(expected));
    const inverse = expected.map(({ before, after, ...what }) => ({ ...what, before: after, after: before }));
    expect(order(await changes(state, 6, 2))).toEqual(order(inverse));
    expect(await changes(state, 2, 6, "d")).toEqual([expected[1]]);
    expect(await changes(state, 6, 6)).toEqual([]);
  });

  test("STATE-10: a moment that hasn't been is refused", async () => {
    const state = await stateOf(new EventList());
    await expect(state.entries(["a"], 1)).rejects.toThrow("1 is no moment of this computer: its last event is 0");
    await expect(keysOf(state, { at: -1 })).rejects.toThrow("no moment");
  });

  test("STATE-11: messages stand in order in their conversation, at any moment", async () => {
    const list = new EventList();
    for (const [text, conversation] of [
      ["one", "c"],
      ["two", "d"],
      ["three", "c"],
    ] as const) {
      list.add("message", { text }, { conversation });
    }
    const state = await stateOf(list);
    const texts = async (at?: number) =>
      (await Array.fromAsync(state.rows("message", { under: "c/", ...(at && { at }) })))
        .flat()
        .map(({ value }) => (value as { text: string }).text);
    expect([await texts(), await texts(1)]).toEqual([["one", "three"], ["one"]]);
    const [conversation] = (await Array.fromAsync(state.rows("conversation", { at: 2 }))).flat();
    expect(conversation).toMatchObject({ key: "c", value: { first: 1, last: 1, title: "one" } });
    expect((await Array.fromAsync(state.rows("message"))).flat()[2]?.key).toBe(messageKey("d", 2));
    expect(await state.counts()).toMatchObject({ message: 3, conversation: 2, tree: 0 });
  });
});

test("STATE-12: somebody with nothing but the sqlite3 tool finds a view for each thing there is", async () => {
  const list = new EventList();
  list.files({ d: DIR, f: file("1", 0o640) });
  list.files({ f: file("22") });
  list.add("message", { text: "hello" }, { conversation: "c" });
  list.add("settings.change", { changes: [{ key: "theme", before: null, after: "dark" }] });
  const state = await stateOf(list);
  const db = new DatabaseSync(state.path, { readOnly: true });
  onTestFinished(() => db.close());
  const rows = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  expect(rows("SELECT * FROM file ORDER BY from_seq")).toEqual([
    {
      path: "f",
      from_seq: 1,
      to_seq: 2,
      kind: "file",
      mode: "0640",
      size: 1,
      hash: expect.stringMatching(/^6b86b273/),
    },
    { path: "f", from_seq: 2, to_seq: null, kind: "file", mode: "0644", size: 2, hash: expect.any(String) },
  ]);
  expect(rows("SELECT * FROM directory")).toEqual([{ path: "d", from_seq: 1, to_seq: null, mode: "0755" }]);
  expect(rows("SELECT value ->> 'title' AS title FROM conversation")).toEqual([{ title: "hello" }]);
  for (const view of TABLES) rows(`SELECT * FROM ${view}`);
});
