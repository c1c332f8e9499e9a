import { expect, test } from "vitest";
import { promptOf } from "./prompt.ts";

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
