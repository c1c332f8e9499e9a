import type { Cause } from "@choiros/contract";
import { expect, test } from "vitest";
import type { Moment } from "../server/shapes.ts";
import { busyOf, goOn, NOTHING } from "./unfinished.ts";

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
  const asksOf = (...moments: Moment[]) => goOn(begun, moments).asks.map(({ ask }) => ask);
  expect(asksOf()).toEqual(["x", "y"]);
  const paused = of("x", moment("ask.paused", { detail: "", why: "stopped" }));
  expect(asksOf(paused)).toEqual(["y"]);
  expect(asksOf(paused, of("x", moment("ask.started", { attempt: 2 })))).toEqual(["y", "x"]);
});

test("CONSOLE-49: an ask that wants something of the user isn't said to be worked at", () => {
  const of = (cause: Cause, { event }: Moment): Moment => ({ event: { ...event, cause } });
  const begun = of({ ask: "x" }, moment("ask.started", { attempt: 1 }));
  const wondered = of({ ask: "x" }, moment("ask.wondered", { question: "Which colour?" }));
  const told = of({ ask: "y" }, moment("ask.steered", { into: "x" }));
  const leave = of({ ask: "x", call: "c" }, asked("p"));
  const given = of({ ask: "x" }, moment("approval.given", { approval: "p", decision: "once" }));
  const wants = (...moments: Moment[]) => busyOf(goOn(NOTHING, [begun, ...moments])).map(({ wants }) => wants);
  expect(wants()).toEqual([undefined]);
  expect(wants(wondered)).toEqual(["answer"]);
  expect(wants(wondered, told)).toEqual([undefined]);
  expect(wants(leave)).toEqual(["approval"]);
  expect(wants(leave, given)).toEqual([undefined]);
  // the very call that waits for it is no work either
  const call = of({ ask: "x", call: "c" }, called("c"));
  expect(wants(call, leave)).toEqual(["approval"]);
  expect(wants(call, leave, given)).toEqual([undefined]);
});

test("CONSOLE-49: what is worked at is shown before what waits, and a press stops what is shown", () => {
  const of = (ask: string, { event }: Moment): Moment => ({ event: { ...event, cause: { ask } } });
  const now = goOn(NOTHING, [
    of("x", moment("ask.started", { attempt: 1 })),
    of("x", moment("ask.wondered", { question: "Which colour?" })),
    of("y", moment("ask.started", { attempt: 1 })),
  ]);
  expect(busyOf(now).map(({ ask }) => ask)).toEqual(["y"]);
  const answered = of("y", moment("ask.paused", { detail: "", why: "stopped" }));
  expect(busyOf(goOn(now, [answered])).map(({ ask }) => ask)).toEqual(["x"]);
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

test("CONSOLE-23: an approval has the whole of what it is for, or says that it can't be had", () => {
  const event = { approval: "p", covers: "edit a", why: "bash {", whole: { hash: "0".repeat(64), size: 9 } };
  const came = moment("approval.asked", event);
  const wholes = [{ ...came, whole: "bash {}" }, came, asked("q")].map((one) => goOn(NOTHING, [one]).waiting[0]?.whole);
  expect(wholes).toEqual(["bash {}", null, undefined]);
});

test("CONSOLE-20: events that say nothing about what isn't over leave it the very same", () => {
  const begun = goOn(NOTHING, [called("a")]);
  expect(goOn(begun, [moment("message", { text: "hello" }), moment("newer.kind", {})])).toBe(begun);
});
