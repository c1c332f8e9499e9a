import type { Json, Target } from "@choiros/contract";
import { expect, test } from "vitest";
import type { DeskApi, EventQuery } from "../../desk/api.ts";
import type { NewNotice } from "../../desk/notices.ts";
import { Doings } from "./doings.ts";

const FILE = { kind: "file", hash: "0".repeat(64), mode: 0o644, size: 1 };
const changed = (path: string, before: Json, after: Json) => ({ changes: [{ path, before, after }] });

interface Past {
  readonly type: string;
  readonly source?: string;
  readonly call?: string;
  readonly payload: Json;
}

/** A desk with a log, whose undos are events of it, too. */
function fakeDesk(past: readonly Past[], refusal?: string) {
  const log = [...past];
  const told: string[] = [];
  const undone: Target[] = [];
  const desk = {
    events: async ({ type: types }: EventQuery, { onItem }: { onItem(moment: Json): void }) => {
      for (const [i, { type, source = "user", call = `c${i}`, payload }] of [...log.entries()].toReversed()) {
        if (!types?.includes(type)) continue;
        const envelope = { v: 1, id: `e${i}`, seq: i + 1, ts: "2026-11-16T12:00:00.000Z", user_id: "ada" };
        onItem({ event: { ...envelope, source, type, cause: { call }, hash: "0".repeat(64), payload } });
      }
    },
    undo: async (target: Target) => {
      if (refusal !== undefined) return { ok: false, reason: "conflict", message: refusal };
      undone.push(target);
      const call = `u${undone.length}`;
      log.push({ type: "undo", call, payload: { ...changed("workspace/x", FILE, null), target } });
      return { ok: true, call, changed: 1, notes: [], seq: log.length };
    },
    files: { arrange: async () => ({ ok: false, reason: "invalid", message: "“b” is there already." }) },
    notify: ({ text }: NewNotice) => told.push(text),
  } as unknown as DeskApi; // as far as it is used here
  return { doings: new Doings(desk), told, undone };
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

test("FILES-14: what can't be taken back is said, and stays what is next", async () => {
  const { doings, told } = fakeDesk(DEEDS, "up/2 was changed since.");
  await doings.undo();
  await doings.undo();
  expect(told).toEqual(["up/2 was changed since.", "up/2 was changed since."]);
});

test("FILES-9: what is refused is said, and there is nothing of it to take back", async () => {
  const { doings, told, undone } = fakeDesk([]);
  expect(await doings.arrange([{ move: { from: "workspace/a", to: "workspace/b" } }], "Renamed a to b")).toBe(false);
  await doings.undo();
  expect(told).toEqual(["“b” is there already.", expect.stringContaining("Nothing was done here")]);
  expect(undone).toEqual([]);
});
