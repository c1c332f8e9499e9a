import type { Json } from "@choiros/contract";

/** A model as the loops know it: nothing of keys, addresses or wire formats. */
export interface Model {
  /** `anthropic`, `bedrock`, `openai-compatible`, or `demo`: as events name it. */
  readonly provider: string;
  readonly name: string;
  /**
   * One answer. Tries again by itself where that makes sense (429, 5xx, a connection that couldn't be made or was cut), as
   * long as nothing of an answer came. Its usage is the last try's; `onLost` tells that of others. Ends within a second of `signal`. Never throws for what a provider or a network does.
   */
  ask(request: ModelRequest, options: ModelOptions): Promise<ModelAnswer>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly maxTokens: number;
}

export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly parts: readonly AnswerPart[] }
  | { readonly role: "tools"; readonly results: readonly ToolReply[] };

export type AnswerPart =
  | { readonly text: string }
  /** What a provider wants back as it was: signed thoughts. Nobody else reads it. */
  | { readonly thought: string; readonly own: Json }
  | { readonly call: ToolUse };

export interface ToolUse {
  /** As the provider named it. */
  readonly id: string;
  readonly tool: string;
  /** As the model wrote it: to be parsed by the tool's schema. `undefined` where it wasn't JSON, and `raw` is what it was. */
  readonly input: Json | undefined;
  readonly raw?: string;
  /** The answer got too long before this was whole. */
  readonly cut?: true;
}

/** Why a call has no input, in words that go on from what it is. */
export function faultOfUse({ cut, raw = "" }: ToolUse): string {
  if (cut === true)
    return "was cut off, for your answer got too long: do it in smaller parts, one call after the other";
  return `was not JSON, or nested too deep: ${raw.slice(0, 200)}`;
}

export interface ToolReply {
  readonly id: string;
  readonly tool: string;
  readonly text: string;
  readonly failed: boolean;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly input: Json;
}

export interface ModelOptions {
  readonly signal: AbortSignal;
  /** What it says, as it comes. */
  readonly onText?: (delta: string) => void;
  /** More came of it: what came so far can be had by then, whole parts and what grows. */
  readonly onMore?: (came: () => readonly AnswerPart[]) => void;
  /** Why it waits before it tries again, and how much longer; told again as long as it does. */
  readonly onWait?: (why: string, ms: number) => void;
  /** It tries again now, after a try that brought nothing although the provider had counted this: it may have to be paid. */
  readonly onLost?: (used: ModelUsage) => Promise<void>;
}

/** Tokens as the provider counts them; `null` where it doesn't say. `in` has those from a cache among them. */
export interface ModelUsage {
  readonly in: number | null;
  readonly out: number | null;
  readonly cached: number | null;
  /** Those of `in` that were put into a cache, which some providers want more for. */
  readonly written?: number;
}

export type ModelAnswer =
  | {
      readonly ok: true;
      readonly parts: readonly AnswerPart[];
      /** `length`: it was cut off by `maxTokens`. */
      readonly stop: "end" | "tools" | "length";
      readonly usage: ModelUsage;
    }
  | {
      readonly ok: false;
      readonly why: "stopped" | "timeout" | "key" | "busy" | "too-long" | "refused" | "unreachable" | "broken";
      /** What happened, to what, and what to do. Never a key. */
      readonly message: string;
      /** What had come by then. */
      readonly parts: readonly AnswerPart[];
      readonly usage: ModelUsage;
    };
