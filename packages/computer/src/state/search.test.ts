import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Entry, isBelow, parentKey } from "@choiros/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findPaths } from "../find-paths.ts";
import { DIR, EventList, file } from "../testing/events.ts";
import { State } from "./state.ts";

let folder = "";
let standing: State;
let made = 0;
const open: State[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "choir-search-"));
  standing = await State.open({ path: join(folder, "standing.sqlite") }); // keeps the thread
});
afterAll(async () => {
  for (const state of [...open, standing]) await state.close();
  rmSync(folder, { recursive: true, force: true });
});

async function stateOf(list: EventList): Promise<State> {
  const state = await State.open({ path: join(folder, `${made++}.sqlite`) });
  open.push(state);
  await state.apply(list.events.map((event) => ({ event })));
  return state;
}

const keysOf = async (state: State, query: Parameters<State["tree"]>[0]) =>
  (await Array.fromAsync(state.tree(query))).flat().map(({ key }) => key);

const touching = async (state: State, key: string, newest: boolean, to = state.appliedSeq) =>
  (await Array.fromAsync(state.touching({ key, from: 1, to, newest }))).flatMap(({ seqs }) => seqs);

const names = fc.constantFrom(
  "a",
  "a/b",
  "a//ff",
  "a///ff",
  "a/b/c",
  "a/b/c/d",
  "a/b//fe",
  "a/é",
  "a/b-",
  "a/b0",
  "b/a",
  "a-b",
);
const trees = fc.array(
  fc.dictionary(names, fc.option(fc.constantFrom<Entry>(DIR, file("1"), file("2")), { nil: null }), { minKeys: 1 }),
  { minLength: 1, maxLength: 6 },
);

test("STATE-21: what is directly in a directory is listed for every moment, beside names with odd bytes", async () => {
  await fc.assert(
    fc.asyncProperty(trees, fc.integer({ min: 1, max: 3 }), async (events, limit) => {
      const list = new EventList();
      for (const set of events) list.files(set);
      const state = await stateOf(list);
      for (let at = 1; at <= state.appliedSeq; at++) {
        const all = await keysOf(state, { at });
        for (const under of ["a", "a/b", "b"]) {
          const wanted = all.filter((key) => parentKey(key) === under);
          expect(await keysOf(state, { at, under, direct: true })).toEqual(wanted);
          expect(await keysOf(state, { at, under, direct: true, limit })).toEqual(wanted.slice(0, limit));
        }
      }
    }),
    { numRuns: 30 },
  );
});

test("STATE-21: a directory with thousands of others in it, each full, is listed past what they hold", async () => {
  const list = new EventList();
  const set: Record<string, Entry> = {};
  for (let i = 0; i < 60; i++) {
    set[`d/${i}`] = DIR;
    set[`d/${i}-file`] = file("1");
    for (let j = 0; j < 40; j++) set[`d/${i}/${j}`] = file("2");
  }
  for (const [key, entry] of Object.entries(set)) list.files({ [key]: entry });
  const state = await stateOf(list);
  const direct = Object.keys(set).filter((key) => parentKey(key) === "d");
  expect(await keysOf(state, { under: "d", direct: true })).toEqual(direct.sort());
  expect(await keysOf(state, { under: "d", direct: true, at: state.appliedSeq - 1 })).toEqual(direct.sort());
});

test("STATE-23: the events that changed something at a path or below it are known from either end", async () => {
  await fc.assert(
    fc.asyncProperty(trees, async (events) => {
      const list = new EventList();
      for (const set of events) list.files(set);
      const state = await stateOf(list);
      for (const key of ["a", "a/b", "b", "nothing"]) {
        const wanted: number[] = [];
        for (let seq = 1; seq <= state.appliedSeq; seq++) {
          const changes = (await Array.fromAsync(state.diff(seq - 1, seq))).flat();
          const near = changes.some((one) => "key" in one && (one.key === key || isBelow(one.key, key)));
          if (near) wanted.push(seq);
        }
        expect(await touching(state, key, false)).toEqual(wanted);
        expect(await touching(state, key, true)).toEqual(wanted.toReversed());
      }
    }),
    { numRuns: 30 },
  );
});

test("STATE-23: the events that changed a path with some words in it are known, whatever their case, also one that is gone", async () => {
  const list = new EventList();
  list.files({ "w/Seed/doc.md": file("1") });
  list.files({ "w/x": file("1"), "w/a\u0308rger": file("1") });
  list.files({ "w/Seed/doc.md": null });
  const state = await stateOf(list);
  const found = async (words: readonly string[], key?: string) => {
    const request = { words, from: 1, to: state.appliedSeq, newest: true, ...(key !== undefined && { key }) };
    return (await Array.fromAsync(state.touching(request))).flatMap(({ seqs }) => seqs);
  };
  expect(await found(["doc.md"])).toEqual([3, 1]);
  expect(await found(["md", "seed"])).toEqual([3, 1]);
  expect(await found(["ärger"])).toEqual([2]);
  expect(await found(["w/"], "w/x")).toEqual([2]);
  expect(await found(["doc"], "w/x")).toEqual([]);
});

test("STATE-23: where there are many versions, slices come to the same, and say what is left", async () => {
  const list = new EventList();
  for (let i = 0; i < 6000; i++) list.files({ [`${i % 3 === 0 ? "d" : "e"}/x`]: file(`${i}`) });
  const state = await stateOf(list);
  const slices = await Array.fromAsync(state.touching({ key: "e", from: 1, to: 6000, newest: true }));
  expect(slices.map(({ left }) => left)).toEqual([0]);
  for (let i = 0; i < 3000; i++) list.files({ "e/x": file(`more ${i}`) });
  await state.apply(list.events.map((event) => ({ event })));
  const more = await Array.fromAsync(state.touching({ key: "e", from: 1, to: 9000, newest: true }));
  expect(more.map(({ left }) => left)).toEqual([7000, 5000, 3000, 1000, 0]);
  const seqs = more.flatMap((slice) => slice.seqs);
  expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
  expect(seqs.length).toBe(7000);
});

test("STATE-22, COMP-22: paths are found by all of their words, whatever their case, the best first", async () => {
  const list = new EventList();
  for (const key of [
    "w/letters/old",
    "w/My Letter to Ana.md",
    "w/letter.md",
    "w/Letter to ana.txt",
    "w/ana/letter",
    "w/x",
  ])
    list.files({ [key]: file("1") });
  list.files({ "w/Ärger.txt": file("1"), "w/a\u0308rger/x": file("2") });
  const state = await stateOf(list);
  const find = async (text: string, limit = 10) => (await findPaths(state, text, limit, {})).map(({ key }) => key);
  expect(await find("LETTER")).toEqual([
    ...["w/letter.md", "w/ana/letter", "w/Letter to ana.txt"],
    ...["w/My Letter to Ana.md", "w/letters/old"],
  ]);
  expect(await find("letter ana")).toEqual(["w/Letter to ana.txt", "w/My Letter to Ana.md", "w/ana/letter"]);
  expect(await find("letter", 2)).toEqual(["w/letter.md", "w/ana/letter"]);
  expect(await find("ärger")).toEqual(["w/Ärger.txt", "w/a\u0308rger/x"]);
  expect(await find(" ")).toEqual([]);
});
