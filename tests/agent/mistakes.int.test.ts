import { afterEach, expect, test } from "vitest";
import { lastToolOutput } from "../model/received.ts";
import { answer, finish, plan, run } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

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
