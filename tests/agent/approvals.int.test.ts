import { afterEach, expect, test } from "vitest";
import { lastToolOutput } from "../model/received.ts";
import { answer, finish, plan, run, write } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

/** Waits until an approval is asked for, and decides. */
async function decide(ask: string, decision: "once" | "task" | "always" | "denied", from = 1): Promise<string> {
  const asked = await stage.when(ask, "approval.asked", from);
  if (asked.type !== "approval.asked") throw new Error(asked.type);
  const outcome = await stage.computer.answer(asked.payload.approval, decision);
  expect(outcome).toMatchObject({ ok: true });
  return asked.payload.covers;
}

test("AGENT-10: a lease that goes beyond the policy is shown before its task runs; denied, nothing of it is done", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({ egress: ["example.org"] })], (request) => [answer(lastToolOutput(request))]]);
  const ask = await stage.say("Fetch it");
  expect(await decide(ask, "denied")).toBe("network example.org");
  const value = await stage.over(ask);
  expect(value.status).toBe("given-up");
  expect(await stage.content(value.answer)).toContain("the user denied: network example.org");
  expect(await stage.tasks()).toMatchObject([{ attempt: 0, status: "denied" }]);
});

test("AGENT-11: an approved lease holds for its task, and with 'always' for those after it", async () => {
  stage = await openStage();
  const task = plan({ egress: ["example.org"] });
  stage.scripted.play([[task], [finish()], [task], [finish()], [answer("Done.")]]);
  const ask = await stage.say("Fetch it twice");
  await stage.when(ask, "approval.asked");
  expect((await stage.value(ask)).status).toBe("approval");
  await decide(ask, "always");
  expect((await stage.over(ask)).status).toBe("done");
  expect((await stage.events("approval.asked")).length).toBe(1);
  expect((await stage.events("task.approved")).map(({ payload }) => payload)).toEqual([
    { scope: "always" },
    { scope: "policy" },
  ]);
});

test("AGENT-12: what a tool may not do without the user isn't done when it is denied, and the Associate goes on", async () => {
  stage = await openStage();
  stage.scripted.play([
    [plan({ paths: ["a.txt"] })],
    [write("elsewhere.txt", "No\n")],
    (request) => [finish(lastToolOutput(request), "failed")],
    [answer("It was not allowed.")],
  ]);
  const ask = await stage.say("Write elsewhere");
  expect(await decide(ask, "denied")).toBe("edit elsewhere.txt");
  expect((await stage.over(ask)).status).toBe("given-up");
  expect(await stage.text("elsewhere.txt")).toBeUndefined();
});

test("ASK-16: an ask that waits for an approval lets others go on; stopped, its question is answered by nobody's leave", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({ egress: ["example.org"] })], "Meanwhile."]);
  const ask = await stage.say("Fetch it");
  await stage.when(ask, "approval.asked");
  expect((await stage.over(await stage.say("Something else"))).status).toBe("done");
  stage.stop(ask);
  expect((await stage.over(ask)).status).toBe("stopped");
  expect((await stage.computer.unfinished()).events).toEqual([]);
  expect((await stage.events("approval.given")).map(({ source, payload }) => [source, payload])).toMatchObject([
    ["system", { decision: "denied" }],
  ]);
  stage.scripted.play([[run("true")], [finish()], [answer("Done.")]]);
  const from = await stage.resume(ask);
  await decide(ask, "once", from);
  expect((await stage.over(ask, from)).status).toBe("done");
});

test("ASK-17: while the policy is wrong nothing is taken, and it is said where it is wrong", async () => {
  stage = await openStage({ policy: "[limits.ask]\nsteps = -1\n" });
  const said = new Promise((resolve) => stage.signals.listen(resolve));
  const ask = await stage.say("Hello");
  expect(await said).toMatchObject({ type: "agent.wait", payload: { why: expect.stringContaining("policy.toml:2") } });
  expect((await stage.value(ask)).status).toBe("queued");
});
