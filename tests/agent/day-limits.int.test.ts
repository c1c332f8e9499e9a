import type { Model } from "@choiros/agent";
import { afterEach, expect, test } from "vitest";
import { answer, finish, plan, write, writesFile } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

test.each([
  ["tokens = 480", "480 tokens."],
  ["cost_usd = 0.48", "0.48 USD."],
  ["files = 2", "2 changed files and folders: what was to come next makes it 3,"],
  ["bytes = 4", "4 written bytes: what was to come next makes it 6,"],
])("ASK-15: a day's limit of %s holds for all of its asks together, also after a restart", async (limit, words) => {
  stage = await openStage({ policy: `[limits.day]\n${limit}\n` });
  stage.scripted.play([[plan({})], [write("a.txt", "A\n"), write("b.txt", "B\n")], [finish()], [answer("Done.")]]);
  await stage.over(await stage.say("one"));
  for (const again of [false, true]) {
    if (again) stage = await stage.again();
    stage.scripted.play([[plan({})], [write("c.txt", "C\n")]]);
    const { detail, status } = await stage.over(await stage.say("more"));
    expect(status).toBe("limit");
    expect(detail).toContain(`The day reached its limit of ${words}`);
  }
});

test("ASK-15: a day's time is used by all of its asks, also by one that isn't over", async () => {
  stage = await openStage({ policy: "[limits.day]\ntime_s = 4\n" });
  stage.scripted.play([[{ tool: "ask_user", input: { question: "Which?" } }], [{ until: new Promise(() => {}) }]]);
  const first = await stage.say("Paint it");
  await stage.when(first, "ask.wondered");
  const other = await stage.over(await stage.say("Take your time"));
  expect(other).toMatchObject({
    status: "limit",
    detail: expect.stringContaining("The day reached its limit of 4 sec"),
  });
  await stage.say("blue", { conversation: first });
  expect(await stage.over(first)).toMatchObject({ status: "limit" });
  expect(stage.scripted.requests.length).toBeLessThanOrEqual(3);
});

test("ASK-23: where a provider doesn't count tokens, their limit holds by an estimate, and no number is made up", async () => {
  const uncounted = (model: Model): Model => ({
    ...model,
    ask: async (request, options) => ({
      ...(await model.ask(request, options)),
      usage: { in: null, out: null, cached: null },
    }),
  });
  stage = await openStage({
    policy: "[limits.ask]\ntokens = 4000\n[limits.day]\ntokens = 4000\n",
    means: async (means) => ({
      ...means,
      director: uncounted(means.director),
      associate: uncounted(means.associate),
      costOf: () => null,
    }),
  });
  stage.scripted.play(writesFile("a.txt", "A\n"));
  const value = await stage.over(await stage.say("Write"));
  expect(value).toMatchObject({ status: "limit", tokens_in: 0, cost_unknown: true });
  expect(value.detail).toContain("The ask reached its limit of 4000 tokens.");
  stage = await stage.again();
  const { detail } = await stage.over(await stage.say("More"));
  expect(detail).toContain("The day reached its limit of 4000 tokens.");
});
