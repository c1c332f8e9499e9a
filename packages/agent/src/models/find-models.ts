import { z } from "zod";
import { lastFour } from "../secrets/secrets.ts";
import { askJson } from "./ask-json.ts";
import { awsKeysOfEnvironment, awsRegionOfEnvironment, type Environment, readAwsProfile } from "./aws-profile.ts";
import { isFitForKeys } from "./base-url.ts";
import { OPENAI_URL } from "./connection.ts";
import type { Connected } from "./models-file.ts";

/** A provider that is there without anybody having connected it. */
export interface Found {
  readonly id: string;
  /** In a sentence for its owner: what it is and where its key is. */
  readonly says: string;
  /** To be connected as it is. */
  readonly connected: Connected;
  /** Those that it tells without being paid or shown a key; the others are asked once it is connected. */
  readonly models: readonly string[];
}

export interface Looking {
  readonly env: Environment;
  /** Where Ollama and llama.cpp would be. */
  readonly ollama?: string;
  readonly llamaCpp?: string;
  readonly ms?: number;
}

/** What is on this machine, in its environment, and in the files of AWS's tools. No key leaves it for that. */
export async function findModels(looking: Looking): Promise<Found[]> {
  const { env, ollama = "http://127.0.0.1:11434", llamaCpp = "http://127.0.0.1:8080", ms = 500 } = looking;
  const found = await Promise.all([
    anthropicOf(env),
    openaiOf(env),
    bedrockOf(env),
    ollamaAt(ollama, ms),
    llamaCppAt(llamaCpp, ms),
  ]);
  return found.filter((one) => one !== undefined);
}

function anthropicOf({ ANTHROPIC_API_KEY: key }: Environment): Found | undefined {
  if (!key) return undefined;
  const connected = { kind: "anthropic", key_from: "environment" } as const;
  return { id: "anthropic", says: `Anthropic, by ANTHROPIC_API_KEY (${lastFour(key)})`, connected, models: [] };
}

function openaiOf({ OPENAI_API_KEY: key, OPENAI_BASE_URL: base }: Environment): Found | undefined {
  const base_url = (base || OPENAI_URL).replace(/\/+$/, "");
  if (!key || !isFitForKeys(base_url)) return undefined;
  const connected = { kind: "openai-compatible", base_url, key_from: "environment" } as const;
  const name = URL.parse(base_url)?.host ?? "OpenAI";
  return { id: "openai", says: `${name}, by OPENAI_API_KEY (${lastFour(key)})`, connected, models: [] };
}

async function bedrockOf(env: Environment): Promise<Found | undefined> {
  const profile = await readAwsProfile(env);
  const region = awsRegionOfEnvironment(env) ?? profile.region ?? "us-east-1";
  const found = (by: string, connected: Connected): Found => ({
    id: "bedrock",
    says: `Amazon Bedrock in ${region}, by ${by}`,
    connected,
    models: [],
  });
  const environment = { kind: "bedrock", region, key_from: "environment" } as const;
  if (env.AWS_BEARER_TOKEN_BEDROCK) return found("AWS_BEARER_TOKEN_BEDROCK", environment);
  if (awsKeysOfEnvironment(env) !== undefined) return found("AWS_ACCESS_KEY_ID", environment);
  if (profile.keys === undefined) return undefined;
  return found(`the AWS profile ${profile.name}`, {
    kind: "bedrock",
    region,
    key_from: "profile",
    profile: profile.name,
  });
}

const Tags = z.object({ models: z.array(z.object({ name: z.string().min(1).max(200) })).max(10_000) });

async function ollamaAt(url: string, ms: number): Promise<Found | undefined> {
  const tags = Tags.safeParse(await bodyOf(`${url}/api/tags`, ms));
  if (!tags.success) return undefined;
  const models = tags.data.models.map(({ name }) => name);
  const connected = { kind: "openai-compatible", base_url: `${url}/v1`, key_from: "nowhere" } as const;
  return { id: "ollama", says: `Ollama on this machine, with ${counted(models)}`, connected, models };
}

const Props = z.object({ default_generation_settings: z.looseObject({}) });
const List = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(10_000) });

/** Many things listen on that port: only llama.cpp has such properties. */
async function llamaCppAt(url: string, ms: number): Promise<Found | undefined> {
  const [props, list] = await Promise.all([bodyOf(`${url}/props`, ms), bodyOf(`${url}/v1/models`, ms)]);
  const models = List.safeParse(list).data?.data.map(({ id }) => id);
  if (!Props.safeParse(props).success || models === undefined) return undefined;
  const connected = { kind: "openai-compatible", base_url: `${url}/v1`, key_from: "nowhere" } as const;
  return { id: "llama-cpp", says: `llama.cpp on this machine, with ${counted(models)}`, connected, models };
}

async function bodyOf(url: string, ms: number): Promise<unknown> {
  const answer = await askJson(url, {}, ms);
  return "failed" in answer || answer.status !== 200 ? undefined : answer.body;
}

function counted(models: readonly string[]): string {
  return models.length === 1 ? "one model" : `${models.length} models`;
}
