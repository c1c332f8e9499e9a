import { endOf, type Failure, halves, type Step, usageOf } from "./script.ts";
import type { Frame, WireFormat } from "./wire-format.ts";

/** OpenAI's chat completions, streamed, as many other servers speak them. */
export const openaiWire: WireFormat = {
  contentType: "text/event-stream",
  frames,
  failure: ({ status, message = "scripted" }: Failure) =>
    JSON.stringify({ error: { message, type: status === 429 ? "rate_limit_exceeded" : "invalid_request_error" } }),
};

const STOPS = { end: "stop", tools: "tool_calls", length: "length", refused: "content_filter" };

function* frames(steps: readonly Step[], model: string): Generator<Frame> {
  const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model };
  const delta = (part: object, finish_reason: string | null = null) =>
    data({ ...base, choices: [{ index: 0, delta: part, finish_reason }] });
  yield delta({ role: "assistant", content: "" });
  let calls = 0;
  for (const step of steps) {
    if (typeof step === "string") for (const content of halves(step)) yield delta({ content });
    else if ("tool" in step) {
      const index = calls++;
      const { tool: name, id = `call_${index}` } = step;
      yield delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
      for (const part of halves("raw" in step ? step.raw : JSON.stringify(step.input))) {
        yield delta({ tool_calls: [{ index, function: { arguments: part } }] });
      }
    } else if ("thought" in step) yield delta({ reasoning_content: step.thought });
    else if ("ping" in step) yield ": alive\n\n";
    else if ("malformed" in step) yield "data: {oops\n\n";
    else if ("error" in step) {
      const type = step.error === "overloaded" ? "server_error" : "invalid_request_error";
      yield data({ error: { message: "scripted", type } });
      yield { cut: true };
    } else if ("until" in step || "cut" in step) yield step;
  }
  yield delta({}, STOPS[endOf(steps)]);
  const usage = usageOf(steps);
  yield data({
    ...base,
    choices: [],
    usage: {
      prompt_tokens: usage.in,
      completion_tokens: usage.out,
      total_tokens: usage.in + usage.out,
      prompt_tokens_details: { cached_tokens: usage.cached },
    },
  });
  yield "data: [DONE]\n\n";
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
