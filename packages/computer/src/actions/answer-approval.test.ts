import type { Cause } from "@choiros/contract";
import { expect, test } from "vitest";
import { computerStage, type Desk, done } from "../testing/computer-stage.ts";
import { expectRefused } from "../testing/expect-refused.ts";

const stage = computerStage();

async function ask({ computer }: Desk, approval: string, cause?: Cause): Promise<void> {
  const payload = { approval, covers: "the network", why: "npm" };
  await computer.log.append({ source: "agent", type: "approval.asked", payload, ...(cause && { cause }) });
}

test("ACT-19: an answer is an event by the user, and belongs to the ask and the task that it was asked for", async () => {
  const desk = await stage();
  await ask(desk, "p1", { ask: "a", task: "t" });
  const { seq, call } = done(await desk.computer.answer("p1", "task"));
  expect((await desk.events()).at(-1)).toMatchObject({
    cause: { ask: "a", call, task: "t" },
    payload: { approval: "p1", decision: "task" },
    seq,
    source: "user",
    type: "approval.given",
  });
});

test("ACT-19: what has its answer, or was never asked, is refused; the same answer again is the same event", async () => {
  const desk = await stage();
  await ask(desk, "p1");
  await ask(desk, "p10");
  const { seq } = done(await desk.computer.answer("p1", "denied", { id: "mine" }));
  expect(done(await desk.computer.answer("p1", "denied", { id: "mine" }))).toMatchObject({ seq });
  for (const approval of ["p1", "p", "none"])
    await expectRefused(desk, () => desk.computer.answer(approval, "once"), { reason: "missing" });
});

test("ACT-19: what is asked for before a task begins isn't allowed once, for that is no single step, and still waits", async () => {
  const desk = await stage();
  await ask(desk, "lease", { ask: "a", call: "t", task: "t" });
  await ask(desk, "step", { ask: "a", call: "c", task: "t" });
  await expectRefused(desk, () => desk.computer.answer("lease", "once"), {
    reason: "invalid",
    message: expect.stringContaining("allow it for this task"),
  });
  done(await desk.computer.answer("lease", "task"));
  done(await desk.computer.answer("step", "once"));
});

test("COMP-20: what waits is found however long ago it was asked for, also by the next opening, and no longer once it is answered", async () => {
  const desk = await stage();
  await ask(desk, "p1");
  await ask(desk, "p2");
  for (let i = 0; i < 300; i++)
    await desk.computer.log.append({ source: "user", type: "message", payload: { text: "x" } });
  const again = await desk.reopen();
  const waiting = async () => {
    const { events, seq } = await again.computer.unfinished();
    expect(seq).toBe(await again.head());
    return events.map(({ payload }) => payload.approval);
  };
  expect(await waiting()).toEqual(["p1", "p2"]);
  done(await again.computer.answer("p1", "always"));
  expect(await waiting()).toEqual(["p2"]);
});

test("COMP-20: an ask that is worked at is found by when it was taken up, with its question while that waits", async () => {
  const desk = await stage();
  const { log } = desk.computer;
  const cause = { ask: "a", conversation: "a" };
  await log.append({ id: "a", source: "user", type: "message", cause, payload: { text: "paint it" } });
  await log.append({ source: "agent", type: "ask.started", cause, payload: { attempt: 1 } });
  const types = async () => (await desk.computer.unfinished()).events.map(({ type }) => type);
  expect(await types()).toEqual(["ask.started"]);
  for (const question of ["Which door?", "Which colour?"])
    await log.append({ source: "agent", type: "ask.wondered", cause, payload: { question } });
  expect(await types()).toEqual(["ask.started", "ask.wondered"]);
  expect((await desk.computer.unfinished()).events[1]?.payload).toEqual({ question: "Which colour?" });
  const told = { ask: "b", conversation: "a" };
  await log.append({ id: "b", source: "user", type: "message", cause: told, payload: { text: "red" } });
  await log.append({ source: "agent", type: "ask.steered", cause: told, payload: { into: "a" } });
  expect(await types()).toEqual(["ask.started"]);
});
