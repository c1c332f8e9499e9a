import { expect, test } from "vitest";
import { computerStage, done } from "../testing/computer-stage.ts";
import { expectRefused } from "../testing/expect-refused.ts";

const stage = computerStage();

test("ACT-23: what the user says begins an ask, in a conversation of its own", async () => {
  const { computer, events } = await stage();
  const { seq } = done(await computer.say("hello", { id: "ask-1", paths: ["workspace/a.md"] }));
  expect((await events()).at(-1)).toMatchObject({
    cause: { ask: "ask-1", conversation: "ask-1" },
    id: "ask-1",
    payload: { paths: ["workspace/a.md"], text: "hello" },
    seq,
    source: "user",
    type: "message",
  });
  done(await computer.say("go on", { id: "ask-2", conversation: "ask-1" }));
  expect((await events()).at(-1)).toMatchObject({ cause: { ask: "ask-2", conversation: "ask-1" } });
  const { pages } = await computer.rows("conversation");
  expect((await Array.fromAsync(pages)).flat()).toMatchObject([
    { key: "ask-1", value: { messages: 2, title: "hello" } },
  ]);
});

test("ACT-23: what is too long for an event is a content, and what was said once isn't said twice", async () => {
  const desk = await stage();
  const long = "word ".repeat(10_000);
  const { seq } = done(await desk.computer.say(long, { id: "long" }));
  expect(done(await desk.computer.say(long, { id: "long" })).seq).toBe(seq);
  expect((await desk.events()).at(-1)).toMatchObject({ seq, payload: { content: { size: long.length } } });
  await expectRefused(desk, () => desk.computer.say(" \n"), { reason: "invalid" });
  await expectRefused(desk, () => desk.computer.say("look", { paths: ["../secret"] }), { reason: "invalid" });
});
