import type { Secrets } from "../secrets/secrets.ts";
import { SecretsError } from "../secrets/secrets-error.ts";
import { awsKeysOfEnvironment, type Environment, readAwsProfile } from "./aws-profile.ts";
import type { AwsKeys, Connection } from "./connection.ts";
import type { Connected } from "./models-file.ts";

export type Opened =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly message: string };

export interface Keys {
  readonly secrets: Secrets;
  readonly env: Environment;
}

/** Under which name a provider's key is among the secrets: its own, and no other's. */
export function secretOf(id: string): string {
  return `model.${id}`;
}

/** A connected provider with its key, just now, for one use. */
export async function openConnected(id: string, connected: Connected, keys: Keys): Promise<Opened> {
  try {
    return await opened(id, connected, keys);
  } catch (error) {
    if (error instanceof SecretsError) return { ok: false, message: error.message };
    throw error;
  }
}

async function opened(id: string, connected: Connected, keys: Keys): Promise<Opened> {
  if (connected.kind === "bedrock") return openBedrock(id, connected, keys);
  const key = await plainKey(id, connected, keys);
  if (connected.kind === "openai-compatible") {
    const { kind, base_url: baseUrl } = connected;
    if (connected.key_from === "nowhere") return { ok: true, connection: { kind, baseUrl } };
    return key === undefined ? missing(id, connected) : { ok: true, connection: { kind, baseUrl, key } };
  }
  if (key === undefined) return missing(id, connected);
  const { kind, base_url: baseUrl } = connected;
  return { ok: true, connection: { kind, key, ...(baseUrl !== undefined && { baseUrl }) } };
}

const VARIABLES = {
  anthropic: "ANTHROPIC_API_KEY",
  bedrock: "AWS_BEARER_TOKEN_BEDROCK",
  "openai-compatible": "OPENAI_API_KEY",
} as const;

async function plainKey(
  id: string,
  { kind, key_from }: Connected,
  { secrets, env }: Keys,
): Promise<string | undefined> {
  if (key_from === "secrets") return secrets.get(secretOf(id));
  return (key_from === "environment" && env[VARIABLES[kind]]) || undefined;
}

async function openBedrock(
  id: string,
  connected: Extract<Connected, { kind: "bedrock" }>,
  keys: Keys,
): Promise<Opened> {
  const { kind, region, base_url: baseUrl } = connected;
  const by = await bedrockBy(id, connected, keys);
  if (by === undefined) return missing(id, connected);
  return { ok: true, connection: { kind, region, by, ...(baseUrl !== undefined && { baseUrl }) } };
}

async function bedrockBy(
  id: string,
  connected: Extract<Connected, { kind: "bedrock" }>,
  keys: Keys,
): Promise<{ key: string } | AwsKeys | undefined> {
  if (connected.key_from === "profile") return (await readAwsProfile(keys.env, connected.profile)).keys;
  const key = await plainKey(id, connected, keys);
  if (key !== undefined) return { key };
  return connected.key_from === "environment" ? awsKeysOfEnvironment(keys.env) : undefined;
}

function missing(id: string, { kind, key_from }: Connected): Opened {
  const where = {
    environment: `in the server's environment (${VARIABLES[kind]})`,
    nowhere: "anywhere",
    profile: "in the AWS profile",
    secrets: "among the secrets",
  }[key_from];
  return { ok: false, message: `The key of ${id} isn't ${where}. Connect it again.` };
}
