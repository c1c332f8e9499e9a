import { expect, test } from "vitest";
import type { Moment } from "../server/shapes.ts";
import { goOn, NOTHING } from "./unfinished.ts";

const HASH = "0a".repeat(32);
let seq = 0;

function moment(type: string, payload: Moment["event"]["payload"], call?: string): Moment {
  const envelope = {
    v: 1,
    id: `e-${++seq}`,
    seq,
    ts: "2026-03-01T08:00:00.000Z",
    user_id: "ada",
    source: "agent",
    hash: HASH,
  };
  return { event: { ...envelope, type, payload, ...(call !== undefined && { cause: { call } }) } };
}

const called = (call?: string) => moment("tool.call", { input: { hash: HASH, size: 1 }, tool: "exec" }, call);
const ended = (call: string) => moment("tool.result", { status: "stopped" }, call);
const asked = (approval: string) => moment("approval.asked", { approval, covers: "the network" });

test("CONSOLE-22: a call is running from its beginning to its end, by its command where that is known", () => {
  const begun = goOn(NOTHING, [{ ...called("a"), command: "sleep 100" }, called("b"), called()]);
  expect(begun.running).toEqual([
    { ask: undefined, by: "agent", call: "a", what: "sleep 100" },
    { ask: undefined, by: "agent", call: "b", what: "exec" },
  ]);
  expect(goOn(begun, [ended("a"), ended("never")]).running.map(({ call }) => call)).toEqual(["b"]);
});

test("CONSOLE-49: an ask is at work from when it is taken up until it is answered, paused or left", () => {
  const of = (ask: string, { event }: Moment): Moment => ({ event: { ...event, cause: { ask } } });
  const begun = goOn(NOTHING, [
    of("x", moment("ask.started", { attempt: 1 })),
    of("y", moment("ask.started", { attempt: 1 })),
  ]);
  expect(begun.asks).toEqual(["x", "y"]);
  const paused = of("x", moment("ask.paused", { detail: "", why: "stopped" }));
  expect(goOn(begun, [paused]).asks).toEqual(["y"]);
  expect(goOn(begun, [paused, of("x", moment("ask.started", { attempt: 2 }))]).asks).toEqual(["y", "x"]);
});

test("CONSOLE-23: an approval waits until it is answered; one that comes later stands behind the others", () => {
  const waiting = goOn(NOTHING, [
    asked("p"),
    asked("q"),
    moment("approval.given", { approval: "p", decision: "once" }),
    asked("r"),
  ]);
  expect(waiting.waiting.map(({ id }) => id)).toEqual(["q", "r"]);
});

test("CONSOLE-20: events that say nothing about what isn't over leave it the very same", () => {
  const begun = goOn(NOTHING, [called("a")]);
  expect(goOn(begun, [moment("message", { text: "hello" }), moment("newer.kind", {})])).toBe(begun);
});
