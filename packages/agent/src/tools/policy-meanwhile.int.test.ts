import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type ToolDesk, toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();

/** Writes what is outside of the lease; while that is asked for the policy becomes another one, and then it is allowed. */
async function allowedUnder(policy: string, desk: ToolDesk, decision: "once" | "task" | "always") {
  const from = (await desk.head()) + 1;
  const writing = desk.use("write_file", { path: "/choiros/a.ts", content: "x" });
  for await (const { type, payload } of desk.computer.log.subscribe({ from })) {
    if (type !== "approval.asked") continue;
    writeFileSync(desk.policy.file, policy);
    await desk.computer.answer(String(payload.approval), decision);
    break;
  }
  return writing;
}

test.each(["once", "task", "always"] as const)(
  "LEASE-10: what the policy never allows by the time it is allowed (%s) isn't done",
  async (decision) => {
    const desk = await stage({ paths: [] });
    expect(await allowedUnder('never = ["edit /choiros"]\n', desk, decision)).toMatchObject({
      status: "denied",
      text: "the policy never allows: edit /choiros/a.ts",
    });
    expect(await desk.computer.read("choiros/a.ts")).toBeUndefined();
  },
);

test("LEASE-10: what the policy has to be asked about by then is asked for too, and what was answered isn't asked again", async () => {
  const desk = await stage({ paths: [] });
  const writing = allowedUnder('ask = ["tool write_file", "edit /choiros"]\n', desk, "once");
  const asked: string[] = [];
  for await (const { type, payload } of desk.computer.log.subscribe()) {
    if (type !== "approval.asked" || asked.push(String(payload.covers)) < 2) continue;
    await desk.computer.answer(String(payload.approval), "once");
    break;
  }
  expect(await writing).toMatchObject({ status: "ok" });
  expect(asked).toEqual(["edit /choiros/a.ts", "tool write_file"]);
});

test("LEASE-10: where the policy is wrong by then nothing is done, and it says where", async () => {
  const desk = await stage({ paths: [] });
  expect(await allowedUnder('allow = ["fly"]\n', desk, "once")).toMatchObject({
    status: "denied",
    text: expect.stringContaining("policy.toml:1"),
  });
  expect(await desk.computer.read("choiros/a.ts")).toBeUndefined();
});

test("LEASE-5: 'always' that can't be kept gives no leave, now or later", async () => {
  const desk = await stage({ paths: [] });
  expect(await allowedUnder("nonsense = [", desk, "always")).toMatchObject({
    status: "denied",
    text: expect.stringContaining("that it is allowed for good could not be kept"),
  });
  writeFileSync(desk.policy.file, "");
  const asked = desk.answerNext("denied");
  expect(await desk.use("write_file", { path: "/choiros/a.ts", content: "x" })).toMatchObject({ status: "denied" });
  expect(await asked).toBe("edit /choiros/a.ts");
});

test.each([
  ["the path is never changed", 'never = ["edit private"]\n'],
  ["the path is to be asked for", 'ask = ["edit private"]\n'],
  ["no command runs any more", 'never = ["tool bash"]\n'],
  ["it is wrong", "nonsense = ["],
])("LEASE-10: nothing of a job lands that the policy doesn't allow when it has ended: %s", async (_, policy) => {
  const desk = await stage();
  await desk.write("signs/a", "");
  const wait = "until ls signs | grep -q go; do sleep 0.01; done";
  const command = `echo x > open.txt; mkdir private; echo x > private/new.txt; echo ready; ${wait}`;
  await desk.use("bash", { command, background: true }, { call: "j1" });
  const job = desk.work.jobs.get("j1");
  await expect.poll(async () => Buffer.from((await job?.said())?.bytes ?? []).toString()).toBe("ready\n");
  writeFileSync(desk.policy.file, policy);
  await desk.write("signs/go", "");
  expect(await job?.ended).toMatchObject({
    status: "denied",
    text: expect.stringContaining("which it may not: nothing of what it did was kept"),
  });
  expect([await desk.text("open.txt"), await desk.text("private/new.txt")]).toEqual([undefined, undefined]);
});

