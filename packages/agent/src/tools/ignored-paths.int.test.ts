import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();

test.each([
  ["what it may never change is changed", 'never = ["edit dist/release"]', "dist", "echo theirs > dist/release/a"],
  ["what is to be asked for is changed", 'ask = ["edit dist/release"]', "dist", "echo theirs > dist/release/a"],
  ["it is removed with its folder", 'never = ["edit dist/release"]', "dist", "rm -rf dist"],
  ["it goes with a folder that is kept", 'never = ["edit src/dist"]', "src", "rm -rf src"],
])("LEASE-8: nothing of a command is kept where, in what is ignored, %s", async (_, policy, denied, command) => {
  const desk = await stage();
  const mine = ["dist/release/a", "src/dist/a"].map((name) => join(desk.computer.root, "workspace", name));
  for (const file of mine) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "mine\n");
  }
  await desk.write("src/a", "x");
  await desk.use("bash", { command: "echo x > dist/a" }); // what is as old as a command isn't removed by it
  writeFileSync(desk.policy.file, policy);
  expect(await desk.use("bash", { command })).toMatchObject({
    status: "denied",
    text: expect.stringContaining(`it changed ${denied}, which it may not: nothing of what it did was kept`),
  });
  for (const file of mine) expect(readFileSync(file, "utf8")).toBe("mine\n");
  expect(await desk.text("src/a")).toBe("x");
  if (!policy.startsWith("ask")) return;
  const asked = desk.answerNext("once");
  expect(await desk.use("bash", { command, edits: ["dist/release"] })).toMatchObject({ status: "ok" });
  expect(await asked).toBe("edit dist/release");
  expect(readFileSync(mine[0] ?? "", "utf8")).toBe("theirs\n");
});

test.each([
  ["read_file", { path: "dist/out.js" }],
  ["list_files", { path: "dist" }],
  ["edit_file", { path: "dist/out.js", edits: [{ old: "a", new: "b" }] }],
])("TOOL-4, TOOL-5: %s of what is ignored says that only a command sees it", async (tool, input) => {
  const desk = await stage();
  await desk.use("bash", { command: "mkdir dist && echo a > dist/out.js" });
  const { status, text } = await desk.use(tool, input);
  expect(status).toBe("failed");
  expect(text).toContain("what is ignored (node_modules, build output) only bash sees");
  expect((await desk.use("bash", { command: "cat dist/out.js" })).text).toContain("a");
});
