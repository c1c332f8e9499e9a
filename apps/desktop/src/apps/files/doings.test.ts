import type { Json, Target } from "@choiros/contract";
import { expect, test } from "vitest";
import type { DeskApi, EventQuery } from "../../desk/api.ts";
import { type NewNotice, Notices } from "../../desk/notices.ts";
import { Doings } from "./doings.ts";

const FILE = { kind: "file", hash: "0".repeat(64), mode: 0o644, size: 1 };
const changed = (path: string, before: Json, after: Json) => ({ changes: [{ path, before, after }] });

interface Past {
  readonly type: string;
  readonly source?: string;
  readonly call?: string;
  readonly payload: Json;
}

const taken = async () => ({ ok: false, reason: "invalid", message: "“b” is there already." });

/** A desk with a log, whose undos are events of it, too. */
function fakeDesk(
  past: readonly Past[],
  refusal?: string,
  arrange: () => Promise<unknown> = taken,
  settled?: readonly string[],
) {
  const log = [...past];
  const told: string[] = [];
  const undone: Target[] = [];
  const details: (string | undefined)[] = [];
  const dismissed: string[] = [];
  const offered: (string | undefined)[] = [];
  const desk = {
    events: async ({ type: types }: EventQuery, { onItem }: { onItem(moment: Json): void }) => {
      for (const [i, { type, source = "user", call = `c${i}`, payload }] of [...log.entries()].toReversed()) {
        if (types?.includes(type) === false) continue;
        const envelope = { v: 1, id: `e${i}`, seq: i + 1, ts: "2026-11-16T12:00:00.000Z", user_id: "ada" };
        onItem({ event: { ...envelope, source, type, cause: { call }, hash: "0".repeat(64), payload } });
      }
    },
    undo: async (target: Target) => {
      if (settled !== undefined && "call" in target && settled.includes(target.call))
        return { ok: false, reason: "nothing", message: refusal };
      if (refusal !== undefined && settled === undefined) return { ok: false, reason: "conflict", message: refusal };
      undone.push(target);
      const call = `u${undone.length}`;
      log.push({ type: "undo", call, payload: { ...changed("workspace/x", FILE, null), target } });
      return { ok: true, call, changed: 1, notes: [], seq: log.length };
    },
    files: { arrange },
    notify: ({ action, detail, text }: NewNotice) => {
      details.push(detail);
      told.push(text);
      offered.push(action?.label);
      return { dismiss: () => dismissed.push(text), remove() {}, replace() {} };
    },
  } as unknown as DeskApi; // as far as it is used here
  return { details, doings: new Doings(desk), dismissed, offered, told, undone };
}

const DEEDS: readonly Past[] = [
  { type: "dir.create", payload: changed("workspace/docs", null, { kind: "dir", mode: 0o755 }) },
  { type: "file.write", payload: changed("workspace/up/1", null, FILE), call: "upload" },
  { type: "file.write", payload: changed("workspace/up/2", null, FILE), call: "upload" },
];

test("FILES-14: what was done before the page was loaded is taken back in turn, and done again", async () => {
  const { doings, told, undone } = fakeDesk(DEEDS);
  await doings.undo();
  await doings.undo();
  expect(undone).toEqual([{ call: "upload" }, { call: "c0" }]);
  expect(told).toEqual(["Taken back: up/2 and 1 more (new)", "Taken back: docs (new folder)"]);
  await doings.redo();
  await doings.redo();
  expect(undone.slice(2)).toEqual([{ call: "u2" }, { call: "u1" }]);
  await doings.undo();
  expect(undone.at(-1)).toEqual({ call: "u4" });
});

test("FILES-14: behind a way back to a moment nothing is taken back: that is said, whatever was done in this window before", async () => {
  const { doings, told, undone } = fakeDesk([
    ...DEEDS,
    { type: "undo", payload: { ...changed("workspace/up/2", FILE, null), target: { since: 2 } } },
  ]);
  doings.add("Made docs", ["c0"]);
  await doings.undo();
  expect(undone).toEqual([]);
  expect(told).toEqual(["Made docs", expect.stringMatching(/^Done last: .*event 2/)]);
});

