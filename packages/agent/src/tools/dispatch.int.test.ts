import { expect, test } from "vitest";
import { toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();

test("TOOL-1: a call is in the log before its effect, and its result after it, all with one cause", async () => {
  const desk = await stage();
  const from = (await desk.head()) + 1;
  const done = await desk.use("write_file", { path: "a.md", content: "hello\n" }, { call: "c1" });
  expect(done).toMatchObject({ status: "ok", changed: ["workspace/a.md"], files: 1, bytes: 6 });
  expect(await desk.types(from)).toEqual(["tool.call", "file.write", "tool.result"]);
  for (const event of (await desk.events()).filter(({ seq }) => seq >= from)) {
    expect(event).toMatchObject({ source: "agent", cause: { ...desk.work.cause, call: "c1" } });
  }
});

test("TOOL-1: a command's call and result are the computer's own, and what it changed is between them", async () => {
  const desk = await stage();
  const from = (await desk.head()) + 1;
  const done = await desk.use("bash", { command: "echo one; echo two > b.txt" }, { call: "c2" });
  expect(done).toMatchObject({ status: "ok", exit: 0, changed: ["workspace/b.txt"], files: 1, bytes: 4 });
  expect(done.text).toBe("exit 0\nchanged: b.txt\nit said:\none\n");
  expect(await desk.types(from)).toEqual(["tool.call", "files.changed", "tool.result"]);
});

test("TOOL-1: a tool that isn't there is told by its name in quotes: no call of a model passes for a command", async () => {
  const desk = await stage();
  for (const [tool, input] of [
    ["exec", { argv: ["bash", "-c", "npm test"] }],
    ["constructor", {}],
    ["x".repeat(100), {}],
    ["", {}],
  ] as const)
    expect(await desk.use(tool, input)).toMatchObject({ status: "failed" });
  const called = (await desk.events()).filter(({ type }) => type === "tool.call").map(({ payload }) => payload.tool);
  expect(called).toEqual(["'exec'", "'constructor'", `'${"x".repeat(62)}'`, "''"]);
});

test("TOOL-2: a tool that isn't there, one that isn't leased and input that doesn't fit are answers, and are in the log", async () => {
  const desk = await stage({ allowed_tools: ["read_file"] });
  const from = (await desk.head()) + 1;
  expect(await desk.use("fly", {})).toMatchObject({
    status: "failed",
    text: "there is no tool 'fly'. There are: read_file, job_output",
  });
  expect(await desk.use("write_file", { path: "a", content: "" })).toMatchObject({
    status: "denied",
    text: "the tool 'write_file' is not in this task's lease. There are: read_file, job_output",
  });
  const wrong = await desk.use("read_file", { paht: "a" });
  expect(wrong.status).toBe("failed");
  expect(wrong.text).toMatch(
    /^the input of read_file doesn't fit: .*path.*\. It takes path, and may have offset, limit$/,
  );
  expect(await desk.types(from)).toEqual(Array(3).fill(["tool.call", "tool.result"]).flat());
});

test("LEASE-1: what is outside of the lease is asked for, by the line that is shown, and done once it is allowed", async () => {
  const desk = await stage({ paths: ["workspace/src"] });
  const asked = desk.answerNext("once");
  const done = await desk.use("write_file", { path: "notes.md", content: "x" });
  expect(await asked).toBe("edit notes.md");
  expect(done.status).toBe("ok");
  const again = desk.answerNext("denied");
  const denied = await desk.use("write_file", { path: "notes2.md", content: "x" });
  expect(await again).toBe("edit notes2.md");
  expect(denied).toMatchObject({
    status: "denied",
    text: expect.stringContaining("the user didn't allow: edit notes2.md"),
  });
  expect(await desk.text("notes2.md")).toBeUndefined();
});

test("LEASE-1: a command that changes something outside of the lease leaves nothing", async () => {
  const desk = await stage({ paths: ["workspace/src"] });
  const done = await desk.use("bash", { command: "mkdir src; echo a > src/a; echo b > b" });
  expect(done.status).toBe("denied");
  expect(done.text).toContain("it changed b, which it may not: nothing of what it did was kept");
  expect(await desk.text("src/a")).toBeUndefined();
});
