import { afterEach, expect, test } from "vitest";
import type { Turn } from "../model/script.ts";
import { answer, finish, plan, run, write } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const MAKES_THREE = "touch a b c";

test("ASK-14: what a command in the background leaves is held against the limit once it has ended", async () => {
  stage = await openStage({ policy: "[limits.ask]\nfiles = 2\n" });
  const landed = async (): Promise<Turn> => {
    for await (const { type } of stage.computer.log.subscribe()) if (type === "files.changed") break;
    return [{ tool: "job_output", input: { job: "none" } }, write("d", "d")];
  };
  stage.scripted.play([[plan({})], [{ tool: "bash", input: { command: MAKES_THREE, background: true } }], landed]);
  const ask = await stage.say("Make files");
  const { detail, status } = await stage.over(ask);
  expect(status).toBe("limit");
  expect(detail).toContain("The ask reached its limit of 2 changed files.");
  expect([await stage.text("c"), await stage.text("d")]).toEqual(["", undefined]);
  stage.scripted.play([[finish()], [answer("Done.")]]);
  expect(await stage.over(ask, await stage.resume(ask))).toMatchObject({ status: "done" });
});

test("ASK-14: what a check leaves is held against the limit, and resumed the next check is run", async () => {
  stage = await openStage({ policy: "[limits.ask]\nfiles = 2\n" });
  stage.scripted.play([[plan({ verify: [MAKES_THREE, "touch d"] })], [finish()]]);
  const ask = await stage.say("Check it");
  expect(await stage.over(ask)).toMatchObject({ status: "limit" });
  expect([await stage.text("c"), await stage.text("d")]).toEqual(["", undefined]);
  expect((await stage.events("task.finished")).length).toBe(0);
  stage.scripted.play([[answer("Done.")]]);
  expect(await stage.over(ask, await stage.resume(ask))).toMatchObject({ status: "done" });
  expect(await stage.text("d")).toBe("");
  expect((await stage.events("receipt.check")).length).toBe(2);
});

test("AGENT-7: a task whose checks reach its own limit has failed", async () => {
  stage = await openStage({ policy: "[limits.task]\nfiles = 2\n" });
  stage.scripted.play([[plan({ verify: [MAKES_THREE, "touch d"] })], [finish()], [answer("It didn't go.")]]);
  expect(await stage.over(await stage.say("Check it"))).toMatchObject({ status: "given-up" });
  const [finished] = await stage.events("task.finished");
  expect(finished?.payload).toMatchObject({ status: "failed" });
  expect(await stage.text("d")).toBeUndefined();
});

test("LEASE-4: what is ignored is settled by the user: an agent that writes .choirignore asks first", async () => {
  stage = await openStage();
  stage.scripted.play([
    [plan({})],
    [write(".choirignore", "bulk/\n")],
    [run("echo bulk/ > .choirignore; mkdir bulk; touch bulk/x")],
    [finish("It may not.", "failed")],
    [answer("It may not.", { status: "given-up" })],
  ]);
  const ask = await stage.say("Hide it");
  const asked = await stage.when(ask, "approval.asked");
  expect(asked.payload).toMatchObject({ covers: "edit .choirignore" });
  if (asked.type === "approval.asked") await stage.computer.answer(asked.payload.approval, "denied");
  expect(await stage.over(ask)).toMatchObject({ status: "given-up" });
  const results = (await stage.events("tool.result")).map(({ payload }) => payload);
  expect(results).toMatchObject([{ status: "denied" }, { status: "denied" }]);
  expect([await stage.text(".choirignore"), await stage.text("bulk/x")]).toEqual([undefined, undefined]);
});
