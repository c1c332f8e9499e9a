import { afterEach, expect, test } from "vitest";
import { lastToolOutput } from "../model/received.ts";
import { answer, finish, plan, run, write } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

test("ASK-13: an ask that reaches a limit is paused with what to do, and resumed it may use as much again", async () => {
  stage = await openStage({ policy: "[limits.ask]\nsteps = 2\n" });
  stage.scripted.play([[plan({})], [write("a.txt", "A\n")]]);
  const ask = await stage.say("Write two files");
  const paused = await stage.over(ask);
  expect(paused).toMatchObject({ status: "limit" });
  expect(paused.detail).toBe(
    "The ask reached its limit of 2 steps. What it did by then stands. Resume it to go on with as much again, or raise the limit in policy.toml.",
  );
  expect(await stage.text("a.txt")).toBe("A\n");
  stage.scripted.play([[finish()], [answer("Done.")]]);
  expect(await stage.over(ask, await stage.resume(ask))).toMatchObject({ status: "done" });
  expect((await stage.events("tool.call")).length).toBe(1);
});

test("ASK-14: tokens, money, files and bytes are limits, too", async () => {
  for (const [limit, words] of [
    ["tokens = 100", "100 tokens"],
    ["cost_usd = 0.1", "0.1 USD"],
    ["files = 1", "1 changed files"],
    ["bytes = 2", "2 written bytes"],
  ]) {
    stage = await openStage({ policy: `[limits.ask]\n${limit}\n` });
    stage.scripted.play([[plan({})], [write("a.txt", "A\n")]]);
    const { detail, status } = await stage.over(await stage.say("Write"));
    expect(status).toBe("limit");
    expect(detail).toContain(`The ask reached its limit of ${words}.`);
    await stage.close();
  }
  stage = await openStage();
});

test("ASK-14: what one answer of a model writes is held against the limit file by file, and resumed it goes on behind the last", async () => {
  stage = await openStage({ policy: "[limits.ask]\nfiles = 2\n" });
  stage.scripted.play([[plan({})], ["a", "b", "c"].map((name) => write(name, name))]);
  const ask = await stage.say("Write three files");
  expect(await stage.over(ask)).toMatchObject({ status: "limit" });
  expect([await stage.text("b"), await stage.text("c")]).toEqual(["b", undefined]);
  stage.scripted.play([[finish()], [answer("Done.")]]);
  expect(await stage.over(ask, await stage.resume(ask))).toMatchObject({ status: "done" });
  expect(await stage.text("c")).toBe("c");
  expect((await stage.events("file.write")).length).toBe(3);
});

test("ASK-15: a day's limit holds for all of its asks together, also after a restart", async () => {
  stage = await openStage({ policy: "[limits.day]\nsteps = 2\n" });
  stage.scripted.play(["One.", "Two."]);
  expect((await stage.over(await stage.say("one"))).status).toBe("done");
  expect((await stage.over(await stage.say("two"))).status).toBe("done");
  stage = await stage.again();
  const { detail, status } = await stage.over(await stage.say("three"));
  expect(status).toBe("limit");
  expect(detail).toContain("The day reached its limit of 2 steps.");
  expect(stage.scripted.requests).toHaveLength(2);
});

test("AGENT-7: a task that reaches its own limit has failed, and the Director hears of it", async () => {
  stage = await openStage({ policy: "[limits.task]\nsteps = 1\n" });
  stage.scripted.play([[plan({})], [write("a.txt", "A\n")], (request) => [answer(lastToolOutput(request))]]);
  const value = await stage.over(await stage.say("Write"));
  expect(value.status).toBe("given-up");
  const said = await stage.content(value.answer);
  expect(said).toContain("The task reached its limit of 1 steps.");
  expect(said).toContain("Files changed: a.txt");
});

test("AGENT-8: a task's time ends its command, and nothing of it is kept", async () => {
  stage = await openStage();
  stage.scripted.play([
    [plan({ time_budget_s: 1 })],
    [run("echo half > half.txt; sleep 1000")],
    (request) => [answer(lastToolOutput(request))],
  ]);
  const value = await stage.over(await stage.say("Wait"));
  expect(await stage.content(value.answer)).toContain("The task reached its limit of 1 seconds.");
  expect(await stage.text("half.txt")).toBeUndefined();
  expect(await stage.tasks()).toMatchObject([{ status: "failed" }]);
});

test("AGENT-9: an ask stops when its time is over, but not while it waits for its user", async () => {
  stage = await openStage({ policy: "[limits.ask]\ntime_s = 1\n" });
  stage.scripted.play([[{ tool: "ask_user", input: { question: "Which?" } }]]);
  const ask = await stage.say("Paint it");
  await stage.when(ask, "ask.wondered");
  // Another one that takes all of its own time: the first one's stands still meanwhile.
  stage.scripted.play([[{ until: new Promise(() => {}) }], [answer("Blue.")]]);
  const other = await stage.say("Take your time");
  expect(await stage.over(other)).toMatchObject({ status: "limit" });
  await stage.say("blue", { conversation: ask });
  expect((await stage.over(ask)).status).toBe("done");
});
