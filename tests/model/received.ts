import type { IncomingHttpHeaders } from "node:http";

export type Wire = "anthropic" | "bedrock" | "openai-compatible";

/** A request as it came in: of every wire in one form, and as it was. */
export interface Received {
  readonly wire: Wire;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The whole body, byte for byte. */
  readonly text: string;
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Said[];
  /** Names of the tools that it may call. */
  readonly tools: readonly string[];
}

export interface Said {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
}

/** What the tool that was called last has answered; empty where none was. */
export function lastToolOutput(request: Received): string {
  return request.messages.findLast(({ role }) => role === "tool")?.text ?? "";
}

/** What was said to the model last that isn't a tool's. */
export function lastUserText(request: Received): string {
  return request.messages.findLast(({ role }) => role === "user")?.text ?? "";
}

export function received(wire: Wire, path: string, headers: IncomingHttpHeaders, text: string): Received {
  const body = fieldsOf(JSON.parse(text));
  const said = listOf(body.messages).flatMap(saidOf);
  return {
    wire,
    path,
    headers,
    text,
    model: typeof body.model === "string" ? body.model : decodeURIComponent(path.split("/")[2] ?? ""),
    system: [...textsOf(body.system), ...said.flatMap((one) => (one.role === "system" ? [one.text] : []))].join(""),
    messages: said.flatMap(({ role, text }) => (role === "system" ? [] : [{ role, text }])),
    tools: [...listOf(body.tools), ...listOf(fieldsOf(body.toolConfig).tools)].flatMap(namesOf),
  };
}

interface Heard {
  readonly role: Said["role"] | "system";
  readonly text: string;
}

/** Anthropic and Bedrock have what tools answered among the user's words. */
function saidOf(message: unknown): Heard[] {
  const { role, content } = fieldsOf(message);
  if (role !== "system" && role !== "user" && role !== "assistant" && role !== "tool") {
    throw new Error(`A message has the role ${String(role)}.`);
  }
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.flatMap((block): Heard[] => {
    const { type, content, toolResult } = fieldsOf(block);
    if (type === "tool_result") return [{ role: "tool", text: textsOf(content).join("") }];
    if (toolResult !== undefined) return [{ role: "tool", text: textsOf(fieldsOf(toolResult).content).join("") }];
    const text = textsOf(block).join("");
    return text === "" ? [] : [{ role, text }]; // who only calls tools says nothing
  });
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  const { text } = fieldsOf(value);
  return typeof text === "string" ? [text] : [];
}

function namesOf(tool: unknown): string[] {
  const { name, function: inner, toolSpec } = fieldsOf(tool);
  return [name, fieldsOf(inner).name, fieldsOf(toolSpec).name].filter((one) => typeof one === "string");
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
