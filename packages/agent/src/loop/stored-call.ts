import { type Id, Json } from "@choiros/contract";
import { z } from "zod";
import type { AnswerPart } from "../models/model.ts";

const Use = z
  .object({ id: z.string(), input: Json.optional(), raw: z.string().exactOptional(), tool: z.string() })
  .transform(({ id, input, raw, tool }) => ({ id, input, tool, ...(raw !== undefined && { raw }) }));

const Part: z.ZodType<AnswerPart> = z.union([
  z.object({ text: z.string() }),
  z.object({ call: Use }),
  z.object({ own: Json, thought: z.string() }),
]);

const Reply = z.object({ failed: z.boolean(), id: z.string(), text: z.string(), tool: z.string() });

const Message = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), text: z.string() }),
  z.object({ parts: z.array(Part), role: z.literal("assistant") }),
  z.object({ results: z.array(Reply), role: z.literal("tools") }),
]);

const Spec = z.object({ description: z.string(), input: Json, name: z.string() });

/**
 * The request of a `model.call`, as its content has it: what was added to the conversation since the call before. All of a
 * conversation, once for every call, would be the square of it.
 */
export const StoredRequest = z.object({
  add: z.array(Message),
  /** What tools had answered was cut to so many characters each before. */
  cut: z.int().min(0).exactOptional(),
  /** The ids of the user's messages that are among what was added. */
  heard: z.array(z.string()),
  maxTokens: z.int(),
  /** Old tool output was shortened before. */
  shortened: z.literal(true).exactOptional(),
  /** What was asked for is a summary, which stands for what was said until now. */
  summary: z.literal(true).exactOptional(),
  /** Both where they aren't those of the call before. */
  system: z.string().exactOptional(),
  tools: z.array(Spec).exactOptional(),
});
export type StoredRequest = z.infer<typeof StoredRequest>;

/** The id of the `model.asked` that a `model.call` answers. */
export function askedId(call: Id): Id {
  return `${call}-asked`;
}

/** The response of a `model.call`: all that was received, also of an answer that was cut off. */
export const StoredResponse = z.object({
  /** What went wrong, where it did. */
  message: z.string().exactOptional(),
  parts: z.array(Part),
  stop: z.enum(["end", "tools", "length", "cut"]),
});
export type StoredResponse = z.infer<typeof StoredResponse>;
