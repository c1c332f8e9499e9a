import { setTimeout as pause } from "node:timers/promises";
import { type Attempt, attempt } from "./attempt.ts";
import { isLoopback } from "./base-url.ts";
import { type Connection, openConnection, secretsOf } from "./connection.ts";
import type { Fault, Whom } from "./fault.ts";
import type { Model, ModelAnswer, ModelOptions, ModelRequest } from "./model.ts";
import { type Dialect, promptOf } from "./prompt.ts";
import { LOCAL_FIRST_MS, type Timing, USUAL_TIMING } from "./timing.ts";

const DIALECTS: Readonly<Record<Connection["kind"], Dialect>> = {
  anthropic: "anthropic",
  bedrock: "bedrock",
  "openai-compatible": "openai",
};

/** A provider's model, behind the port. The key is in here, and nothing that can be got from it has it. */
export function connectModel(connection: Connection, name: string, timing?: Partial<Timing>): Model {
  const usual = { ...USUAL_TIMING, ...(isLocal(connection) && { firstMs: LOCAL_FIRST_MS }), ...timing };
  return {
    provider: connection.kind,
    name,
    ask: (request, options) => ask({ connection, name, timing: usual }, request, options),
  };
}

interface Asked {
  readonly connection: Connection;
  readonly name: string;
  readonly timing: Timing;
}

/** Again and again, as long as nothing of an answer came: what was received is never asked for twice. */
async function ask(
  { connection, name, timing }: Asked,
  request: ModelRequest,
  options: ModelOptions,
): Promise<ModelAnswer> {
  const whom: Whom = { name: calledName(connection), model: name, secrets: secretsOf(connection) };
  const prompt = promptOf(request, DIALECTS[connection.kind], name);
  for (let tried = 1; ; tried++) {
    const result = await attempt({
      whom,
      timing,
      signal: options.signal,
      onText: options.onText,
      onMore: options.onMore,
      open: (fetch) => openConnection(connection, name, fetch),
      options: prompt,
    });
    if (result.ok) return result;
    const ms = waitBefore(tried, result.fault, timing);
    if (!result.fault.again || result.begun || tried >= timing.tries || ms === undefined) return failed(result);
    const tell = (left: number) => options.onWait?.(result.fault.message, left);
    if (!(await waited(ms, timing.tellMs, tell, options.signal))) {
      return { ...failed(result), why: "stopped", message: "It was stopped." };
    }
    if (result.usage.in !== null || result.usage.out !== null) await options.onLost?.(result.usage);
  }
}

function failed({ fault, parts, usage }: Extract<Attempt, { ok: false }>): Extract<ModelAnswer, { ok: false }> {
  return { ok: false, why: fault.why, message: fault.message, parts, usage };
}

/** Less by chance, so that those who were sent away together don't come back together; `undefined`: too long to wait. */
function waitBefore(tried: number, { afterMs }: Fault, timing: Timing): number | undefined {
  if (afterMs !== undefined) {
    if (afterMs > timing.longestRetryAfterMs) return undefined;
    return Math.round(afterMs + Math.random() * timing.backoffMs);
  }
  const most = Math.min(timing.backoffMs * 2 ** (tried - 1), timing.longestBackoffMs);
  return Math.round(most * (1 - Math.random() / 2));
}

async function waited(ms: number, tellMs: number, tell: (left: number) => void, signal: AbortSignal): Promise<boolean> {
  try {
    for (let left = ms; ; left -= tellMs) {
      tell(left);
      await pause(Math.min(left, tellMs), undefined, { signal });
      if (left <= tellMs) return true;
    }
  } catch {
    return false; // only the signal ends it
  }
}

function isLocal({ baseUrl }: Connection): boolean {
  return baseUrl !== undefined && isLoopback(baseUrl);
}

function calledName(connection: Connection): string {
  if (connection.kind === "bedrock") return "Amazon Bedrock";
  if (connection.kind === "anthropic" && connection.baseUrl === undefined) return "Anthropic";
  return URL.parse(connection.baseUrl ?? "")?.host ?? "the provider";
}
