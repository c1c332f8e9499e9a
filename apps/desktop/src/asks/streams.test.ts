import type { Signal } from "@choiros/contract";
import { expect, test } from "vitest";
import type { Moment } from "../desk/socket.ts";
import { NO_STREAMS, type Streams, withEvent, withSignal } from "./streams.ts";

const heard = (streams: Streams, type: string, payload: Signal["payload"], cause: Signal["cause"] = { ask: "a" }) =>
  withSignal(streams, { type, payload, cause }, "a", 1000);
const happened = (streams: Streams, type: string, cause: Moment["event"]["cause"] = { ask: "a" }) =>
  withEvent(streams, { type, cause } as Moment["event"], "a"); // no more of it is looked at

test("ASKS-2: what a model says is put together as it comes, of this ask alone", () => {
  let streams = heard(NO_STREAMS, "agent.text", { text: "Let me " }, { ask: "a", task: "t" });
  streams = heard(streams, "agent.text", { text: "see" }, { ask: "a", task: "t" });
  expect(heard(streams, "agent.text", { text: "no" }, { ask: "b" })).toBe(streams);
  expect(heard(streams, "agent.text", { text: 7 })).toBe(streams);
  expect([...streams.said]).toEqual([["t", "Let me see"]]);
  const much = heard(streams, "agent.text", { text: "y".repeat(100_000) }, { ask: "a", task: "t" });
  expect(much.said.get("t")?.length).toBe(32 * 1024);
});

test("ASKS-2: what is in the log by then isn't shown as coming any more", () => {
  const saying = heard(NO_STREAMS, "agent.text", { text: "Let me see" });
  expect(happened(saying, "model.call").said.size).toBe(0);
  expect(happened(saying, "model.call", { ask: "a", task: "t" }).said.size).toBe(1);
  expect(happened(saying, "model.call", { ask: "b" })).toBe(saying);
  const waiting = heard(saying, "agent.wait", { why: "The model is busy", ms: 4000 });
  expect(waiting.waits).toEqual({ why: "The model is busy", until: 5000 });
  expect(heard(waiting, "agent.text", { text: "." }).waits).toBeUndefined();
  expect(heard(waiting, "tool.output", { from: "stdout", text: "." }, { ask: "a", call: "c" }).waits).toBeUndefined();
  expect(happened(waiting, "ask.paused")).toBe(NO_STREAMS);
});
