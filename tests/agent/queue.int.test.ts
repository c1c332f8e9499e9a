import { afterEach, expect, test } from "vitest";
import { lastUserText, type Received } from "../model/received.ts";
import type { Step } from "../model/script.ts";
import { answer, finish, gate, plan, run, write, writesFile } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

test("ASK-1: asks are taken in order, one after the other", async () => {
  stage = await openStage();
  const held = gate();
  stage.scripted.play([[{ until: held.opened }, "First."], "Second.", "Third."]);
  const asks = [await stage.say("one"), await stage.say("two"), await stage.say("three")];
  await stage.scripted.received(1);
  expect(await Promise.all(asks.map(async (ask) => (await stage.value(ask)).status))).toEqual([
    "running",
    "queued",
    "queued",
  ]);
  held.open();
  for (const ask of asks) expect((await stage.over(ask)).status).toBe("done");
  const order = (await stage.events("ask.started", "ask.answered")).map(({ cause, type }) => [cause?.ask, type]);
  expect(order).toEqual(
    asks.flatMap((ask) => [
      [ask, "ask.started"],
      [ask, "ask.answered"],
    ]),
  );
});

test("ASK-2: what is said in the conversation of an ask that is worked at is told to it before its next step", async () => {
  stage = await openStage();
  const held = gate();
  stage.scripted.play([[{ until: held.opened }, plan({})], [finish()], [answer("In German, then.")]]);
  const ask = await stage.say("Write a poem");
  await stage.scripted.received(1);
  const more = await stage.say("In German, please", { conversation: ask });
  await stage.when(more, "ask.steered");
  held.open();
  await stage.over(ask);
  expect(await stage.value(more)).toMatchObject({ into: ask, status: "steered" });
  const told = stage.scripted.requests.map(lastUserText);
  expect(told[2]).toBe("The user says: In German, please");
  expect(stage.scripted.requests[1]?.text).toContain("The user says: In German, please");
  expect(stage.scripted.requests).toHaveLength(3);
});

test("ASK-3: what is said while an ask is about to be answered is heard before it is", async () => {
  stage = await openStage();
  const held = gate();
  stage.scripted.play([[{ until: held.opened }, answer("It is red.")], [answer("It is blue.")]]);
  const ask = await stage.say("Which colour?");
  await stage.scripted.received(1);
  await stage.when(await stage.say("Not red!", { conversation: ask }), "ask.steered");
  held.open();
  const value = await stage.over(ask);
  expect(await stage.content(value.answer)).toBe("It is blue.");
  expect(await stage.events("ask.answered")).toHaveLength(1);
});

test("ASK-4: a question waits for the user's next words, lets other asks go on meanwhile, and goes on with the answer", async () => {
  stage = await openStage();
  stage.scripted.play([[{ tool: "ask_user", input: { choices: ["red", "blue"], question: "Which?" } }], "Meanwhile."]);
  const ask = await stage.say("Paint it");
  await stage.when(ask, "ask.wondered");
  expect(await stage.value(ask)).toMatchObject({ question: { choices: ["red", "blue"], text: "Which?" } });
  const other = await stage.say("Something else");
  expect((await stage.over(other)).status).toBe("done");
  expect((await stage.value(ask)).status).toBe("wondering");
  stage.scripted.play([(request) => [answer(`So: ${lastUserText(request)}`)]]);
  await stage.say("blue", { conversation: ask });
  expect(await stage.content((await stage.over(ask)).answer)).toBe("So: The user says: blue");
});

test("ASK-1: one whose question is answered while another ask is worked at goes on when that one is through", async () => {
  stage = await openStage();
  const held = gate();
  const question: Step = { tool: "ask_user", input: { question: "Which?" } };
  stage.scripted.play([[question], [{ until: held.opened }, "Meanwhile."], "Blue."]);
  const ask = await stage.say("Paint it");
  await stage.when(ask, "ask.wondered");
  const other = await stage.say("Something else");
  await stage.scripted.received(2);
  const reply = await stage.say("blue", { conversation: ask });
  await stage.when(reply, "ask.steered");
  setTimeout(held.open, 300); // time enough to go on at once
  expect((await stage.over(ask)).status).toBe("done");
  expect((await stage.events("ask.answered")).map(({ cause }) => cause?.ask)).toEqual([other, ask]);
  expect(stage.scripted.requests.at(-1)?.text).toContain("The user says: blue");
});

