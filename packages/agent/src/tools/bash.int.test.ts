import { newId } from "@choiros/contract";
import { expect, test } from "vitest";
import { toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();

test("TOOL-9: what a command says is signalled as it comes, with its cause, at most 16 KB at once", async () => {
  const desk = await stage();
  const done = await desk.use(
    "bash",
    { command: "echo out; echo err >&2; head -c 200000 /dev/zero | tr '\\0' é" },
    { call: "c1" },
  );
  expect(done.status).toBe("ok");
  const outputs = desk.signals.filter(({ type }) => type === "tool.output");
  expect(outputs.length).toBeGreaterThan(0);
  for (const { cause, payload } of outputs) {
    expect(cause).toEqual({ ...desk.work.cause, call: "c1" });
    expect(Buffer.byteLength(String(payload.text))).toBeLessThanOrEqual(16_384);
  }
  expect(outputs.some(({ payload }) => payload.from === "stderr" && payload.text === "err\n")).toBe(true);
});

test("TOOL-9: a command that fails says so; one that takes too long is ended, and leaves nothing", async () => {
  const desk = await stage();
  expect(await desk.use("bash", { command: "echo no >&2; exit 3" })).toMatchObject({
    status: "failed",
    exit: 3,
    text: "exit 3\nit said:\nno\n",
  });
  const late = await desk.use("bash", { command: "touch left; sleep 60", timeout_s: 1 });
  expect(late).toMatchObject({ status: "failed", text: expect.stringContaining("it reached its limit: time") });
  expect(await desk.text("left")).toBeUndefined();
});

test("TOOL-9: the lease's time is a command's too, and a folder to begin in is a path like any other", async () => {
  const desk = await stage({ time_budget_s: 3 });
  await desk.write("sub/a", "x");
  expect((await desk.use("bash", { command: "pwd; ls", cwd: "sub" })).text).toContain("/home/choir/workspace/sub\na\n");
  expect((await desk.use("bash", { command: "sleep 30", timeout_s: 60 })).text).toContain("its limit: time");
  expect((await desk.use("bash", { command: "pwd", cwd: "../.." })).text).toContain("can't be a path");
});

test("TOOL-3: of what a command said the model gets the beginning and the end, and any part by job_output", async () => {
  const desk = await stage();
  const done = await desk.use("bash", { command: "seq 1 50000" }, { call: "c1" });
  expect(Buffer.byteLength(done.text)).toBeLessThan(18_000);
  expect(done.text).toMatch(/^exit 0\nit said:\n1\n2\n/);
  expect(done.text).toMatch(/\n49999\n50000\n$/);
  const [, offset] = /"job": "c1", "offset": (\d+)\}/.exec(done.text) ?? [];
  const part = await desk.use("job_output", { job: "c1", offset: Number(offset) });
  expect(part.text).toMatch(/^exit 0; bytes 8192 to 24576 of 288894; more from offset 24576:\n/);
  const end = await desk.use("job_output", { job: "c1" });
  expect(end.text).toMatch(/\n50000\n$/);
});

test("AGENT-18, TOOL-3: no character of what a command said is cut in two, and none is left out between two parts", async () => {
  const desk = await stage();
  for (const [count, lead] of [
    [40_000, "x"],
    [4000, "xx"],
  ] as const) {
    const whole = lead + "界".repeat(count);
    const call = newId();
    const command = `printf ${lead}; printf '界%.0s' $(seq ${count})`;
    const { text } = await desk.use("bash", { command }, { call });
    expect(text).not.toContain("\ufffd");
    let [read, offset]: [string, string | undefined] = ["", "0"];
    while (offset !== undefined) {
      const { text: part } = await desk.use("job_output", { job: call, offset: Number(offset) });
      read += part.slice(part.indexOf("\n") + 1);
      [, offset] = /more from offset (\d+):/.exec(part) ?? [];
    }
    expect(read === whole).toBe(true);
    expect((await desk.use("job_output", { job: call, offset: lead.length + 1 })).text).not.toContain("\ufffd");
    expect((await desk.use("job_output", { job: call })).text).not.toContain("\ufffd");
  }
});

