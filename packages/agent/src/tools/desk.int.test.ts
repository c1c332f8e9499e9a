import { WindowValue } from "@choiros/contract";
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

test("LEASE-5, TOOL-11: what was changed with leave for one call is changed back, and again, only with leave", async () => {
  const desk = await stage({ paths: ["workspace/deep/er"] });
  const once = async (tool: string, input: unknown, call: string) => {
    const asked = desk.answerNext("once");
    expect(await desk.use(tool, input, { call })).toMatchObject({ status: "ok" });
    return asked;
  };
  const exists = async () => (await desk.computer.read("choiros/a.ts")) !== undefined;
  await once("write_file", { path: "/choiros/a.ts", content: "x" }, "c1");
  const denied = {
    status: "denied",
    text: expect.stringMatching(/^nothing was undone: it would change \/choiros\/a.ts, /),
  };
  expect(await desk.use("undo", { call: "c1" })).toMatchObject(denied);
  expect(await exists()).toBe(true);
  expect(await once("undo", { call: "c1", edits: ["/choiros"] }, "c2")).toBe("edit /choiros");
  expect(await exists()).toBe(false);
  expect(await desk.use("undo", { call: "c2" })).toMatchObject(denied);
  expect(await exists()).toBe(false);
  await desk.use("write_file", { path: "deep/er/new/b", content: "x" }, { call: "c3" });
  expect(await desk.use("undo", { call: "c3" }, { call: "c4" })).toMatchObject({ status: "ok" });
  expect(await desk.computer.read("workspace/deep")).toBeUndefined();
  expect(await desk.use("undo", { call: "c4" })).toMatchObject({ status: "ok" });
  expect(await desk.text("deep/er/new/b")).toBe("x");
});

test("TOOL-12: a window shows a file or a folder, in front where none is in sight, else behind the one that the user has in front", async () => {
  const desk = await stage();
  await desk.write("a.md", "x");
  await desk.write("b.md", "x");
  const open = async (path: string) => (await desk.use("open_window", { path })).text;
  expect(await open("a.md")).toBe("a.md is open, in front");
  expect(await open(".")).toBe(". is open, behind what the user has in front");
  expect(await open("b.md")).toMatch(/behind/);
  expect(await orderOf(desk)).toEqual(expect.arrayContaining(["workspace", "workspace/b.md"]));
  expect((await orderOf(desk)).at(-1)).toBe("workspace/a.md");
  expect(await desk.use("open_window", { path: "none" })).toMatchObject({ status: "failed" });
});

test("TOOL-12: what a window shows already isn't opened twice: that one comes into sight, over nothing that the user has in front", async () => {
  const desk = await stage();
  await desk.write("a.md", "x");
  const windows = new Map([
    ["window.a", windowOf("editor", "workspace/a.md", 1, "minimised")],
    ["window.mine", windowOf("editor", "workspace/mine.md", 5)],
    ["window.under", windowOf("files", "workspace", 3)],
  ]);
  await desk.computer.changeWindows("open", windows);
  expect(await desk.use("open_window", { path: "a.md" })).toMatchObject({ status: "ok" });
  expect(await orderOf(desk)).toEqual(["workspace", "workspace/a.md", "workspace/mine.md"]);
  const many = (await desk.events()).length;
  expect((await desk.use("open_window", { path: "a.md" })).text).toMatch(/^a\.md is open, behind/);
  const since = (await desk.events()).slice(many);
  expect(since.filter(({ type }) => type.startsWith("window."))).toEqual([]);
});

test("TOOL-12: nothing is opened over a window that is in front and as far back as one can be", async () => {
  const desk = await stage();
  await desk.write("a.md", "x");
  await desk.computer.changeWindows("open", new Map([["window.0", windowOf("editor", "workspace/mine.md", 0)]]));
  expect((await desk.use("open_window", { path: "a.md" })).text).toMatch(/behind/);
  expect(await orderOf(desk)).toEqual(["workspace/a.md", "workspace/mine.md"]);
});

/** What the windows show that are in sight, from the back to the front. */
async function orderOf({ computer }: Awaited<ReturnType<typeof stage>>): Promise<unknown[]> {
  const { pages } = await computer.rows("window");
  return (await Array.fromAsync(pages))
    .flat()
    .map(({ value }) => WindowValue.parse(value))
    .filter(({ state }) => state !== "minimised")
    .sort((one, two) => one.z - two.z)
    .map(({ args }) => args.key);
}

function windowOf(app: string, key: string, z: number, state: WindowValue["state"] = "normal"): WindowValue {
  return { app, args: { key }, box: { x: 0, y: 0, w: 400, h: 300 }, state, title: key, z };
}

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

test("TOOL-12: one task opens twenty windows, also where it was taken up again or one was closed; what one shows already is no other", async () => {
  const desk = await stage();
  const open = (path: string, work = desk.work) => desk.useAs(work, "open_window", { path });
  for (let i = 0; i <= 20; i++) await desk.write(`f${i}`, "x");
  for (let i = 0; i < 20; i++) expect(await open(`f${i}`)).toMatchObject({ status: "ok" });
  expect(await open("f3")).toMatchObject({ status: "ok" });
  const { pages } = await desk.computer.rows("window");
  const [one] = (await Array.fromAsync(pages)).flat();
  await desk.computer.changeWindows("close", new Map([[one?.key ?? "", null]]));
  const more = await open("f20", { ...desk.work });
  expect(more).toMatchObject({ status: "failed", text: expect.stringContaining("opened 20 windows already") });
  const other = { ...desk.work, cause: { ...desk.work.cause, task: "other" } };
  expect(await open("f20", other)).toMatchObject({ status: "ok" });
});
