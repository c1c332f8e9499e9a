import { afterEach, expect, test } from "vitest";
import { lastToolOutput } from "../model/received.ts";
import { answer, finish, gate, plan, run } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const LONG = Array.from({ length: 20 }, () => `true # ${"界".repeat(4000)}`);
const MANY = Array.from({ length: 100 }, (_, i) => `/choiros/${"n".repeat(200)}/${"m".repeat(200)}/${i}`);

test("AGENT-10: of an instruction that is long the question shows the beginning, and the task has all of it", async () => {
  stage = await openStage();
  const instruction = `${"Do it well. ".repeat(500)}The end.`;
  stage.scripted.play([[plan({ instruction, egress: ["example.org"] })], [finish()], [answer("Done.")]]);
  const ask = await stage.say("Go");
  const asked = await stage.when(ask, "approval.asked");
  if (asked.type !== "approval.asked") throw new Error(asked.type);
  expect(asked.payload.why).toMatch(/^Do it well\. .* … \(cut off: 6008 characters in all\)$/);
  await stage.computer.answer(asked.payload.approval, "task");
  expect((await stage.over(ask)).status).toBe("done");
  expect(stage.scripted.requests[1]?.text).toContain("The end.");
});

test.each([
  ["paths that are too many to be asked for", { paths: MANY }, "that is too much to be asked for at once"],
  ["an address for a host", { egress: ["127.0.0.1"] }, "'127.0.0.1' can't be a host: it is an IP address"],
  [
    "more than an event has room for",
    { acceptance_criteria: Array(20).fill("界".repeat(4096)), verify: LONG },
    "is too long",
  ],
  [
    "a pattern for a path",
    { paths: ["src/**"] },
    "'src/**' is a pattern, which can't be a path here: name files, or a folder",
  ],
  ["a place beside the workspace", { paths: ["/workspace//e9"] }, "is not in the computer"],
])("AGENT-5: a plan with %s is told to the Director, and the ask goes on", async (_, task, why) => {
  stage = await openStage();
  stage.scripted.play([[plan(task)], (request) => [answer(lastToolOutput(request))]]);
  const value = await stage.over(await stage.say("Go"));
  expect(value.answer === null ? value.detail : await stage.content(value.answer)).toContain(why);
});

test("AGENT-5: half a character in what a model says or asks doesn't end the ask", async () => {
  stage = await openStage();
  stage.scripted.play([
    [plan({ instruction: "Do \ud800 it", acceptance_criteria: ["\udfff"], verify: ["true \ud800"] })],
    [{ tool: "notify", input: { title: "\ud800" } }],
    [run(`true ${"x".repeat(994)}\u{1f600}`)],
    [finish("\ud800 done")],
    [answer("\ud800 Done.")],
  ]);
  const value = await stage.over(await stage.say("Go"));
  expect(value).toMatchObject({ detail: null, status: "done" });
});

test("MODEL-4: a call that the answer's length has cut off is told as that, and not as wrong JSON", async () => {
  stage = await openStage();
  stage.scripted.play([
    [plan({})],
    [{ tool: "write_file", raw: '{"path": "a.md", "content": "xxxxxxxxx' }, { stop: "length" }],
    (request) => [finish(lastToolOutput(request))],
    (request) => [answer(lastToolOutput(request))],
  ]);
  const value = await stage.over(await stage.say("Go"));
  expect(await stage.content(value.answer)).toContain(
    "the input of write_file was cut off, for your answer got too long: do it in smaller parts",
  );
});

test("MODEL-2: a call that is nested without end is told as that, and the ask goes on", async () => {
  stage = await openStage();
  const raw = `{"path":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  stage.scripted.play([[{ tool: "read_file", raw }], (request) => [answer(lastToolOutput(request))]]);
  const value = await stage.over(await stage.say("Go"));
  expect(value).toMatchObject({ detail: null, status: "done" });
  expect(await stage.content(value.answer)).toContain("the input of read_file was not JSON, or nested too deep: ");
});

test("TOOL-2: no tool that a model is told of, a loop's own or any other, names a dialect or a pattern that its server may not know", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({ allowed_tools: ["read_file", "undo"] })], [finish()], [answer("Done.")]]);
  await stage.over(await stage.say("Go"));
  const told = stage.scripted.requests.map(({ text, tools }) => [tools.length > 3, UNKNOWN.test(text)]);
  expect(told).toEqual(Array(3).fill([true, false]));
});

/** As llama.cpp makes a grammar of what tools take, one of these in one of them is no answer at all. */
const UNKNOWN = /"\$schema"|"pattern":\s*"|"maxLength":/;

test("AGENT-1: an answer that is given before what came of a task is known is no answer", async () => {
  stage = await openStage();
  stage.scripted.play([
    [plan({}), answer("It is done.")],
    [finish("It can't be done.", "failed")],
    (request) => [answer(lastToolOutput(request))],
  ]);
  const value = await stage.over(await stage.say("Go"));
  expect(value.status).toBe("given-up");
  expect(await stage.content(value.answer)).toContain("Call answer by itself");
});

test("TOOL-2: a call that is named as the computer's own and isn't JSON is an answer, and the task ends as any", async () => {
  stage = await openStage();
  stage.scripted.play([[plan({})], [{ tool: "exec", raw: "{not json" }], [finish()], [answer("Done.")]]);
  expect(await stage.over(await stage.say("Go"))).toMatchObject({ detail: null, status: "done" });
});

test.each(["{not json", "[]"])("AGENT-2: a log where a command was called with %s lets its task end", async (said) => {
  stage = await openStage();
  const held = gate();
  stage.scripted.play([[plan({})], [{ until: held.opened }, run("true")], [finish()], [answer("Done.")]]);
  const ask = await stage.say("Go");
  const { cause } = await stage.when(ask, "task.started");
  const { log, contents } = stage.computer;
  const input = await contents.put(Buffer.from(said));
  const called = { ...cause, call: "old" };
  await log.append({ source: "agent", type: "tool.call", cause: called, payload: { input, tool: "exec" } });
  await log.append({ source: "agent", type: "tool.result", cause: called, payload: { exit: 0, status: "ok" } });
  held.open();
  expect(await stage.over(ask)).toMatchObject({ detail: null, status: "done" });
  const [finished] = await stage.events("task.finished");
  expect(finished?.payload).toMatchObject({ commands_run: [{ command: "true", exit: 0 }] });
});
