import { endOf, type Failure, halves, type Step, usageOf } from "./script.ts";
import type { Frame, WireFormat } from "./wire-format.ts";

/** Anthropic Messages, streamed: server-sent events. */
export const anthropicWire: WireFormat = {
  contentType: "text/event-stream",
  frames,
  failure: ({ status, message = "scripted" }: Failure) =>
    JSON.stringify({ type: "error", error: { type: errorType(status), message } }),
};

const STOPS = { end: "end_turn", tools: "tool_use", length: "max_tokens", refused: "refusal" };

function* frames(steps: readonly Step[], model: string): Generator<Frame> {
  const usage = usageOf(steps);
  const counted = {
    input_tokens: usage.in - usage.cached - usage.written,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: usage.written,
  };
  const message = { id: "msg_1", type: "message", role: "assistant", model, content: [], stop_reason: null };
  yield event("message_start", {
    message: { ...message, stop_sequence: null, usage: { ...counted, output_tokens: 1 } },
  });
  for (const [index, step] of steps.entries()) yield* block(step, index);
  yield event("message_delta", {
    delta: { stop_reason: STOPS[endOf(steps)], stop_sequence: null },
    usage: { output_tokens: usage.out },
  });
  yield event("message_stop", {});
}

function* block(step: Step, index: number): Generator<Frame> {
  if (typeof step === "string") {
    yield event("content_block_start", { index, content_block: { type: "text", text: "" } });
    for (const text of halves(step)) yield event("content_block_delta", { index, delta: { type: "text_delta", text } });
    yield event("content_block_stop", { index });
  } else if ("tool" in step) {
    const { tool: name, id = `toolu_${index}` } = step;
    const raw = "raw" in step ? step.raw : JSON.stringify(step.input);
    yield event("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } });
    for (const partial_json of halves(raw)) {
      yield event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json } });
    }
    yield event("content_block_stop", { index });
  } else if ("thought" in step) {
    const { thought: thinking, signature } = step;
    yield event("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } });
    yield event("content_block_delta", { index, delta: { type: "thinking_delta", thinking } });
    yield event("content_block_delta", { index, delta: { type: "signature_delta", signature } });
    yield event("content_block_stop", { index });
  } else if ("ping" in step) yield event("ping", {});
  else if ("malformed" in step) yield "event: content_block_delta\ndata: {oops\n\n";
  else if ("error" in step) {
    const type = step.error === "overloaded" ? "overloaded_error" : "invalid_request_error";
    yield event("error", { error: { type, message: "scripted" } });
    yield { cut: true };
  } else if ("until" in step || "cut" in step) yield step;
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function errorType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 429) return "rate_limit_error";
  if (status === 529) return "overloaded_error";
  return status >= 500 ? "api_error" : "invalid_request_error";
}
