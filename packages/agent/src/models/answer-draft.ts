import type {
  JSONObject,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { Json } from "@choiros/contract";
import { z } from "zod";
import type { AnswerPart, ModelUsage, ToolUse } from "./model.ts";

type Piece =
  | { readonly kind: "text"; text: string }
  | { readonly kind: "thought"; text: string; readonly model: string; own: Record<string, JSONObject> }
  | { readonly kind: "call"; readonly id: string; readonly tool: string; raw: string; whole: boolean };

type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>["finishReason"];

const UNKNOWN_USAGE: ModelUsage = { in: null, out: null, cached: null };

/** An answer while it comes in. What has come can be had at any moment. */
export class AnswerDraft {
  #pieces: Piece[] = [];
  /** Those that still grow, by the provider's name for them. */
  #open = new Map<string, Piece>();
  #usage = UNKNOWN_USAGE;
  #finish: Finish | undefined;
  readonly #model: string;
  readonly #onText: ((delta: string) => void) | undefined;

  constructor(model: string, onText: ((delta: string) => void) | undefined) {
    this.#model = model;
    this.#onText = onText;
  }

  get finish(): Finish["unified"] | undefined {
    return this.#finish?.unified;
  }

  /** The provider said that this is all. A client says so too where a connection just ends, but not in the provider's words. */
  get ended(): boolean {
    return this.#finish?.raw !== undefined && this.#finish.unified !== "error";
  }

  get usage(): ModelUsage {
    return this.#usage;
  }

  /** Whether something of an answer came: then the call isn't made again. */
  get begun(): boolean {
    return this.parts.length > 0;
  }

  get parts(): AnswerPart[] {
    return this.#pieces.flatMap((piece) => partOf(piece, this.ended));
  }

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-start":
        this.#begin(`text ${part.id}`, { kind: "text", text: "" });
        break;
      case "text-delta":
        this.#grow(`text ${part.id}`, part.delta);
        if (part.delta !== "") this.#onText?.(part.delta);
        break;
      case "reasoning-start":
        this.#begin(`thought ${part.id}`, { kind: "thought", text: "", model: this.#model, own: {} });
        this.#sign(part.id, part.providerMetadata);
        break;
      case "reasoning-delta":
        this.#grow(`thought ${part.id}`, part.delta);
        this.#sign(part.id, part.providerMetadata);
        break;
      case "reasoning-end":
        this.#sign(part.id, part.providerMetadata);
        break;
      case "tool-input-start":
        this.#begin(`call ${part.id}`, { kind: "call", id: part.id, tool: part.toolName, raw: "", whole: false });
        break;
      case "tool-input-delta":
        this.#grow(`call ${part.id}`, part.delta);
        break;
      case "tool-call":
        this.#complete(part.toolCallId, part.toolName, part.input);
        break;
      case "custom":
        this.#usage = earlyUsage(part.providerMetadata) ?? this.#usage;
        break;
      case "finish":
        this.#end(part);
        break;
    }
  }

  #end({ finishReason, usage }: Extract<LanguageModelV4StreamPart, { type: "finish" }>): void {
    this.#finish = finishReason;
    const told = usage.inputTokens.total !== undefined || usage.outputTokens.total !== undefined;
    if (told) this.#usage = usageOf(usage);
  }

  #begin(name: string, piece: Piece): void {
    this.#pieces.push(piece);
    this.#open.set(name, piece);
  }

  #grow(name: string, delta: string): void {
    const piece = this.#open.get(name);
    if (piece?.kind === "call") piece.raw += delta;
    else if (piece !== undefined) piece.text += delta;
  }

  #sign(id: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const piece = this.#open.get(`thought ${id}`);
    if (piece?.kind !== "thought") return;
    for (const [provider, signed] of Object.entries(metadata ?? {})) {
      piece.own[provider] = { ...piece.own[provider], ...signed };
    }
  }

  #complete(id: string, tool: string, raw: string): void {
    if (!this.#open.has(`call ${id}`)) this.#begin(`call ${id}`, { kind: "call", id, tool, raw, whole: true });
    const piece = this.#open.get(`call ${id}`);
    if (piece?.kind !== "call") return;
    piece.raw = raw;
    piece.whole = true;
  }
}

function partOf(piece: Piece, ended: boolean): AnswerPart[] {
  if (piece.kind === "text") return piece.text === "" ? [] : [{ text: piece.text }];
  // JSON without `undefined`, as the log takes it
  if (piece.kind === "thought") {
    const { text, model, own } = piece;
    return [{ thought: text, own: JSON.parse(JSON.stringify({ model, ...own })) }];
  }
  return [{ call: callOf(piece, ended) }];
}

/** What was cut off is never an input, even where the half of it happens to be JSON. */
function callOf({ id, tool, raw, whole }: Extract<Piece, { kind: "call" }>, ended: boolean): ToolUse {
  if (!whole || (raw.trim() === "" && !ended)) return { id, tool, input: undefined, raw };
  if (raw.trim() === "") return { id, tool, input: {} };
  try {
    const input: Json = JSON.parse(raw);
    if (!isDeeper(input, MOST_LEVELS)) return { id, tool, input };
  } catch {
    // that it is none is told below
  }
  return { id, tool, input: undefined, raw };
}

/** No tool wants more; what is nested without end can be read, but nobody can keep it. */
const MOST_LEVELS = 200;

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage {
  const written = counted(inputTokens.cacheWrite);
  return {
    in: counted(inputTokens.total),
    out: counted(outputTokens.total),
    cached: counted(inputTokens.cacheRead),
    ...(written !== null && { written }),
  };
}

/** What can be no number of tokens counts nothing: a provider may say anything, and its answer is paid for. */
function counted(tokens: number | undefined): number | null {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : null;
}

const EarlyUsage = z.object({
  anthropic: z.object({
    usage: z.object({
      input_tokens: z.number(),
      cache_creation_input_tokens: z.number().nullish(),
      cache_read_input_tokens: z.number().nullish(),
    }),
  }),
});

/** Anthropic tells at once what it has read: where the answer is cut off, that much is known. */
function earlyUsage(metadata: SharedV4ProviderMetadata | undefined): ModelUsage | undefined {
  const early = EarlyUsage.safeParse(metadata);
  if (!early.success) return undefined;
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = early.data.anthropic.usage;
  const [written, cached] = [cache_creation_input_tokens ?? 0, cache_read_input_tokens ?? 0];
  return usageOf({
    inputTokens: {
      total: input_tokens + written + cached,
      noCache: input_tokens,
      cacheRead: cached,
      cacheWrite: written,
    },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  });
}
