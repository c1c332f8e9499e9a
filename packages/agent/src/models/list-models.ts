import { z } from "zod";
import { askJson } from "./ask-json.ts";
import { ANTHROPIC_URL, type Connection, secretsOf } from "./connection.ts";
import { hasSecret } from "./without-secrets.ts";

export type Offered =
  | { readonly ok: true; readonly models: readonly string[] }
  | { readonly ok: false; readonly message: string };

const List = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(10_000) });

/** Bedrock lists models only for those who may ask for it, and most may only call them. These are suggestions. */
const BEDROCK = [
  "global.anthropic.claude-opus-5",
  "global.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "global.anthropic.claude-haiku-4-5-20251001-v1:0",
  "us.amazon.nova-premier-v1:0",
  "us.amazon.nova-pro-v1:0",
];

/** Which models a provider has for this key. */
export async function listModels(connection: Connection, ms = 5_000): Promise<Offered> {
  if (connection.kind === "bedrock") return { ok: true, models: BEDROCK };
  const answer = await askJson(addressOf(connection), headersOf(connection), ms);
  if ("failed" in answer)
    return { ok: false, message: "It can't be reached. Look whether it runs, and whether the address is right." };
  if (answer.status === 401 || answer.status === 403)
    return { ok: false, message: `The key was refused (${answer.status}).` };
  const list = List.safeParse(answer.body);
  if (answer.status !== 200 || !list.success) {
    return { ok: false, message: `It doesn't tell which models it has (${answer.status}). Type the model's name.` };
  }
  const secrets = secretsOf(connection);
  return { ok: true, models: list.data.data.map(({ id }) => id).filter((id) => !hasSecret(id, secrets)) };
}

type Asked = Exclude<Connection, { kind: "bedrock" }>;

function addressOf(connection: Asked): string {
  if (connection.kind === "anthropic") return `${connection.baseUrl ?? ANTHROPIC_URL}/models?limit=1000`;
  return `${connection.baseUrl}/models`;
}

function headersOf(connection: Asked): Record<string, string> {
  if (connection.kind === "anthropic") return { "x-api-key": connection.key, "anthropic-version": "2023-06-01" };
  return connection.key === undefined ? {} : { authorization: `Bearer ${connection.key}` };
}