test("ASK-5: an ask waits while no model is connected, and says why", async () => {
  let missing = true;
  stage = await openStage({ means: async (means) => (missing ? { missing: "Connect a model." } : means) });
  const said = new Promise((resolve) => stage.signals.listen(resolve));
  stage.scripted.play(["Here I am."]);
  const ask = await stage.say("Hello");
  expect(await said).toEqual({ type: "agent.wait", cause: { ask }, payload: { ms: 0, why: "Connect a model." } });
  expect((await stage.value(ask)).status).toBe("queued");
  expect(stage.agents.busy).toBe(false);
  missing = false;
  stage.agents.wake();
  expect((await stage.over(ask)).status).toBe("done");
});

test("ASK-6: a queued ask that was taken back isn't taken, until that is undone", async () => {
  stage = await openStage();
  const held = gate();
  stage.scripted.play([[{ until: held.opened }, "First."], "Third.", "Second."]);
  const first = await stage.say("one");
  const second = await stage.say("two");
  const third = await stage.say("three");
  const withdrawn = await stage.computer.changeSettings(new Map([[`ask.${second}.withdrawn`, true]]));
  held.open();
  await stage.over(first);
  await stage.over(third);
  expect((await stage.value(second)).status).toBe("queued");
  if (withdrawn.ok) await stage.computer.undo({ seq: withdrawn.seq });
  expect((await stage.over(second)).status).toBe("done");
});

test("ASK-7: stopped while a model speaks, an ask is paused within a second, with what was said kept", async () => {
  stage = await openStage();
  let said = "";
  const begun = new Promise<void>((resolve) => {
    stage.signals.listen(({ payload, type }) => {
      if (type === "agent.text") said += String(payload.text);
      if (said === "I begin by ") resolve();
    });
  });
  stage.scripted.play([["I begin by ", { until: new Promise(() => {}) }]]);
  const ask = await stage.say("Tell me a long story");
  await begun;
  const began = performance.now();
  stage.stop(ask);
  expect((await stage.over(ask)).status).toBe("stopped");
  expect(performance.now() - began).toBeLessThan(1000);
  const [call] = await stage.events("model.call");
  expect(call?.payload).toMatchObject({ status: "stopped" });
  stage.scripted.play(["telling you how it went on."]);
  const resumed = await stage.resume(ask);
  expect(await stage.over(ask, resumed)).toMatchObject({ attempt: 2, status: "done" });
  const { messages } = stage.scripted.requests[1] ?? expect.fail();
  expect(messages.map(({ text }) => text.trim())).toContain("I begin by");
});

test("ASK-8: stopped while a command runs, an ask is paused within a second, and nothing of the command is kept", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({})], [run("echo half > half.txt; sleep 1000")]]);
  const ask = await stage.say("Run it");
  await stage.when(ask, "tool.call");
  const began = performance.now();
  stage.stop(ask);
  expect((await stage.over(ask)).status).toBe("stopped");
  expect(performance.now() - began).toBeLessThan(1000);
  expect(await stage.text("half.txt")).toBeUndefined();
  expect((await stage.computer.unfinished()).events).toEqual([]);
  expect(stage.agents.busy).toBe(false);
});

test("ASK-9: a resumed ask repeats no call that ended, asks for no answer twice, and ends like one that wasn't stopped", async () => {
  stage = await openStage();
  const held = gate();
  stage.scripted.play([[plan({})], [write("a.txt", "A\n"), run("cat a.txt >> log.txt")], [{ until: held.opened }]]);
  const ask = await stage.say("Do it");
  await stage.scripted.received(3);
  stage.stop(ask);
  await stage.over(ask);
  stage.scripted.play([[write("b.txt", "B\n")], [finish()], [answer("Done.")]]);
  const resumed = await stage.resume(ask);
  expect(await stage.over(ask, resumed)).toMatchObject({ attempt: 2, status: "done" });
  expect(await stage.text("log.txt")).toBe("A\n");
  expect(await stage.text("b.txt")).toBe("B\n");
  const calls = await stage.events("tool.call");
  expect(new Set(calls.map(({ cause }) => cause?.call)).size).toBe(calls.length);
  expect(calls).toHaveLength(3);
  expect(await stage.tasks()).toMatchObject([{ attempt: 2, status: "ok" }]);
  expect(stage.scripted.requests).toHaveLength(6);
});

test("ASK-10: closing pauses what is under way as interrupted; the next opening takes what is queued, in order", async () => {
  stage = await openStage();
  stage.scripted.play([[{ until: new Promise(() => {}) }]]);
  const first = await stage.say("one");
  const second = await stage.say("two");
  await stage.scripted.received(1);
  expect(stage.agents.busy).toBe(true);
  stage.scripted.play(["Second."]);
  stage = await stage.again();
  expect((await stage.over(second)).status).toBe("done");
  expect(await stage.value(first)).toMatchObject({
    detail: "ChoirOS was closed while it worked at this.",
    status: "interrupted",
  });
  stage.scripted.play(writesFile("a.txt", "A\n"));
  const resumed = await stage.resume(first);
  expect((await stage.over(first, resumed)).status).toBe("done");
});