test("AGENT-18, TOOL-10: of what a job has said so far the character that it is at is told once it is whole", async () => {
  const desk = await stage();
  await desk.use("bash", { command: "printf 'x\\347\\225'; sleep 600", background: true }, { call: "j1" });
  const said = async () => (await desk.use("job_output", { job: "j1" })).text;
  await expect.poll(said).toBe("job j1 runs; bytes 0 to 1 of 1:\nx");
  await desk.work.jobs.stopAll();
});

test("TOOL-3: what another task's call said isn't shown, also of the same ask, nor to its Director", async () => {
  const desk = await stage();
  await desk.write(".env", "SESAME=777\n");
  const once = desk.answerNext("once");
  expect((await desk.use("read_file", { path: ".env" }, { call: "c1" })).text).toContain("777");
  await once;
  expect((await desk.use("job_output", { job: "c1" })).text).toContain("777");
  const { task: _, ...director } = desk.work.cause;
  for (const cause of [{ ...desk.work.cause, task: "t2" }, director])
    expect(await desk.useAs({ ...desk.work, cause }, "job_output", { job: "c1" })).toMatchObject({
      status: "failed",
      text: "there is no job or call 'c1' in this task",
    });
});

test("TOOL-3: what another ask's call said isn't shown", async () => {
  const [desk, other] = [await stage(), await stage()];
  await desk.use("bash", { command: "echo theirs" }, { call: "c1" });
  const foreign = { ...desk.work, cause: other.work.cause };
  expect(await desk.useAs(foreign, "job_output", { job: "c1" })).toMatchObject({
    status: "failed",
    text: "there is no job or call 'c1' in this task",
  });
});

test("TOOL-10: a job is answered at once, tells what it said so far, and ends by itself or by job_stop", async () => {
  const desk = await stage();
  const begun = await desk.use(
    "bash",
    { command: "echo ready; while [ ! -e go ]; do sleep 0.01; done", background: true },
    { call: "j1" },
  );
  expect(begun).toMatchObject({
    status: "ok",
    text: "it runs as job j1: job_output shows what it says, job_stop ends it",
  });
  const job = desk.work.jobs.get("j1");
  await expect.poll(async () => Buffer.from((await job?.said())?.bytes ?? []).toString()).toBe("ready\n");
  expect((await desk.use("job_output", { job: "j1" })).text).toBe("job j1 runs; bytes 0 to 6 of 6:\nready\n");
  expect((await desk.use("job_stop", { job: "j1" })).text).toMatch(/^it was stopped\. ended: stopped\n/);
  expect((await desk.use("job_output", { job: "j1" })).text).toContain("ready");
  expect((await desk.use("job_stop", { job: "none" })).status).toBe("failed");
});

test("TOOL-10: what a job changed is there once it has ended by itself", async () => {
  const desk = await stage();
  await desk.use("bash", { command: "echo made > made.txt", background: true }, { call: "j1" });
  expect(await desk.work.jobs.get("j1")?.ended).toMatchObject({ status: "ok", changed: ["workspace/made.txt"] });
  expect(await desk.text("made.txt")).toBe("made\n");
});

test("TOOL-10: no job outlives its task", async () => {
  const desk = await stage();
  await desk.use("bash", { command: "touch left; sleep 600", background: true }, { call: "j1" });
  await desk.work.jobs.stopAll();
  expect(desk.work.jobs.get("j1")?.outcome).toMatchObject({ status: "stopped" });
  expect(await desk.text("left")).toBeUndefined();
  expect((await desk.events()).at(-1)).toMatchObject({ type: "tool.result", payload: { status: "stopped" } });
});

test("TOOL-2: a pattern for a path that a command is to change is told as that, and nobody is asked", async () => {
  const desk = await stage({ paths: [] });
  const done = await desk.use("bash", { command: "touch src/ran", edits: ["src/*.ts"] });
  expect(done).toMatchObject({ status: "failed", text: expect.stringContaining("'src/*.ts' is a pattern") });
  expect(await desk.types()).not.toContain("approval.asked");
});

