import type { LanguageModelV4 } from "@ai-sdk/provider";

/** Where a provider is and what opens it. It has keys: it stays inside of `models/`, and goes into nothing that is kept. */
export type Connection =
  | { readonly kind: "anthropic"; readonly key: string; readonly baseUrl?: string }
  | {
      readonly kind: "bedrock";
      readonly region: string;
      readonly by: { readonly key: string } | AwsKeys;
      readonly baseUrl?: string;
    }
  | { readonly kind: "openai-compatible"; readonly baseUrl: string; readonly key?: string };

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export const ANTHROPIC_URL = "https://api.anthropic.com/v1";
export const OPENAI_URL = "https://api.openai.com/v1";

/** OpenAI's newer models, which refuse what all other servers call the limit. */
const OWN_MODELS = /^(gpt-[5-9]|o\d)/;

/**
 * A provider's client with everything given: none of them may find a key or an address in the environment by itself. It is
 * read when it is first needed: together they take half a second, which the server's start hasn't.
 */
export async function openConnection(
  connection: Connection,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV4> {
  if (connection.kind === "bedrock") return openBedrock(connection, model, fetch);
  if (connection.kind === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey: connection.key, baseURL: connection.baseUrl ?? ANTHROPIC_URL, fetch })(model);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const { baseUrl, key } = connection;
  const settings = {
    name: "openai",
    baseURL: baseUrl.replace(/\/+$/, ""),
    includeUsage: true,
    transformRequestBody: OWN_MODELS.test(model) ? renamedLimit : undefined,
    fetch,
  };
  return createOpenAICompatible(key === undefined ? settings : { ...settings, apiKey: key })(model);
}

/** Everything in it that must never be told. */
export function secretsOf(connection: Connection): string[] {
  if (connection.kind !== "bedrock") return connection.key === undefined ? [] : [connection.key];
  const { by } = connection;
  if ("key" in by) return [by.key];
  return [by.secretAccessKey, by.accessKeyId, ...(by.sessionToken === undefined ? [] : [by.sessionToken])];
}

function renamedLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}

async function openBedrock(
  { by, region, baseUrl }: Extract<Connection, { kind: "bedrock" }>,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV4> {
  const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
  const baseURL = baseUrl ?? `https://bedrock-runtime.${region}.${awsDomain(region)}`;
  if ("key" in by) return createAmazonBedrock({ apiKey: by.key, region, baseURL, fetch })(model);
  // an empty key keeps it from taking AWS_BEARER_TOKEN_BEDROCK
  const credentialProvider = () => Promise.resolve(by);
  return createAmazonBedrock({ apiKey: "", credentialProvider, region, baseURL, fetch })(model);
}

function awsDomain(region: string): string {
  return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}
