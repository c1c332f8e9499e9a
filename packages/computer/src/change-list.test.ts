import { type Entry, type KnownEvent, MAX_INLINE_CHANGES, recognise } from "@choiros/contract";
import type { Contents } from "@choiros/log";
import { describe, expect, test } from "vitest";
import { type Carried, carry, changesOf, hasChanges } from "./change-list.ts";
import type { Change } from "./outcome.ts";
import { computerStage } from "./testing/computer-stage.ts";
import { EventList } from "./testing/events.ts";

const stage = computerStage();
const entry: Entry = { hash: "ab".repeat(32), kind: "file", mode: 0o644, size: 3 };
const changes = (count: number): Change[] =>
  Array.from({ length: count }, (_, i) => ({ key: `workspace/${i}`, before: null, after: entry }));

function eventWith(carried: Carried): KnownEvent {
  const event = new EventList().add("undo", { ...carried, target: { since: 0 } } as never); // as an undo carries it
  const known = recognise(event);
  if (!known.ok) throw new Error(known.why);
  return known.value;
}

async function readBack(contents: Contents, carried: Carried): Promise<Change[]> {
  return (await Array.fromAsync(changesOf(contents, eventWith(carried)))).flat();
}

describe("a list of changes", () => {
  test("CAP-9: up to a hundred changes stand in the event", async () => {
    const { contents } = (await stage()).computer;
    const carried = await carry(contents, changes(MAX_INLINE_CHANGES));
    expect("changes" in carried && carried.changes.length).toBe(MAX_INLINE_CHANGES);
    expect(await readBack(contents, carried)).toEqual(changes(MAX_INLINE_CHANGES));
  });

  test("CAP-9: a longer one is a JSON array, one change a line, and comes back in order", async () => {
    const { contents } = (await stage()).computer;
    for (const count of [MAX_INLINE_CHANGES + 1, 1000, 1001, 2500]) {
      const carried = await carry(contents, changes(count));
      if (!("list" in carried)) throw new Error("it is a list");
      expect(carried.count).toBe(count);
      const text = Buffer.concat(await Array.fromAsync((await contents.get(carried.list.hash)) ?? [])).toString();
      expect(JSON.parse(text)).toHaveLength(count);
      expect(text.split("\n")).toHaveLength(count + 2);
      expect(await readBack(contents, carried)).toEqual(changes(count));
    }
  });

  test("CAP-9: names that aren't UTF-8, newlines in names, windows and settings come back as they were", async () => {
    const { contents } = (await stage()).computer;
    const odd: Change[] = [
      { key: "workspace/bad//ff//fename", before: entry, after: null },
      { key: "workspace/two\nlines,\n]", before: { kind: "dir", mode: 0o700 }, after: entry },
      { key: "workspace/\u2028\u00e9", before: null, after: { ...entry, kind: "link" } },
      { name: "window.1", before: null, after: { x: 1, title: "a\nb" } },
      { name: "theme", before: "dark", after: "light" },
    ];
    const long = [...odd, ...changes(200)];
    expect(await readBack(contents, await carry(contents, odd))).toEqual(odd);
    expect(await readBack(contents, await carry(contents, long))).toEqual(long);
  });

  test("CAP-9: few changes of very long names are a list too, for an event has its limit", async () => {
    const { contents } = (await stage()).computer;
    const name = Array.from({ length: 15 }, () => "n".repeat(250)).join("/");
    const long = Array.from({ length: 90 }, (_, i) => ({ key: `workspace/${i}/${name}`, before: null, after: entry }));
    const carried = await carry(contents, long);
    expect("list" in carried).toBe(true);
    expect(await readBack(contents, carried)).toEqual(long);
  });

  test("CAP-9: a list that is gone is said to be, with its event", async () => {
    const { contents } = (await stage()).computer;
    const carried = await carry(contents, changes(101));
    if ("list" in carried) await contents.drop(carried.list.hash);
    await expect(readBack(contents, carried)).rejects.toThrow("the list of what event 1 changed is gone");
  });

  test("CAP-9: only events that change something have a list", () => {
    const known = recognise(new EventList().add("message", { text: "hello" }));
    expect(known.ok && hasChanges(known.value)).toBe(false);
    expect(hasChanges(eventWith({ changes: [{ path: "workspace/a", before: null, after: entry }] }))).toBe(true);
  });
});
