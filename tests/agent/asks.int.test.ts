import { afterEach, expect, test } from "vitest";
import { lastToolOutput, lastUserText } from "../model/received.ts";
import { answer, finish, plan, run, write, writesFile } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

test("AGENT-1: an ask is planned, done, checked, judged and answered, and all of it is in the log in that order", async () => {
  stage = await openStage();
  stage.scripted.play([
    [
      "I have it written.",
      plan({ instruction: "Write notes.md.", paths: ["notes.md"], verify: ["grep -q Hello notes.md"] }),
    ],
    [write("notes.md", "Hello.\n")],
    [finish("Wrote notes.md.")],
    [answer("It is in **notes.md**.", { look: ["notes.md"] })],
  ]);
  const ask = await stage.say("Write me a note");
  const value = await stage.over(ask);
  expect(value).toMatchObject({
    attempt: 1,
    look: ["workspace/notes.md"],
    status: "done",
    tokens_in: 400,
    tokens_out: 80,
  });
  expect(value.cost_usd).toBeCloseTo(0.48);
  expect(await stage.content(value.answer)).toBe("It is in **notes.md**.");
  expect(await stage.text("notes.md")).toBe("Hello.\n");
  expect((await stage.events()).map(({ type }) => type)).toEqual([
    "log.created",
    "message",
    "ask.started",
    "model.asked",
    "model.call",
    "task.planned",
    "task.approved",
    "task.started",
    "model.asked",
    "model.call",
    "tool.call",
    "file.write",
    "tool.result",
    "model.asked",
    "model.call",
    "tool.call",
    "tool.result",
    "receipt.check",
    "task.finished",
    "model.asked",
    "model.call",
    "ask.answered",
  ]);
  expect(await stage.tasks()).toMatchObject([{ ask, attempt: 1, status: "ok" }]);
  expect(stage.reported).toEqual([]);
});

test("AGENT-2: a failed check means a failed task, whatever the Associate says; the Director learns why and tries again", async () => {
  stage = await openStage();
  stage.scripted.play([
    [plan({ verify: ["echo wanted: $((1+1)); grep -q two a.txt"] })],
    [write("a.txt", "one\n")],
    [finish("All is well.")],
    (request) => [
      plan({ instruction: `It said: ${lastToolOutput(request)}`.slice(0, 2000), verify: ["grep -q two a.txt"] }),
    ],
    [run("echo two > a.txt")],
    [finish()],
    [answer("Now it is two.")],
  ]);
  const value = await stage.over(await stage.say("Write two"));
  expect(value.status).toBe("done");
  const tasks = await stage.tasks();
  expect(tasks.map(({ status }) => status)).toEqual(["failed", "ok"]);
  expect(tasks[1]?.instruction).toContain("wanted: 2");
  expect((await stage.events("receipt.check")).map(({ payload }) => payload)).toMatchObject([{ exit: 1 }, { exit: 0 }]);
});

test("AGENT-3: after three more tries the Director has to answer, and what failed isn't called done", async () => {
  stage = await openStage();
  const attempt = [[plan({ verify: ["false"] })], [finish()]];
  stage.scripted.play([...attempt, ...attempt, ...attempt, ...attempt]);
  stage.scripted.play([
    [plan({ verify: ["false"] })],
    (request) => [answer(lastToolOutput(request), { status: "done" })],
  ]);
  const value = await stage.over(await stage.say("Do what can't be done"));
  expect(value.status).toBe("given-up");
  expect(await stage.content(value.answer)).toContain("You have tried again 3 times");
  expect(await stage.tasks()).toHaveLength(4);
});

test("AGENT-4: a result that doesn't fit is asked for twice more, and then the task has failed", async () => {
  stage = await openStage();
  stage.scripted.play([
    [plan({})],
    [{ tool: "finish", input: { status: "great" } }],
    ["I am done."],
    [{ tool: "finish", raw: '{"status": "ok"' }],
    (request) => [answer(lastToolOutput(request))],
  ]);
  const value = await stage.over(await stage.say("Do it"));
  expect(value.status).toBe("given-up");
  expect(await stage.content(value.answer)).toContain("gave no result that fits, 3 times");
  expect(lastUserText(stage.scripted.requests[3] ?? expect.fail())).toContain("End with the tool finish");
});

test("AGENT-5: an ask that needs no task is answered without one, and words alone are an answer", async () => {
  stage = await openStage();
  stage.scripted.play(["It is 42."]);
  const value = await stage.over(await stage.say("What is six times seven?"));
  expect(value.status).toBe("done");
  expect(await stage.content(value.answer)).toBe("It is 42.");
});

test("AGENT-6: a follow-up goes on with what its conversation has", async () => {
  stage = await openStage();
  stage.scripted.play([...writesFile("a.txt", "A\n"), "You asked for a.txt."]);
  const first = await stage.say("Write a.txt");
  await stage.over(first);
  await stage.over(await stage.say("What did I ask?", { conversation: first }));
  const told = lastUserText(stage.scripted.requests.at(-1) ?? expect.fail());
  expect(told).toContain("The person said: Write a.txt");
  expect(told).toContain("You answered: I wrote a.txt.");
  expect(told).toContain("The person says: What did I ask?");
});
