import type { Signal } from "@choiros/contract";
import { expect, test } from "vitest";
import type { Desk } from "../desk/desk.ts";
import type { Moment } from "../desk/socket.ts";
import { keptStreams } from "./kept-streams.ts";

test("ASKS-2: what comes of each ask is kept for whoever looks later, until the log has it or the ask is over", () => {
  let hear: (signal: Signal) => void = () => {};
  let follow: (moments: readonly Moment[]) => void = () => {};
  const kept = keptStreams({
    hear: (hearer) => {
      hear = hearer;
      return () => {};
    },
    follow: (follower) => {
      follow = follower;
      return () => {};
    },
  } satisfies Pick<Desk, "follow" | "hear">);
  const happens = (ask: string, type: string) => follow([{ event: { type, cause: { ask } } } as unknown as Moment]); // no more of it is looked at
  hear({ type: "agent.text", payload: { text: "Let me " }, cause: { ask: "a" } });
  hear({ type: "agent.text", payload: { text: "see" }, cause: { ask: "a" } });
  hear({ type: "agent.wait", payload: { why: "Slow down", ms: 20_000 }, cause: { ask: "b" } });
  hear({ type: "agent.wait", payload: { why: "of nobody's" } });
  expect(kept.get().get("a")?.said.get("a")).toBe("Let me see");
  expect(kept.get().get("b")?.waits?.why).toBe("Slow down");
  happens("a", "model.call");
  expect(kept.get().get("a")?.said.size).toBe(0);
  happens("b", "ask.paused");
  expect([...kept.get().keys()]).toEqual(["a"]);
});
