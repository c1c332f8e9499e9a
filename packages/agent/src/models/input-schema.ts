import type { Json } from "@choiros/contract";
import { z } from "zod";

/**
 * What a tool is given, as models are told of it. Without its dialect, the patterns of texts and how long they may be: some
 * servers refuse a whole request for one of these (llama.cpp does), and what doesn't fit is told to the model anyway.
 */
export function inputSchema(input: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: "input",
    override({ jsonSchema }) {
      delete jsonSchema.pattern;
      delete jsonSchema.maxLength;
    },
  });
  return schema as Json; // a JSON Schema is JSON
}
