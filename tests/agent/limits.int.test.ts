import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { lastToolOutput } from "../model/received.ts";
import type { Step } from "../model/script.ts";
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
    ["tokens = 100", "100 tokens."],
    ["cost_usd = 0.1", "0.1 USD."],
    ["files = 1", "1 changed file or folder: what was to come next makes it 2,"],
    ["bytes = 2", "2 written bytes: what was to come next makes it 4,"],
  ]) {
    stage = await openStage({ policy: `[limits.ask]\n${limit}\n` });
    stage.scripted.play([[plan({})], [write("a.txt", "A\n")], [write("b.txt", "B\n")]]);
    const { detail, status } = await stage.over(await stage.say("Write"));
    expect(status).toBe("limit");
    expect(detail).toContain(`The ask reached its limit of ${words}`);
    expect(await stage.text("b.txt")).toBeUndefined();
    await stage.close();
  }
  stage = await openStage();
});

test.each(["task", "ask", "day"])(
  "ASK-14: all of what a %s may write may be written, and what writes nothing is held against none of it",
  async (scope) => {
    stage = await openStage({ policy: `[limits.${scope}]\nfiles = 2\nbytes = 4\n` });
    stage.scripted.play([
      [plan({ verify: ["test -f a.txt"] })],
      [write("a.txt", "A\n"), write("b.txt", "B\n")],
      [run("ls")],
      [finish()],
      [answer("Done.")],
    ]);
    expect(await stage.over(await stage.say("Write two files"))).toMatchObject({ status: "done" });
    expect((await stage.events("receipt.check")).length).toBe(1);
    await stage.close();
    stage = await openStage({ policy: `[limits.${scope}]\nfiles = 0\n` });
    stage.scripted.play(["Seven."]);
    expect(await stage.over(await stage.say("When do we open?"))).toMatchObject({ status: "done" });
  },
);

test("ASK-14: what one answer of a model writes is held against the limit file by file, and resumed it goes on behind the last", async () => {
  stage = await openStage({ policy: "[limits.ask]\nfiles = 2\n" });
  stage.scripted.play([[plan({})], ["a", "b", "c"].map((name) => write(name, name))]);
  const ask = await stage.say("Write three files");
  expect(await stage.over(ask)).toMatchObject({ status: "limit" });
  expect([await stage.text("b"), await stage.text("c")]).toEqual(["b", undefined]);
  stage.scripted.play([[write("c", "c")], [finish()], [answer("Done.")]]);
  expect(await stage.over(ask, await stage.resume(ask))).toMatchObject({ status: "done" });
  expect(await stage.text("c")).toBe("c");
  expect((await stage.events("file.write")).length).toBe(3);
});

test.each([
  ["an ask's", "[limits.ask]\nsteps = 3\n", "The ask reached its limit of 3 steps."],
  ["a day's", "[limits.day]\nsteps = 3\n", "The day reached its limit of 3 steps."],
  ["an ask's time", "[limits.ask]\ntime_s = 0.001\n", "The ask reached its limit of 0.001 seconds."],
  ["a day's time", "[limits.day]\ntime_s = 0.001\n", "The day reached its limit of 0.001 seconds."],
])(
  "LEASE-10: a limit that the user lowers holds from the next step on, also for an ask that is worked at: %s",
  async (_, policy, reached) => {
    stage = await openStage();
    const lower = () => {
      writeFileSync(join(stage.home, "policy.toml"), policy);
      return [run("true")];
    };
    stage.scripted.play([[plan({})], lower, [run("true")], [run("true")]]);
    expect(await stage.over(await stage.say("Work"))).toMatchObject({
      status: "limit",
      detail: expect.stringContaining(reached),
    });
    expect(stage.scripted.requests.length).toBeLessThanOrEqual(3);
  },
);

test("LEASE-10: so does a task's, and a limit that is raised", async () => {
  stage = await openStage({ policy: "[limits.task]\nsteps = 2\n[limits.ask]\nsteps = 4\n" });
  const put = (policy: string, turn: Step) => () => {
    writeFileSync(join(stage.home, "policy.toml"), policy);
    return [turn];
  };
  const raised = "[limits.task]\nsteps = 3\n[limits.ask]\nsteps = 100\n";
  stage.scripted.play([[plan({})], [run("true")], put(raised, run("true")), [run("true")], [answer("It has failed.")]]);
  expect(await stage.over(await stage.say("Work"))).toMatchObject({ status: "given-up" });
  expect(lastToolOutput(stage.scripted.requests.at(-1) ?? expect.fail())).toContain(
    "The task reached its limit of 3 steps",
  );
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
  expect(said).toContain("The task reached its limit of 1 step.");
  expect(said).toContain("Files changed: a.txt");
});

test.each([
  [{ token_budget: 100 }, "100 tokens"],
  [{ cost_budget: 0.1 }, "0.1 USD"],
])(
  "AGENT-7: what a lease has of %o is all that its task may use, whatever the policy allows",
  async (budget, limit) => {
    stage = await openStage();
    stage.scripted.play([[plan(budget)], [run("true")], (request) => [answer(lastToolOutput(request))]]);
    const value = await stage.over(await stage.say("Work"));
    expect(value.status).toBe("given-up");
    expect(await stage.content(value.answer)).toContain(`The task reached its limit of ${limit}.`);
    expect(stage.scripted.requests).toHaveLength(3);
  },
);

test("AGENT-8: a task's time ends its command, and nothing of it is kept", async () => {
  stage = await openStage();
  stage.scripted.play([
    [plan({ time_budget_s: 1 })],
    [run("echo half > half.txt; sleep 1000")],
    (request) => [answer(lastToolOutput(request))],
  ]);
  const value = await stage.over(await stage.say("Wait"));
  expect(await stage.content(value.answer)).toContain("The task reached its limit of 1 second.");
  expect(await stage.text("half.txt")).toBeUndefined();
  expect(await stage.tasks()).toMatchObject([{ status: "failed" }]);
});

test("AGENT-9: an ask stops when its time is over, but not while it waits for its user", async () => {
  stage = await openStage({ policy: "[limits.ask]\ntime_s = 3\n" });
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

test("ASK-8: nothing runs on in the background once an ask is stopped, or has reached a limit", async () => {
  const job: Step = { tool: "bash", input: { background: true, command: "while :; do echo tick; sleep 0.05; done" } };
  stage = await openStage({ policy: "[limits.ask]\nsteps = 3\n" });
  let ticks = 0;
  const begun = new Promise<void>((resolve) => {
    stage.signals.listen(({ type }) => {
      if (type !== "tool.output") return;
      ticks += 1;
      resolve();
    });
  });
  stage.scripted.play([[plan({})], [job], [{ until: new Promise(() => {}) }]]);
  const ask = await stage.say("Run it");
  await begun;
  const began = performance.now();
  stage.stop(ask);
  expect((await stage.over(ask)).status).toBe("stopped");
  expect(performance.now() - began).toBeLessThan(1000);
  const isQuiet = async () => {
    const before = ticks;
    await delay(500);
    return ticks === before;
  };
  expect(await isQuiet()).toBe(true);
  const untilStop = ticks;
  stage.scripted.play([[job], [run("sleep 0.5")], [run("true")]]);
  expect((await stage.over(ask, await stage.resume(ask))).status).toBe("limit");
  expect(ticks).toBeGreaterThan(untilStop);
  expect(await isQuiet()).toBe(true);
});