test("FILES-14: versions of the Editor, files of commands and of agents, and settings aren't taken back here", async () => {
  const others: Past[] = [
    { type: "file.write", payload: changed("workspace/a", FILE, { ...FILE, size: 2 }) },
    { type: "file.delete", source: "agent", payload: changed("workspace/a", FILE, null) },
    { type: "files.changed", payload: { ...changed("workspace/b", null, FILE), by: "command" } },
    { type: "settings.change", payload: { changes: [{ key: "a", before: null, after: 1 }] } },
  ];
  const { doings, undone } = fakeDesk([...DEEDS, ...others]);
  await doings.undo();
  expect(undone).toEqual([{ call: "upload" }]);
  const nobody = fakeDesk(others);
  await nobody.doings.undo();
  expect(nobody.undone).toEqual([]);
  expect(nobody.told).toEqual([expect.stringContaining("Nothing was done here")]);
});

test("FILES-14: what can't be taken back is said, with the way to its event, and stays what is next", async () => {
  const { doings, offered, told } = fakeDesk(DEEDS, "up/2 was changed since.");
  await doings.undo();
  await doings.undo();
  expect(told).toEqual(["up/2 was changed since.", "up/2 was changed since."]);
  expect(offered).toEqual(["Look at it", "Look at it"]);
});

/** A desk where these calls are taken back already, by somebody else. */
function settledDesk(past: readonly Past[], ...settled: readonly string[]) {
  const message = "Nothing to undo: everything is already as it was before";
  return fakeDesk(past, message, taken, settled);
}

test("FILES-14: what is taken back already is passed over: what was done before it is taken back, and the notice of it goes", async () => {
  const { details, doings, dismissed, told, undone } = settledDesk([], "delete a", "delete c", "u1");
  doings.add("Renamed b to b2", ["rename"]);
  doings.add("Deleted a", ["delete a"]);
  doings.add("Deleted c", ["delete c"]);
  await doings.undo();
  expect(undone).toEqual([{ call: "rename" }]);
  expect(told.slice(3)).toEqual(["Taken back: Renamed b to b2"]);
  expect(details.at(-1)).toBe("Passed over, as nothing of it is left: Deleted c, Deleted a");
  expect(dismissed).toEqual(["Deleted c", "Deleted a", "Renamed b to b2"]);
  await doings.redo(); // it is done again already
  expect(told.at(-1)).toBe("There is nothing to do again.");
});

test("FILES-14: of several calls those are taken back that aren't yet, and they alone are done again", async () => {
  const { doings, told, undone } = settledDesk([], "c2");
  doings.add("Uploaded 3 files", ["c1", "c2", "c3"]);
  await doings.undo();
  expect(undone).toEqual([{ call: "c3" }, { call: "c1" }]);
  await doings.redo();
  expect(undone.slice(2)).toEqual([{ call: "u2" }, { call: "u1" }]);
  expect(told.at(-1)).toBe("Uploaded 3 files");
});

test("FILES-14: what somebody put back by hand, which the log doesn't tell, is passed over, too; where there is nothing else, that is said", async () => {
  const { doings, told, undone } = settledDesk(DEEDS, "upload");
  await doings.undo();
  expect(undone).toEqual([{ call: "c0" }]);
  await doings.undo();
  expect(told.at(-1)).toContain("Nothing was done here");
  const alone = settledDesk([], "delete a");
  alone.doings.add("Deleted a", ["delete a"]);
  await alone.doings.undo();
  expect(alone.told.slice(1)).toEqual(["Nothing to undo: everything is already as it was before"]);
});