test("TOOL-13: a command that is stopped ends within a second, and is told as stopped", async () => {
  const desk = await stage();
  const stop = new AbortController();
  const running = desk.use(
    "bash",
    { command: "touch left; echo runs; sleep 600" },
    { call: "c1", signal: stop.signal },
  );
  await expect.poll(() => desk.signals.length).toBeGreaterThan(0);
  const began = performance.now();
  stop.abort();
  expect(await running).toMatchObject({ status: "stopped" });
  expect(performance.now() - began).toBeLessThan(1000);
  expect(await desk.text("left")).toBeUndefined();
});

test("TOOL-13: a stop while what a command did is about to be kept leaves nothing, and says so in a command's words", async () => {
  const desk = await stage();
  const stop = new AbortController();
  const running = desk.use(
    "bash",
    { command: "for i in $(seq 3000); do echo $i > f$i; done; echo over" },
    { call: "c1", signal: stop.signal },
  );
  desk.work.signals.listen(() => stop.abort(new Error("You stopped it. What it did by then stands.")));
  expect(await running).toMatchObject({ status: "stopped" });
  expect(await desk.text("f1")).toBeUndefined();
  const { payload } = (await desk.events()).at(-1) ?? {};
  expect(payload).toMatchObject({ status: "stopped" });
  expect(JSON.stringify(payload)).not.toContain("stands");
});

test("TOOL-13: what is stopped before it began does nothing, and is in the log as stopped", async () => {
  const desk = await stage();
  const from = (await desk.head()) + 1;
  for (const [tool, input] of [
    ["bash", { command: "touch a" }],
    ["write_file", { path: "a", content: "" }],
  ] as const) {
    expect(await desk.use(tool, input, { signal: AbortSignal.abort() })).toMatchObject({ status: "stopped" });
  }
  expect(await desk.types(from)).toEqual(["tool.call", "tool.result", "tool.call", "tool.result"]);
});

test("TOOL-14: what a call came to is told again from the log as it was told", async () => {
  const desk = await stage();
  await desk.write("a.md", "one\n");
  const calls = [
    ["read_file", { path: "a.md" }],
    ["edit_file", { path: "a.md", edits: [{ old: "one", new: "two" }] }],
    ["bash", { command: "seq 1 50000; touch b c; exit 1" }],
    ["bash", { command: "touch /home/choir/choiros/x" }],
    ["fly", {}],
    ["exec", { argv: ["true"] }],
  ] as const;
  for (const [i, [tool, input]] of calls.entries()) {
    const told = await desk.use(tool, input, { call: `c${i}` });
    const { status, text } = (await desk.recall(`c${i}`)) ?? {};
    expect({ status, text }).toEqual({ status: told.status, text: told.text });
  }
  expect(await desk.recall("none")).toBeUndefined();
});

test("TOOL-10: eight jobs run at once, and another begins when one has ended", async () => {
  const desk = await stage();
  const begin = (call: string) => desk.use("bash", { command: "sleep 600", background: true }, { call });
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) expect(await begin(`j${number}`)).toMatchObject({ status: "ok" });
  const ninth = await begin("j9");
  expect(ninth).toMatchObject({ status: "failed", text: expect.stringContaining("8 jobs run already") });
  expect((await desk.events()).at(-1)).toMatchObject({ type: "tool.result", payload: { status: "failed" } });
  await desk.use("job_stop", { job: "j1" });
  expect(await begin("j10")).toMatchObject({ status: "ok" });
});

test("TOOL-10: of a job that has ended nothing is held that the log has", async () => {
  const desk = await stage();
  await desk.use("bash", { command: "seq 1 20000", background: true }, { call: "j1" });
  const job = desk.work.jobs.get("j1");
  expect(await job?.ended).toMatchObject({ status: "ok" });
  expect((await job?.said())?.bytes.length).toBe(0);
  expect((await desk.use("job_output", { job: "j1" })).text).toMatch(/\n20000\n$/);
});
