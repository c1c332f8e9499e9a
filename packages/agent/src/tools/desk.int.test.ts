import { expect, test } from "vitest";
import { toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();

test("TOOL-11: a task takes back a call, an event or all of its own work", async () => {
  const desk = await stage();
  const write = (path: string, call: string) => desk.use("write_file", { path, content: "x" }, { call });
  await write("a", "c1");
  await write("b", "c2");
  await write("c", "c3");
  expect((await desk.use("undo", { call: "c1" })).text).toMatch(/^undone: 1 paths/);
  const written = (await desk.events()).find(({ type, cause }) => type === "file.write" && cause?.call === "c2");
  expect(await desk.use("undo", { seq: written?.seq })).toMatchObject({ status: "ok" });
  expect(await Promise.all(["a", "b", "c"].map(desk.text))).toEqual([undefined, undefined, "x"]);
  expect(await desk.use("undo", {}, { call: "c9" })).toMatchObject({ status: "ok" });
  expect(await desk.text("c")).toBeUndefined();
});

test("TOOL-11: what the user or another task did isn't undone by it", async () => {
  const desk = await stage();
  const mine = await desk.computer.write("workspace/mine", Buffer.from("x"));
  const other = { ...desk.work, cause: { ...desk.work.cause, task: "other" } };
  await desk.useAs(other, "write_file", { path: "theirs", content: "x" });
  const theirs = (await desk.events()).find(({ type, cause }) => type === "file.write" && cause?.task === "other");
  for (const target of [
    { seq: mine.ok ? mine.seq : 0 },
    { call: mine.ok ? mine.call : "" },
    { seq: theirs?.seq },
    { call: theirs?.cause?.call },
    { seq: 999_999 },
  ]) {
    expect(await desk.use("undo", target)).toMatchObject({ status: "failed" });
  }
  expect(await desk.use("undo", { seq: 1, call: "c" })).toMatchObject({ text: "name a call or a seq, not both" });
  expect(await desk.text("mine")).toBe("x");
  expect(await desk.text("theirs")).toBe("x");
});

test("TOOL-11: where the user changed it since, nothing is undone and the conflict is told", async () => {
  const desk = await stage();
  await desk.use("write_file", { path: "a", content: "x\n" }, { call: "c1" });
  await desk.write("a", "y\n");
  const done = await desk.use("undo", { call: "c1" });
  expect(done).toMatchObject({ status: "failed", text: expect.stringContaining("nothing was undone:") });
  expect(await desk.text("a")).toBe("y\n");
});

test("TOOL-12: a window shows a file or a folder, and comes to the front where it is there already", async () => {
  const desk = await stage();
  await desk.write("a.md", "x");
  for (const path of ["a.md", ".", "a.md"])
    expect(await desk.use("open_window", { path })).toMatchObject({ status: "ok" });
  const types = await desk.types();
  expect(types.filter((type) => type === "window.open")).toHaveLength(2);
  expect(types.filter((type) => type === "window.focus")).toHaveLength(1);
  const { pages } = await desk.computer.rows("window");
  const values = (await Array.fromAsync(pages)).flat().map(({ value }) => value);
  expect(values).toContainEqual(expect.objectContaining({ app: "editor", args: { key: "workspace/a.md" }, z: 3 }));
  expect(values).toContainEqual(expect.objectContaining({ app: "files", args: { key: "workspace" }, z: 2 }));
  expect(await desk.use("open_window", { path: "none" })).toMatchObject({ status: "failed" });
});

test("TOOL-12: a notice has a title and a note has none; both are events of the task", async () => {
  const desk = await stage();
  await desk.use("notify", { title: "Half done" }, { call: "c1" });
  await desk.use("note", { kind: "supposed", text: "it may rain" }, { call: "c2" });
  const notes = (await desk.events()).filter(({ type }) => type.startsWith("note."));
  expect(notes).toMatchObject([
    {
      type: "note.observed",
      source: "agent",
      payload: { title: "Half done" },
      cause: { ...desk.work.cause, call: "c1" },
    },
    { type: "note.supposed", source: "agent", cause: { ...desk.work.cause, call: "c2" } },
  ]);
  expect(notes[1]?.payload).not.toHaveProperty("title");
});

test("TOOL-2: what a model is told of its tools is what its lease has, each with an object for its input", async () => {
  const desk = await stage({ allowed_tools: ["read_file", "bash"] });
  const specs = desk.specs();
  expect(specs.map(({ name }) => name)).toEqual(["read_file", "bash", "job_output", "job_stop"]);
  const all = (await stage()).specs();
  expect(all).toHaveLength(12);
  for (const { input, description } of all) {
    expect(input).toMatchObject({ type: "object", additionalProperties: false });
    expect(description.length).toBeGreaterThan(20);
  }
});

test("TOOL-12: of one task the user is shown twenty notices, also where it was taken up again", async () => {
  const desk = await stage();
  const notify = (work = desk.work) => desk.useAs(work, "notify", { title: "Look" });
  for (let i = 0; i < 20; i++) expect(await notify()).toMatchObject({ status: "ok" });
  const more = await notify({ ...desk.work });
  expect(more).toMatchObject({ status: "failed", text: expect.stringContaining("20 notices") });
  const other = { ...desk.work, cause: { ...desk.work.cause, task: "other" } };
  expect(await notify(other)).toMatchObject({ status: "ok" });
});
