import type { Payload } from "@choiros/contract";
import { expect, test } from "vitest";
import { computerStage, type Desk, done } from "../testing/computer-stage.ts";
import { expectRefused } from "../testing/expect-refused.ts";

const stage = computerStage();

async function pause({ computer }: Desk, why: Payload<"ask.paused">["why"]): Promise<void> {
  await computer.log.append({ source: "agent", type: "ask.paused", cause: { ask: "a" }, payload: { detail: "", why } });
}

test("ACT-24: an ask that paused goes on, or is left, by one event; the same again is the same event", async () => {
  const desk = await stage();
  done(await desk.computer.say("write it", { id: "a" }));
  await pause(desk, "interrupted");
  const { seq } = done(await desk.computer.settleAsk("a", "resumed", { id: "mine" }));
  expect(done(await desk.computer.settleAsk("a", "resumed", { id: "mine" })).seq).toBe(seq);
  expect((await desk.events()).at(-1)).toMatchObject({
    cause: { ask: "a", conversation: "a" },
    seq,
    source: "user",
    type: "ask.resumed",
  });
  await pause(desk, "limit");
  done(await desk.computer.settleAsk("a", "left"));
  expect((await desk.events()).at(-1)).toMatchObject({ type: "ask.left" });
});

test("ACT-24: one that isn't paused, and one that there isn't, is refused with what it is", async () => {
  const desk = await stage();
  done(await desk.computer.say("write it", { id: "a" }));
  await expectRefused(desk, () => desk.computer.settleAsk("a", "left"), { reason: "invalid" });
  await pause(desk, "stopped");
  done(await desk.computer.settleAsk("a", "left"));
  for (const as of ["left", "resumed"] as const)
    await expectRefused(desk, () => desk.computer.settleAsk("a", as), { reason: "invalid" });
  await expectRefused(desk, () => desk.computer.settleAsk("none", "left"), { reason: "missing" });
});
