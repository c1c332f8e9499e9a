import { type Command, type Opened, openSandbox, type Running } from "@choiros/sandbox";
import { afterEach, expect, test } from "vitest";
import type { Received } from "../model/received.ts";
import type { Turn } from "../model/script.ts";
import { answer, finish, plan, run, write } from "./scripts.ts";
import { openStage, type Stage, type StageOptions } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const MAKES_THREE = "touch a b c";
const HOW_TO_GO_ON =
  "What it did by then stands. Resume it to go on with as much again, or raise the limit in policy.toml.";

test.each([
  ["files = 3", "3 changed files and folders: what was to come next makes it 51"],
  ["bytes = 10000", "10000 written bytes: what was to come next makes it 1000001"],
])("ASK-14: with %s a command that would leave more leaves nothing, and the ask is paused", async (limit, words) => {
  stage = await openStage({ policy: `[limits.ask]\n${limit}\n` });
  const many = "for i in $(seq 50); do head -c 20000 /dev/zero > f$i; done";
  stage.scripted.play([[plan({})], [write("a", "a"), run(many), write("b", "b")]]);
  const ask = await stage.say("Make files");
  const { detail, status } = await stage.over(ask);
  expect(status).toBe("limit");
  expect(detail).toBe(`The ask reached its limit of ${words}, and none of that was kept. ${HOW_TO_GO_ON}`);
  expect(await names()).toEqual(["workspace/a"]);
  const results = (await stage.events("tool.result")).map(({ payload }) => payload);
  expect(results).toMatchObject([
    { status: "ok" },
    { reason: expect.stringMatching(/^with it the ask would come to/), status: "stopped" },
  ]);
  // Resumed, its model is told, nothing is done again, and it may use as much again.
  stage.scripted.play([(request) => [write("told", toldOf(request))], [finish()], [answer("Done.")]]);
  expect(await stage.over(ask, await stage.resume(ask))).toMatchObject({ status: "done" });
  expect(await names()).toEqual(["workspace/a", "workspace/b", "workspace/told"]);
  expect(await stage.text("told")).toContain("nothing of what it did was kept");
});

test("ASK-14: what is written or edited is held against what is left, and one that is too much isn't written", async () => {
  stage = await openStage({ policy: "[limits.ask]\nbytes = 10\n" });
  const edit = { tool: "edit_file", input: { path: "a", edits: [{ old: "a", new: "twelve bytes" }] } };
  stage.scripted.play([[plan({})], [write("a", "a")], [edit]]);
  const ask = await stage.say("Write");
  const { detail } = await stage.over(ask);
  expect(detail).toContain(
    "The ask reached its limit of 10 written bytes: what was to come next makes it 13, and none",
  );
  expect(await stage.text("a")).toBe("a");
  stage.scripted.play([[write("deep/er/b", "b".repeat(11))]]);
  await stage.over(ask, await stage.resume(ask));
  expect(await names()).toEqual(["workspace/a"]);
  stage.scripted.play([[write("b", "b".repeat(10))], [finish()], [answer("Done.")]]);
  expect(await stage.over(ask, await stage.resume(ask))).toMatchObject({ status: "done" });
  expect(await stage.text("b")).toBe("b".repeat(10));
});

test("ASK-14: without an overlay a command that leaves more is taken back", async () => {
  stage = await openStage({
    policy: "[limits.ask]\nfiles = 2\n",
    sandbox: async (options) => {
      const opened = await openSandbox(options);
      if (opened.ok) Object.assign(opened.sandbox, { overlay: { ok: false, why: "not in this test" } });
      return opened;
    },
  });
  stage.scripted.play([[plan({})], [run(MAKES_THREE)]]);
  expect(await stage.over(await stage.say("Make files"))).toMatchObject({ status: "limit" });
  expect(await names()).toEqual([]);
});

test("ASK-14: commands in the background that end together leave no more than is left", async () => {
  const sandbox: StageOptions["sandbox"] = async (options) => endingTogether(await openSandbox(options), 3);
  stage = await openStage({ policy: "[limits.ask]\nfiles = 2\n", sandbox });
  const begin = (...names: string[]) => ({
    tool: "bash",
    input: { command: `touch ${names.join(" ")}`, background: true },
  });
  const ended = async (): Promise<Turn> => {
    let results = 0;
    for await (const { type } of stage.computer.log.subscribe()) if (type === "tool.result" && ++results === 3) break;
    return [write("d", "d")];
  };
  stage.scripted.play([[plan({})], [begin("a"), begin("b"), begin("c")], ended]);
  const { detail, status } = await stage.over(await stage.say("Make files"));
  expect(status).toBe("limit");
  expect(detail).toContain("its limit of 2 changed files and folders: what was to come next makes it 3, and none");
  expect(await names()).toHaveLength(2);
  expect(await stage.text("d")).toBeUndefined();
});

test("ASK-14: what a command in the background leaves is held against the limit once it has ended", async () => {
  stage = await openStage({ policy: "[limits.ask]\nfiles = 3\n" });
  const landed = async (): Promise<Turn> => {
    for await (const { type } of stage.computer.log.subscribe()) if (type === "files.changed") break;
    return [{ tool: "job_output", input: { job: "none" } }, write("d", "d")];
  };
  stage.scripted.play([[plan({})], [{ tool: "bash", input: { command: MAKES_THREE, background: true } }], landed]);
  const ask = await stage.say("Make files");
  const { detail, status } = await stage.over(ask);
  expect(status).toBe("limit");
  expect(detail).toContain("its limit of 3 changed files and folders: what was to come next makes it 4, and none");
  expect(await names()).toEqual(["workspace/a", "workspace/b", "workspace/c"]);
  stage.scripted.play([[finish()], [answer("Done.")]]);
  expect(await stage.over(ask, await stage.resume(ask))).toMatchObject({ status: "done" });
});

test("ASK-14: a check that would leave more leaves nothing, and resumed it is run again", async () => {
  stage = await openStage({ policy: "[limits.ask]\nfiles = 3\n" });
  stage.scripted.play([[plan({ verify: [MAKES_THREE, "touch d"] })], [write("x", "x")], [finish()]]);
  const ask = await stage.say("Check it");
  expect(await stage.over(ask)).toMatchObject({ status: "limit" });
  expect(await names()).toEqual(["workspace/x"]);
  expect((await stage.events("task.finished", "receipt.check")).length).toBe(0);
  expect(await stage.over(ask, await stage.resume(ask))).toMatchObject({ status: "limit" });
  expect(await names()).toEqual(["a", "b", "c", "x"].map((name) => `workspace/${name}`));
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
  expect(await names()).toEqual([]);
});

function toldOf({ messages }: Received): string {
  return messages.flatMap(({ role, text }) => (role === "tool" ? [text] : [])).join("\n");
}

async function names(): Promise<string[]> {
  const pages = await Array.fromAsync(stage.computer.files({ under: "workspace" }));
  return pages.flat().map(({ key }) => key);
}

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

/** None of its commands ends before so many run. */
function endingTogether(opened: Opened, many: number): Opened {
  if (!opened.ok) return opened;
  const { sandbox } = opened;
  const all = Promise.withResolvers<void>();
  const run = sandbox.run.bind(sandbox);
  let begun = 0;
  const held = async (command: Command): Promise<Running> => {
    const running = await run(command);
    const { ended, stderr, stdout } = running;
    begun += 1;
    if (begun === many) all.resolve();
    return { ended: all.promise.then(() => ended), kill: () => running.kill(), stderr, stdout };
  };
  Object.assign(sandbox, { run: held });
  return opened;
}
