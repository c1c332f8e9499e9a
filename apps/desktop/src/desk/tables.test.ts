import type { KnownEvent } from "@choiros/contract";
import { expect, test } from "vitest";
import { Tables } from "./tables.ts";

function settingChanged(seq: number, key: string, after: string | null): KnownEvent {
  const payload = { changes: [{ key, before: null, after }] };
  return event(seq, "settings.change", payload);
}

function event(seq: number, type: "settings.change" | "window.open", payload: unknown): KnownEvent {
  const ts = "2026-01-01T00:00:00.000Z";
  // As the contract's schemas would leave it.
  return {
    v: 1,
    seq,
    ts,
    id: `e${seq}`,
    user_id: "ada",
    source: "user",
    type,
    payload,
    hash: "",
  } as unknown as KnownEvent;
}

function started(): Tables {
  const tables = new Tables();
  tables.start("window", [], 10);
  tables.start("call", [], 10);
  tables.start("setting", [{ key: "a", value: "old" }], 10);
  return tables;
}

test("DESK-20: what happens after a table was read changes it, and is told", () => {
  const tables = started();
  expect([...tables.take(settingChanged(11, "a", "new"))]).toEqual(["setting"]);
  expect(tables.rows("setting").get("a")).toBe("new");
  tables.take(settingChanged(12, "a", null));
  expect(tables.rows("setting").has("a")).toBe(false);
});

test("DESK-20: what was counted in when a table was read isn't counted twice", () => {
  const tables = started();
  expect([...tables.take(settingChanged(10, "a", "older"))]).toEqual([]);
  expect(tables.rows("setting").get("a")).toBe("old");
});

test("DESK-20: what comes before a table is there is counted in when it is, each from its own moment on", () => {
  const tables = new Tables();
  tables.start("window", [], 4);
  tables.take(settingChanged(5, "a", "five"));
  tables.take(settingChanged(6, "b", "six"));
  tables.take(settingChanged(7, "a", "seven"));
  expect(tables.isComplete).toBe(false);
  tables.start("setting", [{ key: "a", value: "five" }, { key: "b", value: "six" }], 6); // biome-ignore format: in one line
  expect(Object.fromEntries(tables.rows("setting"))).toEqual({ a: "seven", b: "six" });
  tables.start("call", [], 7);
  tables.start("message", [], 7);
  tables.start("task", [], 7);
  tables.start("ask", [], 7);
  tables.start("undo", [], 7);
  expect(tables.isComplete).toBe(true);
});
