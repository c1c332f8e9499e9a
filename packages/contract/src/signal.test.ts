import { expect, test } from "vitest";
import { Signal } from "./signal.ts";
import { Cause, type CauseKind } from "./source.ts";

test.each<[string, unknown]>([
  ["a bare one", { type: "stop", payload: {} }],
  ["one with a cause", { type: "task.progress", payload: { done: 0.5 }, cause: { task: "t-1" } }],
  ["one of a type that no event has", { type: "cursor.moved", payload: { x: 1, deep: [{ y: null }] } }],
])("a signal is a type and a payload of any shape: %s", (_, signal) => {
  expect(Signal.parse(signal)).toEqual(signal);
});

test.each<[string, unknown]>([
  ["without a type", { payload: {} }],
  ["of a type in its old spelling", { type: "TASK_PROGRESS", payload: {} }],
  ["without a payload", { type: "stop" }],
  ["with a payload that is no object", { type: "stop", payload: [] }],
  ["with a payload of nothing", { type: "stop", payload: null }],
  ["with a cause that names nothing", { type: "stop", payload: {}, cause: {} }],
  ["with a cause of another kind", { type: "stop", payload: {}, cause: { window: "w" } }],
  ["with a place in the log", { type: "stop", payload: {}, seq: 1 }],
])("no signal is %s", (_, signal) => {
  expect(Signal.safeParse(signal).success).toBe(false);
});

test("a signal keeps a key named __proto__", () => {
  const signal = Signal.parse({ type: "stop", payload: JSON.parse('{"__proto__":1}') });
  expect(JSON.stringify(signal.payload)).toBe('{"__proto__":1}');
});

test("a cause names any of its kinds, together or alone", () => {
  const kinds: CauseKind[] = ["ask", "call", "conversation", "task"];
  const whole = Object.fromEntries(kinds.map((kind) => [kind, `${kind}-1`]));
  expect(Cause.parse(whole)).toEqual(whole);
  for (const kind of kinds) {
    expect(Cause.parse({ [kind]: "x" })).toEqual({ [kind]: "x" });
    expect(Cause.safeParse({ [kind]: "" }).success).toBe(false);
    expect(Cause.safeParse({ [kind]: undefined }).success).toBe(false);
  }
});
