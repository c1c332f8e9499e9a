import { expect, test } from "vitest";
import type { Model, ModelMessage, ToolUse } from "../models/model.ts";
import { demoModels } from "./demo-models.ts";

const ASKED: ModelMessage = { role: "user", text: "Scripted demo: bread" };
const request = (messages: readonly ModelMessage[]) => ({ system: "", messages, tools: [], maxTokens: 100 });
const signal = new AbortController().signal;

/** All that is called, in order, where tools answer so. */
async function called(
  model: Model,
  asked: ModelMessage,
  reply: (tool: string) => { readonly text: string; readonly failed?: true },
): Promise<ToolUse[]> {
  const messages: ModelMessage[] = [asked];
  const calls: ToolUse[] = [];
  for (;;) {
    const answer = await model.ask(request(messages), { signal });
    if (!answer.ok) throw new Error(answer.message);
    const uses = answer.parts.flatMap((part) => ("call" in part ? [part.call] : []));
    calls.push(...uses);
    if (uses.some(({ tool }) => ENDS.has(tool))) return calls;
    const results = uses.map(({ id, tool }) => ({ id, tool, failed: false, ...reply(tool) }));
    messages.push({ role: "assistant", parts: answer.parts }, { role: "tools", results });
  }
}

const ENDS = new Set(["answer", "finish"]);

test("AGENT-40: the demo says by every event that it is a script, plays its turns in order, and ends", async () => {
  const { associate, director } = demoModels({ slow: false });
  expect(director).toMatchObject({ provider: "demo", name: "a script, no model" });
  const planned = await called(director, ASKED, () => ({ text: "bread.md  12" }));
  expect(planned.map(({ tool }) => tool)).toEqual(["list_files", "plan", "answer"]);
  expect(planned[1]?.input).toMatchObject({ paths: ["demo"] });
  const done = await called(associate, { role: "user", text: "Write demo/index.html." }, () => ({ text: "ok" }));
  const [first, second] = ["demo/index.html", "demo/README.md"].map((path) => ({ input: { path } }));
  expect(done).toMatchObject([first, second, { tool: "bash" }, first, first, { input: { status: "ok" } }]);
});

test("AGENT-40: the demo writes into a folder that is free, so that it can be watched again", async () => {
  const { associate, director } = demoModels({ slow: false });
  const [, plan, told] = await called(director, ASKED, () => ({ text: "demo/\ndemo-2  4\ndemo-20/\nnotes/" }));
  expect(plan?.input).toMatchObject({ paths: ["demo-3"], verify: [expect.stringContaining("demo-3/index.html")] });
  expect(told?.input).toMatchObject({ look: ["demo-3/index.html", "demo-3/README.md"] });
  const task: ModelMessage = { role: "user", text: JSON.stringify(plan?.input) };
  const done = await called(associate, task, () => ({ text: "ok" }));
  expect(JSON.stringify(done)).not.toMatch(/demo\//);
});

test("AGENT-40: where something fails the demo says that, and claims nothing", async () => {
  const { associate, director } = demoModels({ slow: false });
  const told = await called(director, ASKED, (tool) => (tool === "plan" ? { text: "no", failed: true } : { text: "" }));
  expect(told.at(-1)?.input).toMatchObject({
    status: "given-up",
    text: expect.stringMatching(/^\*\*Scripted demo\.\*\* It didn't go/),
  });
  const asked: ModelMessage = { role: "user", text: "Write demo/index.html." };
  const done = await called(associate, asked, (tool) =>
    tool === "bash" ? { text: "no", failed: true } : { text: "" },
  );
  expect(done.at(-1)?.input).toMatchObject({ status: "failed" });
  expect(done.some(({ tool }) => tool === "edit_file")).toBe(false);
});

test("AGENT-40: what the demo says comes word by word, and ends at once when it is stopped", async () => {
  const { associate } = demoModels();
  const stop = new AbortController();
  const said: string[] = [];
  const answer = await associate.ask(request([ASKED]), {
    signal: stop.signal,
    onText: (word) => {
      said.push(word);
      stop.abort();
    },
  });
  expect(answer).toMatchObject({ ok: false, why: "stopped" });
  expect(said).toEqual(["First "]);
});
