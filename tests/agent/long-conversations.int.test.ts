import { afterEach, expect, test } from "vitest";
import { lastUserText, type Received } from "../model/received.ts";
import type { Step, Turn } from "../model/script.ts";
import { answer, finish, plan, write } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const TOO_LONG: Turn = { status: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" };
const read: Turn = [{ tool: "read_file", input: { path: "big.txt" } }];

test("AGENT-13: what tools answered long ago is shortened before a conversation gets too long", async () => {
  stage = await openStage();
  await stage.computer.write("workspace/big.txt", Buffer.from(`${"All work and no play. ".repeat(40)}\n`.repeat(70)));
  stage.scripted.play([[plan({})], ...Array.from({ length: 12 }, () => read), [finish()], [answer("Read.")]]);
  expect((await stage.over(await stage.say("Read it often"))).status).toBe("done");
  const sizes = stage.scripted.requests.slice(1, -1).map(({ text }) => text.length);
  expect(Math.max(...sizes)).toBeLessThan(700_000);
  const last = stage.scripted.requests.at(-2) ?? expect.fail();
  expect(last.messages.filter(({ text }) => text.includes("(shortened;")).length).toBeGreaterThan(3);
});

test("AGENT-14: a conversation that is too long for its model is gone on with from a summary, also after a stop", async () => {
  stage = await openStage();
  const steps = ["a", "b", "c", "d", "e", "f"].map((name): Turn => [write(`${name}.txt`, `${name}\n`)]);
  stage.scripted.play([[plan({ instruction: "Write six files." })], ...steps, TOO_LONG, "Six files were written."]);
  stage.scripted.play([[{ until: new Promise(() => {}) }]]);
  const ask = await stage.say("Write six files");
  await stage.scripted.received(10);
  stage.stop(ask);
  await stage.over(ask);
  stage.scripted.play([[finish()], [answer("Done.")]]);
  expect((await stage.over(ask, await stage.resume(ask))).status).toBe("done");
  const [before, summing, after, resumed] = stage.scripted.requests.slice(7);
  expect(summing?.messages).toHaveLength(1);
  expect(after?.messages.length).toBeLessThan(before?.messages.length ?? 0);
  for (const request of [after, resumed]) {
    const [first] = request?.messages ?? [];
    expect(first?.text).toContain("Write six files.");
    expect(first?.text).toContain("What happened until now, in short:\nSix files were written.");
  }
  expect((await stage.events("model.call")).length).toBe(stage.scripted.requests.length);
});

test("AGENT-15: an answer that is cut off in the middle is gone on with, and what came of it isn't asked for again", async () => {
  stage = await openStage();
  stage.scripted.play([["It is ", { cut: true }], "forty-two."]);
  const value = await stage.over(await stage.say("What is six times seven?"));
  expect(value.status).toBe("done");
  expect(await stage.content(value.answer)).toBe("It is forty-two.");
  expect(lastUserText(stage.scripted.requests[1] ?? expect.fail())).toContain("You were cut off");
});

const isSummary = ({ text }: Received) => text.includes("the beginning of a piece of work");

test("ASK-14: what is asked for after a summary is held against the limits, too", async () => {
  stage = await openStage({ policy: "[limits.ask]\nsteps = 7\n" }); // the seventh is the summary
  stage.scripted.always((request) =>
    isSummary(request) ? ["It goes on."] : ["x".repeat(90_000), { tool: "list_files", input: {} }],
  );
  const { detail } = await stage.over(await stage.say("Go on and on"));
  expect(detail).toContain("The ask reached its limit of 7 steps.");
  expect(stage.scripted.requests.map(isSummary)).toEqual([...Array(6).fill(false), true]);
});

test("ASK-14: so is each try with less of what is too long", async () => {
  stage = await openStage({ policy: "[limits.ask]\nsteps = 3\n" });
  stage.scripted.play([[{ tool: "list_files", input: {} }]]);
  stage.scripted.always(TOO_LONG);
  expect((await stage.over(await stage.say("Look"))).status).toBe("limit");
  expect(stage.scripted.requests).toHaveLength(3);
});

test("AGENT-14: of several summaries, one after the other, the last stands beside how it began", async () => {
  stage = await openStage();
  let summaries = 0;
  stage.scripted.always((request) => {
    if (isSummary(request)) return [`Summary ${++summaries}.`];
    return summaries < 3 ? ["x".repeat(90_000), { tool: "list_files", input: {} }] : [answer("Done.")];
  });
  expect((await stage.over(await stage.say("Go on and on"))).status).toBe("done");
  const [first] = stage.scripted.requests.at(-1)?.messages ?? [];
  expect(first?.text).toMatch(/The person says: Go on and on.*in short:\nSummary 3\.$/s);
  expect(first?.text).not.toMatch(/Summary [12]/);
  const [summing] = stage.scripted.requests.findLast(isSummary)?.messages ?? [];
  expect(summing?.text).toContain("Summary 2."); // what it stood for isn't lost
});

test.each<[string, Step]>([
  ["words", "It is "],
  ["a thought", { thought: "Hm.", signature: "s" }],
  ["half of a call", { tool: "answer", raw: '{"te' }],
])("AGENT-15: a model that is cut off again and again after %s isn't asked without end", async (_, came) => {
  stage = await openStage();
  stage.scripted.always([came, { cut: true }]);
  const value = await stage.over(await stage.say("What is six times seven?"));
  expect(value).toMatchObject({ detail: "The model was cut off 4 times.", status: "failed" });
  expect(stage.scripted.requests).toHaveLength(4);
});

const many: Turn = Array.from({ length: 20 }, () => ({ tool: "read_file", input: { path: "big.txt" } }));

test("AGENT-17: what the tools of one answer say is shared out, and the whole of each can still be had", async () => {
  stage = await openStage();
  await stage.computer.write("workspace/big.txt", Buffer.from(`${"All work and no play. ".repeat(40)}\n`.repeat(70)));
  stage.scripted.play([[plan({})], many, [finish()], [answer("Read.")]]);
  expect((await stage.over(await stage.say("Read it often"))).status).toBe("done");
  const replies = stage.scripted.requests[2]?.messages.filter(({ role }) => role === "tool") ?? [];
  expect(replies).toHaveLength(20);
  expect(replies.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(220_000);
  for (const { text } of replies) expect(text).toMatch(/bytes are left out here: job_output with \{"job": "[\w-]+"/);
});

test("AGENT-17: what is still too long is cut, the longest first, and a conversation that was jammed by it goes on", async () => {
  stage = await openStage();
  await stage.computer.write("workspace/big.txt", Buffer.from(`${"All work and no play. ".repeat(40)}\n`.repeat(70)));
  await stage.computer.write("workspace/small.txt", Buffer.from("A short one.\n"));
  const small = { tool: "read_file", input: { path: "small.txt" } };
  stage.scripted.play([[plan({})], [...(Array.isArray(many) ? many : []), small]]);
  stage.scripted.always((request) => {
    if (request.text.length > 60_000) return TOO_LONG;
    return request.tools.includes("plan") ? [answer("Read.")] : [finish()];
  });
  const ask = await stage.say("Read it often");
  expect((await stage.over(ask)).status).toBe("done");
  const went = stage.scripted.requests.findLast(({ tools }) => tools.includes("finish"));
  expect(went?.messages.some(({ text }) => text.includes("A short one."))).toBe(true);
  expect(went?.text).toContain("(shortened;");
});
