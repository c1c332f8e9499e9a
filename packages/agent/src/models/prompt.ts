import type {
  JSONObject,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
} from "@ai-sdk/provider";
import type { Json } from "@choiros/contract";
import type { AnswerPart, ModelMessage, ModelRequest, ToolReply, ToolSpec } from "./model.ts";

/** Whose options a message's mark for the cache, and a thought's signature, are written into. */
export type Dialect = "anthropic" | "bedrock" | "openai";

/** A request as providers take it. */
export function promptOf(
  request: ModelRequest,
  dialect: Dialect,
  model: string,
): Pick<LanguageModelV4CallOptions, "maxOutputTokens" | "prompt" | "tools"> {
  const reader = { dialect, model, ids: new CallIds() };
  const messages = request.messages.map((message) => messageOf(message, reader)).filter(hasContent);
  const mark = cacheMark(dialect, model);
  const system = { role: "system" as const, content: request.system.toWellFormed() };
  return {
    maxOutputTokens: request.maxTokens,
    prompt: [mark === undefined ? system : { ...system, providerOptions: mark }, ...marked(messages, mark)],
    ...(request.tools.length > 0 && { tools: request.tools.map(toolOf) }),
  };
}

type Mark = Record<string, JSONObject>;
type PartOf<Role extends LanguageModelV4Message["role"]> = Exclude<
  Extract<LanguageModelV4Message, { role: Role }>["content"],
  string
>[number];

/** What providers keep of a prompt is much cheaper than what they read anew; some of Bedrock's models refuse the mark. */
function cacheMark(dialect: Dialect, model: string): Mark | undefined {
  if (dialect === "anthropic") return { anthropic: { cacheControl: { type: "ephemeral" } } };
  if (dialect === "bedrock" && /claude-(3-7|3-5-haiku|[a-z]+-\d)|amazon\.nova/.test(model)) {
    return { bedrock: { cachePoint: { type: "default" } } };
  }
  return undefined;
}

/** The last two that aren't the model's own: what the call before had written is found, and this one's is kept. */
function marked(messages: LanguageModelV4Message[], mark: Mark | undefined): LanguageModelV4Message[] {
  if (mark === undefined) return messages;
  const last = messages.flatMap((message, index) => (message.role === "assistant" ? [] : [index])).slice(-2);
  return messages.map((message, index) => (last.includes(index) ? { ...message, providerOptions: mark } : message));
}

interface Reader {
  readonly dialect: Dialect;
  readonly model: string;
  readonly ids: CallIds;
}

function messageOf(message: ModelMessage, reader: Reader): LanguageModelV4Message {
  if (message.role === "user") return { role: "user", content: [{ type: "text", text: message.text.toWellFormed() }] };
  if (message.role === "tools") return { role: "tool", content: message.results.map((one) => resultOf(one, reader)) };
  const content = message.parts.flatMap((part) => partOf(part, reader));
  // providers refuse what ends with a thought
  const end = content.findLastIndex(({ type }) => type !== "reasoning");
  return { role: "assistant", content: content.slice(0, end + 1) };
}

function partOf(part: AnswerPart, reader: Reader): PartOf<"assistant">[] {
  // providers refuse a text of blanks
  if ("text" in part) return part.text.trim() === "" ? [] : [{ type: "text", text: part.text.toWellFormed() }];
  if ("call" in part) {
    const { id, tool, input } = part.call;
    // what wasn't an object is told in the tool's reply; a provider would refuse it here
    const args = isObject(input) ? wellFormed(input) : {};
    return [{ type: "tool-call", toolCallId: reader.ids.called(id), toolName: toolName(tool), input: args }];
  }
  const own = ownOf(part.own, reader);
  return own === undefined ? [] : [{ type: "reasoning", text: part.thought, providerOptions: own }];
}

/** Only what this model has signed: another's thoughts, and those that were cut off, are left out. */
function ownOf(own: Json, { dialect, model }: Reader): Mark | undefined {
  if (!isObject(own) || own.model !== model) return undefined;
  const signed = own[dialect];
  // JSON as the provider gave it, and as it was kept
  return isObject(signed) ? { [dialect]: signed as JSONObject } : undefined;
}

function resultOf({ id, tool, text, failed }: ToolReply, { ids }: Reader): PartOf<"tool"> {
  const value = text === "" ? "(no output)" : text.toWellFormed();
  const output = failed ? ({ type: "error-text", value } as const) : ({ type: "text", value } as const);
  return { type: "tool-result", toolCallId: ids.answered(id), toolName: toolName(tool), output };
}

/** What a model calls a tool that isn't there may be no name that its provider takes back. */
function toolName(tool: string): string {
  return tool.replace(/[^\w-]/g, "_").slice(0, MOST_OF_A_NAME) || "_";
}

const MOST_OF_A_NAME = 64;
/** Some take 64 characters, OpenAI 40. */
const TAKEN_BY_ALL = /^[\w-]{1,40}$/;

/** Calls as all providers take them: some give the same id twice, or one that another, which goes on with it, refuses. */
class CallIds {
  readonly #used = new Set<string>();
  /** Those that weren't answered yet, by the id that they were given. */
  readonly #open = new Map<string, string[]>();

  called(id: string): string {
    let own = id;
    for (let n = this.#used.size; !TAKEN_BY_ALL.test(own) || this.#used.has(own); n++) own = `call-${n}`;
    this.#used.add(own);
    this.#open.set(id, [...(this.#open.get(id) ?? []), own]);
    return own;
  }

  /** Of calls with one id the first is answered first. */
  answered(id: string): string {
    return this.#open.get(id)?.shift() ?? id;
  }
}

function toolOf({ name, description, input }: ToolSpec): LanguageModelV4FunctionTool {
  // a JSON Schema by the port's promise; the provider judges it
  return { type: "function", name, description, inputSchema: input as LanguageModelV4FunctionTool["inputSchema"] };
}

/** A half of a character, which a text that was cut may end with, is none that a provider takes. */
function wellFormed(value: Json): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), wellFormed(one)]));
}

function hasContent(message: LanguageModelV4Message): boolean {
  return message.content.length > 0;
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
