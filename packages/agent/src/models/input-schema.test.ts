import { expect, test } from "vitest";
import { z } from "zod";
import { inputSchema } from "./input-schema.ts";

test("TOOL-2: of what a text must be a model is told what every server reads, at any depth, and nothing of a name is taken away", () => {
  const Word = z.string().min(1).max(4096).regex(/\S/);
  const input = z.strictObject({ maxLength: Word, pattern: z.array(Word.describe("a word")).max(3) });
  expect(inputSchema(input)).toEqual({
    type: "object",
    properties: {
      maxLength: { type: "string", minLength: 1 },
      pattern: { type: "array", maxItems: 3, items: { type: "string", minLength: 1, description: "a word" } },
    },
    required: ["maxLength", "pattern"],
    additionalProperties: false,
  });
});
