import type { WindowValue } from "@choiros/contract";
import { Info } from "lucide-react";
import { expect, test, vi } from "vitest";
import type { Manifest } from "../apps/app.ts";
import { Notices } from "../desk/notices.ts";
import { Watched } from "../watched.ts";
import { bringToFront, type Deed, done, frontOf, type Windows } from "./deeds.ts";
import { Windowing } from "./windowing.ts";

const NOTES: Manifest = {
  id: "notes",
  title: "Notes",
  icon: Info,
  opens: ["*"],
  load: () => Promise.reject(new Error("unloaded")),
};

/** A desk that does what it is told, and counts it. */
function fakeDesk() {
  const deeds: Deed[] = [];
  const windows = new Watched<Windows>(new Map());
  const notices = new Notices();
  const change = async (deed: Deed | undefined) => {
    if (deed === undefined) return;
    deeds.push(deed);
    windows.set(done(windows.get(), deed));
  };
  const keep = (id: string, window: WindowValue) => windows.set(new Map(windows.get()).set(id, window));
  return { deeds, windows, windowing: new Windowing({ change, keep, windows, notices }), notices };
}

test("DESK-16: a file that a window shows already is brought to the front; another file, or none, gets a window of its own", () => {
  const { windows, windowing } = fakeDesk();
  const a = windowing.open(NOTES, { key: "a" });
  const b = windowing.open(NOTES, { key: "b" });
  expect(windowing.open(NOTES, { key: "a" })).toBe(a);
  expect(frontOf(windows.get())).toBe(a);
  expect(windowing.frontKey()).toBe("a");
  const c = windowing.open(NOTES);
  expect(new Set([a, b, c, windowing.open(NOTES)]).size).toBe(4);
});

test("DESK-80: a wish for a window is over when another came to the front: it comes back by another browser without the keys", () => {
  const { windows, windowing } = fakeDesk();
  const [a, b] = [windowing.open(NOTES), windowing.open(NOTES)];
  expect([windowing.wishes(a), windowing.wishes(b)]).toEqual([false, true]);
  const elsewhere = (id: string) => windows.set(done(windows.get(), bringToFront(windows.get(), id) ?? nothing()));
  elsewhere(a);
  elsewhere(b);
  expect(windowing.wishes(b)).toBe(false);
  windowing.front(b);
  expect(windowing.wishes(b)).toBe(true);
});

function nothing(): Deed {
  throw new Error("it is in front already");
}

test("DESK-16: an app that shows something other than files says by what its windows are told apart", () => {
  const { windowing } = fakeDesk();
  const asks = { ...NOTES, of: "ask" };
  const id = windowing.open(asks, { ask: "a" });
  expect(windowing.open(asks, { ask: "a" })).toBe(id);
  expect(windowing.open(asks, { ask: "b" })).not.toBe(id);
});

test("DESK-16: an app with one window alone gets what it is to show there", async () => {
  const { windows, windowing } = fakeDesk();
  const alone: Manifest = { ...NOTES, single: true };
  const id = windowing.open(alone, { at: 1 });
  expect(windowing.open(alone, { at: 2 })).toBe(id);
  await Promise.resolve();
  expect(windows.get().get(id)?.args).toEqual({ at: 2 });
  windowing.open(alone);
  await Promise.resolve();
  expect(windows.get().get(id)?.args).toEqual({ at: 2 });
});

test("DESK-16: what an app says of its window in one turn is one event, and the same again is none", async () => {
  const { deeds, windowing } = fakeDesk();
  const id = windowing.open(NOTES);
  for (let i = 0; i < 2; i++) {
    windowing.amend(id, { title: "a" });
    windowing.amend(id, { args: { key: "a" } });
    windowing.amend(id, { title: "b".repeat(400) });
    await Promise.resolve();
  }
  expect(deeds.map(({ as }) => as)).toEqual(["open", "change"]);
  expect(deeds[1]?.changes[0]?.after).toMatchObject({ title: "b".repeat(300), args: { key: "a" } });
});

test("DESK-17: an app is asked before its window closes, and may keep it open", async () => {
  const { windows, windowing } = fakeDesk();
  const id = windowing.open(NOTES);
  const release = windowing.guard(id, async () => false);
  await windowing.close(id);
  expect(windows.get().has(id)).toBe(true);
  release();
  await windowing.close(id);
  expect(windows.get().has(id)).toBe(false);
});

test("DESK-17: a window that is slow to close is asked once, the front one is the nearest that isn't closing, and one that stays is asked again", async () => {
  const { windows, windowing } = fakeDesk();
  windowing.open(NOTES);
  const b = windowing.open(NOTES);
  const may = Promise.withResolvers<boolean>();
  let asked = 0;
  windowing.guard(b, () => {
    asked++;
    return may.promise;
  });
  windowing.closeFront();
  const closing = windowing.close(b);
  expect(asked).toBe(1);
  windowing.closeFront();
  await vi.waitFor(() => expect([...windows.get().keys()]).toEqual([b]));
  may.resolve(false);
  await closing;
  windowing.closeFront();
  expect(asked).toBe(2);
});

test("DESK-18: a window that holds what isn't saved stays when it is closed elsewhere, and goes by a wish of its own page", async () => {
  const { deeds, windows, windowing, notices } = fakeDesk();
  const id = windowing.open(NOTES, { key: "a" });
  const value = windows.get().get(id);
  let unsaved = true;
  windowing.hold(id, () => unsaved);
  windows.set(new Map());
  expect(windows.get().get(id)).toEqual(value);
  expect(deeds.map(({ as }) => as)).toEqual(["open"]); // nothing that others would hear of
  expect(notices.list.get()).toMatchObject([{ text: "“Notes” stays open here" }]);
  unsaved = false;
  windows.set(new Map());
  expect(windows.get().size).toBe(0);
  const other = windowing.open(NOTES, { key: "b" });
  windowing.hold(other, () => true);
  await windowing.close(other);
  expect(windows.get().size).toBe(0);
});

test("DESK-17: an app that fails when it is asked can't keep its window open", async () => {
  const { windows, windowing } = fakeDesk();
  const id = windowing.open(NOTES);
  windowing.guard(id, () => Promise.reject(new Error("broken")));
  await windowing.close(id);
  expect(windows.get().has(id)).toBe(false);
});

test("DESK-10: what was minimised before the desktop was shown stays so when the others come back", () => {
  const { windows, windowing } = fakeDesk();
  const [a, b] = [windowing.open(NOTES), windowing.open(NOTES)];
  const inSight = () => [...windows.get()].flatMap(([id, { state }]) => (state === "minimised" ? [] : [id]));
  windowing.put(a, "minimised");
  windowing.showDesktop();
  expect(inSight()).toEqual([]);
  windowing.showDesktop();
  expect(inSight()).toEqual([b]);

  windowing.showDesktop();
  const c = windowing.open(NOTES);
  windowing.showDesktop();
  windowing.showDesktop();
  expect(inSight()).toEqual([b, c]);

  windowing.put(b, "minimised");
  windowing.put(c, "minimised");
  windowing.showDesktop();
  expect(inSight()).toEqual([a, b, c]);
});
