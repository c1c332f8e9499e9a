import { expect, test } from "vitest";
import type { ModelMessage } from "./model.ts";
import { promptOf } from "./prompt.ts";

function sent(...messages: ModelMessage[]) {
  return promptOf({ system: "s", messages, tools: [], maxTokens: 10 }, "anthropic", "m").prompt.slice(1);
}

function partsOf(prompt: ReturnType<typeof sent>) {
  return prompt.flatMap(({ content }) => [...content].map((part) => Object(part)));
}

function calls(tool: string, ...ids: string[]): ModelMessage[] {
  const parts = ids.map((id) => ({ call: { id, tool, input: {} } }));
  return [
    { role: "assistant", parts },
    { role: "tools", results: ids.map((id, i) => ({ id, tool, text: `${i}`, failed: false })) },
  ];
}

test("MODEL-3: a call whose name or id no provider would take back goes to it with one that all take, and so does its answer", () => {
  const prompt = sent(...calls("functions.read_file", "functions.read_file:0"), ...calls("", ""));
  const told = partsOf(prompt);
  expect(told.map(({ toolCallId, toolName }) => [toolCallId, toolName])).toEqual([
    ...Array(2).fill(["call-0", "functions_read_file"]),
    ...Array(2).fill(["call-1", "_"]),
  ]);
  const long = partsOf(sent(...calls("read_file", "a".repeat(40)), ...calls("read_file", "a".repeat(41))));
  expect(long.map(({ toolCallId }) => toolCallId.length)).toEqual([40, 40, 6, 6]); // OpenAI takes no longer one
});

test("MODEL-3: of calls that were given one id each has its own answer, within a turn and over several", () => {
  const prompt = sent(...calls("read_file", "a", "a"), ...calls("read_file", "a", "call-1"));
  const told = partsOf(prompt);
  const ids = told.flatMap(({ type, toolCallId }) => (type === "tool-call" ? [toolCallId] : []));
  expect(new Set(ids).size).toBe(4);
  const answers = told.filter(({ type }) => type === "tool-result");
  expect(answers.map(({ toolCallId, output }) => [toolCallId, output.value])).toEqual(
    ids.map((id, i) => [id, `${i % 2}`]),
  );
});

test("MODEL-3: a thought after which nothing was said isn't sent back: providers refuse an answer that ends with one", () => {
  const thought = { thought: "hm", own: { model: "m", anthropic: { signature: "x" } } };
  const heard: ModelMessage = { role: "user", text: "Go" };
  expect(sent(heard, { role: "assistant", parts: [thought, { text: " " }] }, heard)).toHaveLength(2);
  const [, kept] = sent(heard, { role: "assistant", parts: [thought, { text: "Yes." }, thought] });
  expect(kept?.content).toMatchObject([{ type: "reasoning" }, { type: "text", text: "Yes." }]);
});

test("AGENT-18: no half of a character goes to a model, wherever it stands", () => {
  const half = "a\ud83d";
  const call = { id: "c", tool: "write_file", input: { [half]: [half, { deep: half }] } };
  const { prompt } = promptOf(
    {
      system: half,
      messages: [
        { role: "user", text: half },
        { role: "assistant", parts: [{ text: half }, { call }] },
        { role: "tools", results: [{ id: "c", tool: "write_file", text: half, failed: false }] },
      ],
      tools: [],
      maxTokens: 10,
    },
    "anthropic",
    "m",
  );
  expect(JSON.stringify(prompt)).not.toContain("\\ud83d");
  expect(JSON.stringify(prompt).match(/a\ufffd/g)).toHaveLength(7);
});
