import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importComputer } from "@choiros/computer";
import { afterEach, expect, test } from "vitest";
import { lastToolOutput } from "../model/received.ts";
import { answer, finish, gate, plan, run, write } from "./scripts.ts";
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
  const [planned, asked] = await stage.events("task.planned", "approval.asked");
  if (asked?.type !== "approval.asked") throw new Error("a plan is followed by the question");
  const whole = await stage.content(asked.payload.whole ?? null);
  expect(JSON.parse(whole.replace(/^plan /, ""))).toEqual(planned?.payload);
  const value = await stage.over(ask);
  expect(value.status).toBe("given-up");
  expect(await stage.content(value.answer)).toContain("the user denied: network example.org");
  expect(await stage.tasks()).toMatchObject([{ attempt: 0, status: "denied" }]);
});

/** While its lease is asked for, the policy becomes another one. */
async function policyMeanwhile(ask: string, policy: string): Promise<void> {
  await stage.when(ask, "approval.asked");
  writeFileSync(join(stage.home, "policy.toml"), policy);
}

test("LEASE-10: a task whose lease the policy never allows by the time it is allowed doesn't run", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({ egress: ["example.org"] })], (request) => [answer(lastToolOutput(request))]]);
  const ask = await stage.say("Fetch it");
  await policyMeanwhile(ask, 'never = ["network *"]\n');
  await decide(ask, "task");
  const value = await stage.over(ask);
  expect(await stage.content(value.answer)).toContain("policy never allows: network example.org");
  expect(await stage.tasks()).toMatchObject([{ attempt: 0, status: "denied" }]);
});

test("LEASE-10: of a lease, what must be asked for by then is asked for too", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({ egress: ["example.org"] })], [finish()], [answer("Done.")]]);
  const ask = await stage.say("Fetch it");
  await policyMeanwhile(ask, 'ask = ["network *", "tool bash"]\n');
  await decide(ask, "task");
  const from = (await stage.when(ask, "approval.given")).seq;
  expect(await decide(ask, "task", from)).toBe("tool bash");
  expect((await stage.over(ask)).status).toBe("done");
  expect((await stage.events("approval.asked")).length).toBe(2);
});

test("LEASE-5: 'once' is no answer for a lease: it still waits, and nothing of its task has begun", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({ egress: ["example.org"] })], [finish()], [answer("Done.")]]);
  const ask = await stage.say("Fetch it");
  const asked = await stage.when(ask, "approval.asked");
  if (asked.type !== "approval.asked") throw new Error(asked.type);
  expect(await stage.computer.answer(asked.payload.approval, "once")).toMatchObject({ ok: false, reason: "invalid" });
  expect(await stage.tasks()).toMatchObject([{ attempt: 0, status: "planned" }]);
  await decide(ask, "task");
  expect((await stage.over(ask)).status).toBe("done");
});

test("LEASE-5: a lease whose 'always' can't be kept is asked for again when its ask is resumed", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({ egress: ["example.org"] })]]);
  const ask = await stage.say("Fetch it");
  await policyMeanwhile(ask, "nonsense = [");
  await decide(ask, "always");
  expect(await stage.over(ask)).toMatchObject({ detail: expect.stringContaining("policy.toml:1"), status: "failed" });
  writeFileSync(join(stage.home, "policy.toml"), "");
  stage.scripted.play([[finish()], [answer("Done.")]]);
  const from = await stage.resume(ask);
  expect(await decide(ask, "task", from)).toBe("network example.org");
  expect((await stage.over(ask, from)).status).toBe("done");
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

test("AGENT-11: an approval holds as long as the computer stays open, also over a stop; after a restart it is asked for again, whatever the log has", async () => {
  stage = await openStage();
  stage.scripted.play([
    [plan({ egress: ["example.org"], paths: ["a.txt"] })],
    [write("b.txt", "B\n")],
    [{ until: new Promise(() => {}) }],
  ]);
  const ask = await stage.say("Fetch it");
  expect(await decide(ask, "task")).toBe("network example.org");
  const from = (await stage.when(ask, "task.started")).seq;
  expect(await decide(ask, "task", from)).toBe("edit b.txt");
  await stage.scripted.received(3);
  stage.stop(ask);
  await stage.over(ask);

  stage.scripted.play([[run("echo B2 > b.txt")], [{ until: new Promise(() => {}) }]]);
  const resumed = await stage.resume(ask);
  await stage.scripted.received(5);
  expect((await stage.events("approval.asked")).length).toBe(2);
  stage = await stage.again();

  expect(await stage.value(ask)).toMatchObject({ status: "interrupted" });
  stage.scripted.play([
    [{ tool: "bash", input: { command: "echo B3 > b.txt", edits: ["b.txt"] } }],
    [finish()],
    [answer("Done.")],
  ]);
  const reopened = await stage.resume(ask);
  expect(reopened).toBeGreaterThan(resumed);
  expect(await decide(ask, "task", reopened)).toBe("network example.org");
  const begun = (await stage.when(ask, "task.started", reopened)).seq;
  expect(await decide(ask, "once", begun)).toBe("edit b.txt");
  expect((await stage.over(ask, begun)).status).toBe("done");
  expect(await stage.text("b.txt")).toBe("B3\n");
});