test("ASK-11: a model that can't be reached pauses the ask with what to do, and it can be resumed", async () => {
  stage = await openStage();
  stage.scripted.play([{ status: 401, message: "invalid x-api-key" }]);
  const ask = await stage.say("Hello");
  const value = await stage.over(ask);
  expect(value).toMatchObject({ cost_usd: 0, status: "failed" });
  expect(value.detail).not.toBe("");
  stage.scripted.play(["Hello."]);
  expect((await stage.over(ask, await stage.resume(ask))).status).toBe("done");
});

test("ASK-18: what was said to an ask and not heard before it was paused is heard when it is resumed", async () => {
  stage = await openStage();
  stage.scripted.play([[{ until: new Promise(() => {}) }]]);
  const ask = await stage.say("Paint it");
  await stage.scripted.received(1);
  await stage.when(await stage.say("In blue", { conversation: ask }), "ask.steered");
  stage.stop(ask);
  await stage.over(ask);
  stage = await stage.again();
  stage.scripted.play([[answer("In blue, then.")]]);
  expect((await stage.over(ask, await stage.resume(ask))).status).toBe("done");
  expect(lastUserText(stage.scripted.requests[1] ?? expect.fail())).toContain("In blue");
});

test("ASK-19: an ask that is taken back while it is worked at stops", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({})], [write("a.txt", "A\n")], [{ until: new Promise(() => {}) }]]);
  const ask = await stage.say("Write");
  await stage.scripted.received(3);
  expect(await stage.computer.undo({ ask })).toMatchObject({ ok: true });
  expect((await stage.over(ask)).status).toBe("stopped");
  expect(await stage.text("a.txt")).toBeUndefined();
});

test("ASK-9: resumed after something of it was undone, whoever goes on hears what isn't done any more", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({})], [write("a.txt", "A\n")], [{ until: new Promise(() => {}) }]]);
  const ask = await stage.say("Write");
  await stage.scripted.received(3);
  stage.stop(ask);
  await stage.over(ask);
  expect(await stage.computer.undo({ ask })).toMatchObject({ ok: true });
  const told: string[] = [];
  const hear = (step: Step) => (request: Received) => {
    told.push(lastUserText(request));
    return [step];
  };
  stage.scripted.play([hear(write("a.txt", "A\n")), [finish()], hear(answer("Done."))]);
  expect((await stage.over(ask, await stage.resume(ask))).status).toBe("done");
  expect(await stage.text("a.txt")).toBe("A\n");
  for (const text of told) expect(text).toMatch(/The person has undone changes meanwhile.*: a\.txt\. What was undone/);
  stage.scripted.play([[plan({})], [{ until: new Promise(() => {}) }]]);
  const other = await stage.say("Write more");
  await stage.scripted.received(8);
  stage.stop(other);
  await stage.over(other);
  stage.scripted.play([hear(finish()), [answer("Done.")]]);
  await stage.over(other, await stage.resume(other));
  expect(told.at(-1)).not.toContain("undone"); // nothing was since
});

test("ASK-20: an ask that is resumed in the very moment in which it is paused is taken up again", async () => {
  stage = await openStage();
  for (let i = 0; i < 5; i++) {
    stage.scripted.play([[{ until: new Promise(() => {}) }]]);
    const ask = await stage.say("Wait");
    await stage.scripted.received(2 * i + 1);
    stage.stop(ask);
    await stage.when(ask, "ask.paused");
    stage.scripted.play(["Done."]);
    expect((await stage.over(ask, await stage.resume(ask))).status).toBe("done");
  }
  expect(stage.agents.busy).toBe(false);
});

test("ASK-21: a queued ask that is stopped isn't begun until it is resumed", async () => {
  stage = await openStage();
  const held = gate();
  stage.scripted.play([[{ until: held.opened }, "First."], "Third.", "Second."]);
  const [first, second, third] = [await stage.say("one"), await stage.say("two"), await stage.say("three")];
  await stage.scripted.received(1);
  stage.stop(second);
  expect((await stage.over(second)).status).toBe("stopped");
  held.open();
  await stage.over(first);
  await stage.over(third);
  const resumed = await stage.resume(second);
  expect(await stage.content((await stage.over(second, resumed)).answer)).toBe("Second.");
});