test("LEASE-10: what is never changed by now isn't changed back, either", async () => {
  const desk = await stage();
  await desk.use("write_file", { path: "private/a", content: "x" }, { call: "c1" });
  writeFileSync(desk.policy.file, 'never = ["edit private"]\n');
  expect(await desk.use("undo", {})).toMatchObject({ status: "denied" });
  expect(await desk.text("private/a")).toBe("x");
});

test("LEASE-10: what was allowed for one command alone holds when it has ended", async () => {
  const desk = await stage({ paths: [] });
  const asked = desk.answerNext("once");
  const done = await desk.use("bash", { command: "echo x > /home/choir/choiros/a.ts", edits: ["/choiros"] });
  expect(await asked).toBe("edit /choiros");
  expect(done).toMatchObject({ status: "ok", changed: ["choiros/a.ts"] });
});

test.each([
  ["every tool", "tool *", "tool job_output, tool bash"],
  ["what it was said by", "tool bash", "tool bash"],
  ["what tells it", "tool job_output", "tool job_output"],
])("LEASE-10: what commands said isn't told any more where the policy never allows %s", async (_, line, never) => {
  const desk = await stage();
  await desk.use("bash", { command: "echo over" }, { call: "c1" });
  await desk.use("bash", { command: "echo ready; sleep 600", background: true }, { call: "j1" });
  await expect.poll(async () => (await desk.use("job_output", { job: "j1" })).text).toContain("ready");
  writeFileSync(desk.policy.file, `never = ["${line}"]\n`);
  for (const job of ["c1", "j1"])
    expect(await desk.use("job_output", { job })).toMatchObject({
      status: "denied",
      text: `the policy never allows: ${never}`,
    });
});

test("LEASE-10: what a file's reading said isn't told any more where it is never to be read, and what others said is", async () => {
  const desk = await stage();
  await desk.write("private/a.md", "dear diary\n");
  await desk.use("read_file", { path: "private/a.md" }, { call: "c1" });
  await desk.use("bash", { command: "echo hello" }, { call: "c2" });
  const told = async (job: string) => (await desk.use("job_output", { job })).text;
  expect((await desk.use("job_output", { job: "c1" }, { call: "c3" })).text).toContain("dear diary");
  writeFileSync(desk.policy.file, 'never = ["read private"]\n');
  for (const call of ["c1", "c3"]) expect(await told(call)).toBe("the policy never allows: read private/a.md");
  expect(await told("c2")).toContain("hello");
  writeFileSync(desk.policy.file, 'never = ["tool read_file"]\n');
  expect(await told("c1")).toBe("the policy never allows: tool read_file");
  expect(await told("c2")).toContain("hello");
});

test("LEASE-10: a call that asks what it said itself is told of like any other", async () => {
  const desk = await stage();
  await desk.use("job_output", { job: "c1" }, { call: "c1" });
  expect((await desk.use("job_output", { job: "c1" })).text).toContain("there is no job or call 'c1' in this task");
});

test("LEASE-10: a job is stopped whatever the policy says by then, and what it said isn't told", async () => {
  const desk = await stage();
  await desk.use("bash", { command: "echo ready; sleep 600", background: true }, { call: "j1" });
  const job = desk.work.jobs.get("j1");
  await expect.poll(async () => Buffer.from((await job?.said())?.bytes ?? []).toString()).toBe("ready\n");
  writeFileSync(desk.policy.file, 'never = ["tool *"]\n');
  const stop = () => desk.use("job_stop", { job: "j1" });
  expect(await stop()).toMatchObject({ status: "ok", text: "it was stopped" });
  expect(job?.outcome).toMatchObject({ status: "stopped" });
  expect((await stop()).text).not.toContain("ready");
});
