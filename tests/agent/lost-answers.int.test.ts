import type { Means } from "@choiros/agent";
import { afterEach, expect, test } from "vitest";
import { answer } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

/** As prices are: without both counts nobody knows what it comes to. */
const priced = async (means: Means): Promise<Means> => ({
  ...means,
  costOf: (_, __, { in: read, out }) => (read === null || out === null ? null : (read + out) / 1000),
});

async function callsOf(): Promise<unknown[]> {
  const events = await stage.events("model.asked", "model.call");
  return events.map(({ type, payload }) =>
    type === "model.call"
      ? [payload.status, payload.tokens_in, payload.cost_usd, payload.response === null ? "nothing" : "something"]
      : "asked",
  );
}

test("MODEL-7, AGENT-1: an answer that is cut off before anything of it came is asked for again, and each try is told with its tokens", async () => {
  stage = await openStage({ means: priced });
  stage.scripted.play([[{ cut: true }], [answer("Here I am.")]]);
  const value = await stage.over(await stage.say("Hello"));
  expect(await callsOf()).toEqual(["asked", ["failed", 100, null, "nothing"], "asked", ["ok", 100, 0.12, "something"]]);
  expect(value).toMatchObject({ status: "done", tokens_in: 200, tokens_out: 20, cost_unknown: true, cost_usd: 0.12 });
});

test("ASK-14, ASK-23: tries that brought nothing count against the limit of tokens, and what they cost is unknown", async () => {
  stage = await openStage({ means: priced, policy: "[limits.ask]\ntokens = 300\n" });
  stage.scripted.play([[{ cut: true }], [{ cut: true }], [{ tool: "look", input: {} }]]);
  const value = await stage.over(await stage.say("Hello"));
  expect(value).toMatchObject({ status: "limit", tokens_in: 300, cost_unknown: true });
  expect(value.detail).toContain("The ask reached its limit of 300 tokens.");
});

test("MODEL-7, ASK-23: where every try is cut off the ask is paused, and its cost isn't said to be nothing", async () => {
  stage = await openStage({ means: priced });
  stage.scripted.always([{ cut: true }]);
  const value = await stage.over(await stage.say("Hello"));
  expect(value).toMatchObject({ status: "failed", tokens_in: 500, cost_unknown: true, cost_usd: 0 });
  const tries = Array.from({ length: 5 }, () => ["asked", ["failed", 100, null, "nothing"]]);
  expect(await callsOf()).toEqual(tries.flat());
});