test("FILES-9: what is refused is said, and there is nothing of it to take back", async () => {
  const { doings, told, undone } = fakeDesk([]);
  expect(await doings.arrange([{ move: { from: "workspace/a", to: "workspace/b" } }], "Renamed a to b")).toBe(false);
  await doings.undo();
  expect(told).toEqual(["“b” is there already.", expect.stringContaining("Nothing was done here")]);
  expect(undone).toEqual([]);
});

/** A desk that takes whatever comes; `during` is asked with each call and hears what is in sight. */
function takingDesk(during: (calls: number, seen: NewNotice | undefined) => void) {
  const notices = new Notices();
  const undone: Target[] = [];
  let calls = 0;
  const ok = (call: string) => ({ ok: true, call, changed: 1, notes: [], seq: 1 });
  const desk = {
    events: async () => {},
    files: {
      arrange: async (_: unknown, { call = `c${calls + 1}` } = {}) => {
        during(++calls, notices.list.get().at(-1));
        return ok(call);
      },
    },
    undo: async (target: Target) => {
      undone.push(target);
      during(undone.length, notices.list.get().at(-1));
      return ok(`u${undone.length}`);
    },
    notify: (notice: NewNotice) => notices.add(notice),
  } as unknown as DeskApi; // as far as it is used here
  return { doings: new Doings(desk), notices, undone };
}

const REMOVALS = Array.from({ length: 3500 }, (_, at) => ({ remove: { key: `workspace/${at}` } }));

test("FILES-16: more than the server takes at once shows how far it is, and one undo takes all of it back", async () => {
  const seen: unknown[] = [];
  const { doings, notices, undone } = takingDesk((_, notice) => seen.push(notice?.detail));
  expect(await doings.arrange(REMOVALS, "Deleted 3,500 files", "Deleting 3,500 files")).toBe(true);
  expect(seen).toEqual(["0 of 3,500", "1,000 of 3,500", "2,000 of 3,500", "3,000 of 3,500"]);
  expect(notices.list.get()).toMatchObject([{ text: "Deleted 3,500 files", action: { label: "Undo" } }]);
  await doings.undo();
  expect(undone).toEqual([{ call: expect.any(String) }]);
  expect(notices.list.get()).toMatchObject([
    { text: "Deleted 3,500 files", fresh: false },
    { text: "Taken back: Deleted 3,500 files", fresh: true },
  ]);
});

test("FILES-16: no more are asked for at once than the server hears, whatever their names", async () => {
  const stopAt = (at: number) => (calls: number, notice?: NewNotice) => calls === at && notice?.action?.run();
  const { doings, notices } = takingDesk(stopAt(1));
  const long = Array.from({ length: 1000 }, (_, at) => ({
    remove: { key: `workspace/${"長".repeat(80)}${at + 1000}` },
  }));
  expect(await doings.arrange(long, "Deleted 1,000 files", "Deleting 1,000 files")).toBe(false);
  const text = expect.stringMatching(/^Deleted 9\d\d of 1,000 files, then stopped$/);
  expect(notices.list.get()).toMatchObject([{ text }]);
});

test("FILES-16: stopped, it says how much was done, and that much is taken back as one; of several calls as many as there was time for", async () => {
  const stopAt = (at: number) => (calls: number, notice?: NewNotice) => calls === at && notice?.action?.run();
  const { doings, notices, undone } = takingDesk(stopAt(2));
  expect(await doings.arrange(REMOVALS, "Deleted 3,500 files")).toBe(false);
  expect(notices.list.get()).toMatchObject([{ text: "Deleted 2,000 of 3,500 files, then stopped" }]);
  await doings.undo();
  expect(undone).toEqual([{ call: expect.any(String) }]);
  doings.add("Uploaded 3 files", ["c1", "c2", "c3"]);
  await doings.undo(); // stopped after the first of them
  expect(notices.list.get().at(-1)?.text).toBe("Taken back: Uploaded 3 files (in part)");
  await doings.undo();
  expect(undone.slice(1)).toEqual(["c3", "c2", "c1"].map((call) => ({ call })));
});