test("AGENT-11: a task that was approved before a restart doesn't go on when it is denied after it", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({ egress: ["example.org"] })], [{ until: new Promise(() => {}) }]]);
  const ask = await stage.say("Fetch it");
  await decide(ask, "task");
  await stage.scripted.received(2);
  stage = await stage.again();
  stage.scripted.play([(request) => [answer(lastToolOutput(request))]]);
  const from = await stage.resume(ask);
  await decide(ask, "denied", from);
  const value = await stage.over(ask, from);
  expect(await stage.content(value.answer)).toContain("the user denied: network example.org");
  expect(await stage.tasks()).toMatchObject([{ attempt: 1, status: "denied" }]);
});

test("AGENT-11: what comes with an import starts nothing by itself, and what was approved elsewhere is asked for here", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({ egress: ["example.org"] })], [{ until: new Promise(() => {}) }]]);
  const ask = await stage.say("Fetch it");
  await decide(ask, "task");
  await stage.scripted.received(2);
  stage.stop(ask);
  await stage.over(ask);
  await stage.agents.close();
  await stage.resume(ask); // the last word of the log: it is to go on
  const file = join(mkdtempSync(join(tmpdir(), "choir-gift-")), "gift.choir");
  await stage.computer.exportTo(file);
  await stage.close();

  const home = mkdtempSync(join(tmpdir(), "choir-agents-"));
  const imported = await importComputer({ file, root: join(home, "users/ada"), userId: "ada" });
  expect(imported).toMatchObject({ ok: true });
  stage = await openStage({ home });
  expect(await stage.value(ask)).toMatchObject({ detail: expect.stringContaining("import"), status: "interrupted" });
  expect(stage.agents.busy).toBe(false);
  stage.scripted.play([[finish()], [answer("Done.")]]);
  const from = await stage.resume(ask);
  expect(await decide(ask, "task", from)).toBe("network example.org");
  expect((await stage.over(ask, from)).status).toBe("done");
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
  await decide(ask, "task", from);
  expect((await stage.over(ask, from)).status).toBe("done");
});

test("ASK-1: what was approved while another ask is worked at waits until that one is through", async () => {
  stage = await openStage();
  const held = gate();
  stage.scripted.play([
    [plan({ paths: ["a.txt"] })],
    [write("first.txt", "First\n")],
    [{ until: held.opened }, plan({})],
    [write("second.txt", "Second\n")],
    [finish()],
    [answer("Done.")],
    [finish()],
    [answer("Done.")],
  ]);
  const ask = await stage.say("Write the first");
  await stage.when(ask, "approval.asked");
  const other = await stage.say("Write the second");
  await stage.scripted.received(3);
  await decide(ask, "once");
  held.open();
  expect([(await stage.over(other)).status, (await stage.over(ask)).status]).toEqual(["done", "done"]);
  const said = (await stage.events("ask.answered", "file.write")).map(({ cause, type }) => [cause?.ask, type]);
  expect(said).toEqual([
    [other, "file.write"],
    [other, "ask.answered"],
    [ask, "file.write"],
    [ask, "ask.answered"],
  ]);
});

test("ASK-17: while the policy is wrong nothing is taken, and it is said where it is wrong", async () => {
  stage = await openStage({ policy: "[limits.ask]\nsteps = -1\n" });
  const said = new Promise((resolve) => stage.signals.listen(resolve));
  const ask = await stage.say("Hello");
  expect(await said).toMatchObject({ type: "agent.wait", payload: { why: expect.stringContaining("policy.toml:2") } });
  expect((await stage.value(ask)).status).toBe("queued");
});
