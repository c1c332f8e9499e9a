import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findModels } from "./find-models.ts";

let home: string;
const servers: Server[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "choir-find-"));
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await rm(home, { recursive: true });
});

const NOWHERE = { ollama: "http://127.0.0.1:9", llamaCpp: "http://127.0.0.1:9" };

test("MODEL-40: where there is nothing, nothing is found", async () => {
  expect(await findModels({ env: { HOME: home }, ...NOWHERE })).toEqual([]);
});

test("MODEL-40: keys in the environment are found, and only their ends told", async () => {
  const env = { HOME: home, ANTHROPIC_API_KEY: "sk-ant-0123456789-wxyz", OPENAI_API_KEY: "sk-0123456789-abcd" };
  const found = await findModels({ env, ...NOWHERE });
  expect(found).toMatchObject([
    { id: "anthropic", connected: { kind: "anthropic", key_from: "environment" } },
    { id: "openai", connected: { kind: "openai-compatible", base_url: "https://api.openai.com/v1" } },
  ]);
  expect(found.map(({ says }) => says)).toEqual([
    "Anthropic, by ANTHROPIC_API_KEY (…wxyz)",
    "api.openai.com, by OPENAI_API_KEY (…abcd)",
  ]);
  expect(JSON.stringify(found)).not.toContain("0123456789");
});

test("MODEL-40: a key isn't offered for an address where others could read it", async () => {
  const env = { HOME: home, OPENAI_API_KEY: "sk-0123456789-abcd" };
  expect(await findModels({ env: { ...env, OPENAI_BASE_URL: "http://models.example.org/v1" }, ...NOWHERE })).toEqual(
    [],
  );
  expect(
    await findModels({ env: { ...env, OPENAI_BASE_URL: "https://models.example.org/v1/" }, ...NOWHERE }),
  ).toMatchObject([{ connected: { base_url: "https://models.example.org/v1" } }]);
});

test("MODEL-41: Bedrock is found by a token, by keys in the environment, and by an AWS profile with keys", async () => {
  const bedrock = async (env: Record<string, string>) =>
    (await findModels({ env: { HOME: home, ...env }, ...NOWHERE })).map(({ connected, says }) => ({ connected, says }));
  expect(await bedrock({ AWS_BEARER_TOKEN_BEDROCK: "token", AWS_REGION: "eu-central-1" })).toMatchObject([
    { connected: { kind: "bedrock", region: "eu-central-1", key_from: "environment" } },
  ]);
  expect(await bedrock({ AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" })).toMatchObject([
    { connected: { region: "us-east-1", key_from: "environment" } },
  ]);
  await mkdir(join(home, ".aws"));
  await writeFile(
    join(home, ".aws/config"),
    "[default]\nregion = us-west-2\n[profile work]\nregion=eu-west-1\nsso_session = x\n",
  );
  expect(await bedrock({})).toEqual([]);
  await writeFile(
    join(home, ".aws/credentials"),
    "# mine\n[default]\naws_access_key_id = AKID\naws_secret_access_key = very+secret/=\n\n[work]\naws_access_key_id=AKID2\naws_secret_access_key=other\n",
  );
  expect(await bedrock({})).toEqual([
    {
      connected: { kind: "bedrock", region: "us-west-2", key_from: "profile", profile: "default" },
      says: "Amazon Bedrock in us-west-2, by the AWS profile default",
    },
  ]);
  expect(await bedrock({ AWS_PROFILE: "work" })).toMatchObject([
    { connected: { region: "eu-west-1", profile: "work" } },
  ]);
  expect(await bedrock({ AWS_PROFILE: "nobody" })).toEqual([]);
});

test("MODEL-42: Ollama and llama.cpp on this machine are found, with their models", async () => {
  const ollama = await serverOf({ "/api/tags": { models: [{ name: "llama3.2:3b" }, { name: "qwen3:8b" }] } });
  const llamaCpp = await serverOf({
    "/props": { default_generation_settings: { n_ctx: 4096 } },
    "/v1/models": { data: [{ id: "gemma.gguf" }] },
  });
  expect(await findModels({ env: { HOME: home }, ollama, llamaCpp, ms: 10_000 })).toEqual([
    {
      id: "ollama",
      says: "Ollama on this machine, with 2 models",
      connected: { kind: "openai-compatible", base_url: `${ollama}/v1`, key_from: "nowhere" },
      models: ["llama3.2:3b", "qwen3:8b"],
    },
    {
      id: "llama-cpp",
      says: "llama.cpp on this machine, with one model",
      connected: { kind: "openai-compatible", base_url: `${llamaCpp}/v1`, key_from: "nowhere" },
      models: ["gemma.gguf"],
    },
  ]);
});

test("MODEL-42: whatever else listens there is let alone, and who doesn't answer isn't waited for", async () => {
  const page = await serverOf({ "/v1/models": { data: [{ id: "gemma.gguf" }] } });
  const silent = createServer(() => undefined);
  const url = await listening(silent);
  expect(await findModels({ env: { HOME: home }, ollama: url, llamaCpp: page, ms: 100 })).toEqual([]);
});

async function serverOf(answers: Readonly<Record<string, unknown>>): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ""];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(answer === undefined ? "<html>" : JSON.stringify(answer));
  });
  return listening(server);
}

async function listening(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // a server that listens on a port has an address of this form
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
