import { expect, test } from "vitest";
import { toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();

test("TOOL-4: a file is shown with the numbers of its lines, from any line on", async () => {
  const desk = await stage();
  await desk.write("a.md", "one\ntwo\r\nthree");
  expect((await desk.use("read_file", { path: "a.md" })).text).toBe("     1\tone\n     2\ttwo\n     3\tthree");
  expect((await desk.use("read_file", { path: "./a.md", offset: 2, limit: 1 })).text).toBe(
    "     2\ttwo\n… more follows: read_file with offset 3",
  );
  expect((await desk.use("read_file", { path: "/home/choir/workspace/a.md", offset: 9 })).status).toBe("failed");
});

test("TOOL-4: at most 2,000 lines or 64 KB come at once, and a line of any length is cut", async () => {
  const desk = await stage();
  await desk.write("long", Array.from({ length: 5000 }, (_, i) => `line ${i + 1}\n`).join(""));
  const first = await desk.use("read_file", { path: "long" });
  expect(first.text).toMatch(/ {2}2000\tline 2000\n… more follows: read_file with offset 2001$/);
  await desk.write("wide", `${"x".repeat(100_000)}\n${`${"y".repeat(1999)}\n`.repeat(100)}`);
  const wide = await desk.use("read_file", { path: "wide" });
  expect(wide.text).toContain("… (98000 characters more in this line)\n");
  expect(Buffer.byteLength(wide.text)).toBeLessThan(66_000);
  expect(wide.text).toContain("more follows");
});

test("TOOL-4: what is binary, a folder, empty or not there is said to be that", async () => {
  const desk = await stage();
  await desk.write("bin", new Uint8Array([1, 0, 2]));
  await desk.write("latin", new Uint8Array([0x63, 0xe9]));
  await desk.write("dir/empty", "");
  const says = async (path: string) => (await desk.use("read_file", { path })).text;
  expect(await says("bin")).toBe("bin is binary (3 bytes): it can't be shown as text");
  expect(await says("latin")).toContain("is binary");
  expect(await says("dir")).toBe("dir is a folder: list_files shows what is in it");
  expect(await says("dir/empty")).toBe("dir/empty is empty");
  expect(await says("none")).toBe(
    "there is nothing at none: list_files shows what is there; what is ignored (node_modules, build output) only bash sees",
  );
});

test("TOOL-5: a folder is listed, or everything below it, and where there is more that is said", async () => {
  const desk = await stage();
  await desk.write("src/deep/a.ts", "a");
  await desk.write("b.md", "four");
  await desk.write(".env", "KEY=1");
  const list = async (input: object) => (await desk.use("list_files", input)).text;
  expect(await list({})).toBe(".env  5  (looks like a secret)\nb.md  4\nsrc/");
  expect(await list({ path: "src", deep: true })).toBe("src/deep/\nsrc/deep/a.ts  1");
  expect(await list({ path: "/" })).toBe("/workspace/\n/artifacts/\n/choiros/");
  expect(await list({ path: "nowhere" })).toBe(
    "there is nothing at nowhere; what is ignored (node_modules, build output) only bash sees",
  );
  await desk.use("bash", { command: "mkdir many; cd many; touch $(seq 600)" });
  expect((await list({ path: "many" })).split("\n")).toHaveLength(501);
  expect(await list({ path: "many" })).toContain("… there is more");
});

test("TOOL-7: a file must be read before it is written over or edited; a new one needn't", async () => {
  const desk = await stage();
  await desk.write("a.md", "mine\n");
  const edits = [{ old: "mine", new: "ours" }];
  for (const [tool, input] of [
    ["edit_file", { path: "a.md", edits }],
    ["write_file", { path: "a.md", content: "x" }],
  ] as const) {
    expect((await desk.use(tool, input)).text).toContain("a.md wasn't read yet: read_file it first");
  }
  expect(await desk.text("a.md")).toBe("mine\n");
  await desk.use("read_file", { path: "a.md" });
  expect((await desk.use("edit_file", { path: "a.md", edits })).status).toBe("ok");
  expect((await desk.use("write_file", { path: "a.md", content: "again\n" })).status).toBe("ok");
  expect(await desk.text("a.md")).toBe("again\n");
});

test("TOOL-7: what changed since it was read isn't written over, and what is there now is shown", async () => {
  const desk = await stage();
  await desk.write("a.md", "one\n");
  await desk.use("read_file", { path: "a.md" });
  await desk.write("a.md", "two\n");
  const stale = await desk.use("edit_file", { path: "a.md", edits: [{ old: "two", new: "three" }] });
  expect(stale).toMatchObject({ status: "failed" });
  expect(stale.text).toBe("a.md has changed since you read it: nothing was written. This is there now:\n     1\ttwo");
  const again = await desk.use("edit_file", { path: "a.md", edits: [{ old: "two", new: "three" }] });
  expect(again.status).toBe("ok");
  expect(await desk.text("a.md")).toBe("three\n");
});

test("TOOL-7: what a call shows is read with the next answer: no call beside it writes over what its model never saw", async () => {
  const desk = await stage();
  const [path, beside] = ["a.md", { beside: true }];
  const edit = (old: string, young: string) => ({ path, edits: [{ old, new: young }] });
  await desk.write("a.md", "mine\n");
  await desk.use("read_file", { path });
  const early = await desk.use("write_file", { path, content: "blind" }, beside);
  expect(early.text).toBe("what a call shows you of a.md counts from your next answer on: nothing was written");
  expect((await desk.use("edit_file", edit("mine", "ours"), beside)).text).toBe(early.text);
  await desk.use("read_file", { path });
  await desk.write("a.md", "mine\nand more\n");
  expect((await desk.use("write_file", { path, content: "blind" })).text).toContain("has changed since you read it");
  expect((await desk.use("write_file", { path, content: "blind" }, beside)).text).toContain("has changed since");
  expect((await desk.use("edit_file", edit("mine", "ours"), beside)).text).toContain("has changed since");
  expect(await desk.text("a.md")).toBe("mine\nand more\n");
  expect((await desk.use("edit_file", edit("mine", "ours"))).status).toBe("ok");
  expect((await desk.use("edit_file", edit("more", "less"), beside)).status).toBe("ok"); // what it wrote itself it knows
  expect((await desk.use("write_file", { path, content: "new\n" }, beside)).status).toBe("ok");
  expect(await desk.text("a.md")).toBe("new\n");
});

test("TOOL-7: a file is written over as a whole once all of its lines were shown; a part of it can be edited before", async () => {
  const desk = await stage();
  await desk.write("long", Array.from({ length: 3000 }, (_, i) => `line ${i + 1}\n`).join(""));
  const path = "long";
  const over = async () => (await desk.use("write_file", { path, content: "short\n" })).text;
  await desk.use("read_file", { path, offset: 2990 });
  expect(await over()).toContain("you haven't seen all of what is there. read_file the rest first, from line 1 on");
  await desk.use("edit_file", { path, edits: [{ old: "line 2999\n", new: "" }] });
  expect(await over()).toContain("from line 1 on");
  await desk.use("read_file", { path, offset: 1500 });
  await desk.use("read_file", { path, limit: 1000 });
  expect(await over()).toContain("from line 1001 on");
  expect((await desk.use("read_file", { path, offset: 9000 })).status).toBe("failed");
  await desk.use("read_file", { path, offset: 1001, limit: 499 });
  expect(await over()).toContain("wrote long");
  expect(await desk.text("long")).toBe("short\n");
});

test("TOOL-7: a file with a line that is too long to be shown whole isn't written over; a part of it can be edited", async () => {
  const desk = await stage();
  const path = "long";
  await desk.write(path, `one\n${"x".repeat(3000)} end\nthree\n`);
  const over = async () => (await desk.use("write_file", { path, content: "short\n" })).text;
  await desk.use("read_file", { path });
  expect(await over()).toBe(
    "long was not written: a line of it is too long to be shown whole: change parts of it with edit_file.",
  );
  await desk.use("read_file", { path, offset: 3 });
  expect(await over()).toContain("too long to be shown whole");
  expect((await desk.use("edit_file", { path, edits: [{ old: "one", new: "1" }] })).status).toBe("ok");
  await desk.use("read_file", { path });
  expect(await over()).toContain("too long to be shown whole");
  await desk.use("edit_file", { path, edits: [{ old: "x".repeat(3000), new: "x" }] });
  expect(await over()).toContain("from line 1 on"); // nobody was shown what stands there now
  await desk.use("read_file", { path });
  expect(await over()).toContain("wrote long");
  expect(await desk.text(path)).toBe("short\n");
});

test("TOOL-7: what is there now is shown whole where it counts as read", async () => {
  const desk = await stage();
  const text = Array.from({ length: 1500 }, (_, i) => `a line of some length, ${i + 1}\n`).join("");
  await desk.write("a.md", "one\n");
  await desk.use("read_file", { path: "a.md" });
  await desk.write("a.md", text);
  const { text: told } = await desk.use("write_file", { path: "a.md", content: "x" });
  expect(told).toContain("a line of some length, 750\n");
});

test("TOOL-8: an edit whose text doesn't match writes nothing, and shows what is there now", async () => {
  const desk = await stage();
  await desk.write("a.md", "one\ntwo\n");
  await desk.use("read_file", { path: "a.md" });
  const edits = [{ old: "one", new: "1" }, { old: "three", new: "3" }]; // biome-ignore format: two in a row
  const done = await desk.use("edit_file", { path: "a.md", edits });
  expect(done.text).toBe(
    "a.md was not edited: edit 2: 'old' doesn't stand in the file. This is there now:\n     1\tone\n     2\ttwo",
  );
  expect(await desk.text("a.md")).toBe("one\ntwo\n");
});

test("TOOL-8: a dry run shows the diff and writes nothing; what is done is told the same way", async () => {
  const desk = await stage();
  await desk.write("a.md", "\ufeffone\r\ntwo\r\n");
  await desk.use("read_file", { path: "a.md" });
  const head = await desk.head();
  const input = { path: "a.md", edits: [{ old: "two", new: "2\n3" }] };
  const dry = await desk.use("edit_file", { ...input, dry_run: true });
  expect(dry.text).toContain("nothing was written; this is what would change:");
  expect(dry.text).toContain("-two\r\n+2\r\n+3\r\n");
  expect(await desk.types(head + 1)).toEqual(["tool.call", "tool.result"]);
  const done = await desk.use("edit_file", input);
  expect(done.text).toContain("wrote a.md (14 bytes)");
  expect(done.text).toContain("-two\r\n+2\r\n+3\r\n");
  expect(await desk.text("a.md")).toBe("\ufeffone\r\n2\r\n3\r\n");
});

test("TOOL-1: what a call did can be undone by it", async () => {
  const desk = await stage();
  await desk.write("a.md", "one\n");
  await desk.use("read_file", { path: "a.md" });
  await desk.use("edit_file", { path: "a.md", edits: [{ old: "one", new: "two" }] }, { call: "c1" });
  expect(await desk.computer.undo({ call: "c1" })).toMatchObject({ ok: true });
  expect(await desk.text("a.md")).toBe("one\n");
});
