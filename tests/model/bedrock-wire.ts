import { crc32 } from "node:zlib";
import { endOf, type Failure, halves, type Step, usageOf } from "./script.ts";
import type { Frame, WireFormat } from "./wire-format.ts";

/** Amazon Bedrock's ConverseStream: binary frames of an event stream. */
export const bedrockWire: WireFormat = {
  contentType: "application/vnd.amazon.eventstream",
  frames,
  failure: ({ message = "scripted" }: Failure) => JSON.stringify({ message }),
};

const STOPS = { end: "end_turn", tools: "tool_use", length: "max_tokens", refused: "content_filtered" };

function* frames(steps: readonly Step[]): Generator<Frame> {
  yield event("messageStart", { role: "assistant" });
  for (const [index, step] of steps.entries()) yield* block(step, index);
  yield event("messageStop", { stopReason: STOPS[endOf(steps)] });
  const usage = usageOf(steps);
  yield event("metadata", {
    usage: {
      inputTokens: usage.in - usage.cached - usage.written,
      outputTokens: usage.out,
      totalTokens: usage.in + usage.out,
      cacheReadInputTokens: usage.cached,
      cacheWriteInputTokens: usage.written,
    },
    metrics: { latencyMs: 1 },
  });
}

function* block(step: Step, contentBlockIndex: number): Generator<Frame> {
  const delta = (part: object) => event("contentBlockDelta", { contentBlockIndex, delta: part });
  if (typeof step === "string") {
    for (const text of halves(step)) yield delta({ text });
    yield event("contentBlockStop", { contentBlockIndex });
  } else if ("tool" in step) {
    const { tool: name, id = `tooluse_${contentBlockIndex}` } = step;
    yield event("contentBlockStart", { contentBlockIndex, start: { toolUse: { toolUseId: id, name } } });
    const raw = "raw" in step ? step.raw : JSON.stringify(step.input);
    for (const input of halves(raw)) yield delta({ toolUse: { input } });
    yield event("contentBlockStop", { contentBlockIndex });
  } else if ("thought" in step) {
    yield delta({ reasoningContent: { text: step.thought } });
    yield delta({ reasoningContent: { signature: step.signature } });
    yield event("contentBlockStop", { contentBlockIndex });
  } else if ("malformed" in step) yield damaged(delta({ text: "never read" }));
  else if ("error" in step) {
    const type = step.error === "overloaded" ? "throttlingException" : "validationException";
    yield frame({ ":message-type": "exception", ":exception-type": type }, { message: "scripted" });
    yield { cut: true };
  } else if ("until" in step || "cut" in step) yield step;
}

function event(type: string, payload: object): Uint8Array {
  return frame({ ":event-type": type, ":content-type": "application/json", ":message-type": "event" }, payload);
}

/** Length, length of headers, CRC of these two; headers; payload; CRC of it all. */
function frame(headers: Readonly<Record<string, string>>, payload: object): Uint8Array {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + head.length + body.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const signed = Buffer.concat([prelude, head, body]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(signed));
  return Buffer.concat([signed, check]);
}

/** A name, the type 7 (a string), and its value. */
function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([Buffer.byteLength(name)]),
    Buffer.from(name),
    Buffer.from([7]),
    length,
    Buffer.from(value),
  ]);
}

/** One bit of the payload is another: the CRC tells. */
function damaged(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  const at = copy.length - 6;
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}
