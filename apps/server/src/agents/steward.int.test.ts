import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Home } from "../home.ts";
import { askHttp, consoleAt, signIn } from "../testing/ask-http.ts";
import { serve } from "../testing/served-home.ts";
import { tempHome } from "../testing/temp-home.ts";

const KEY = "sk-of-the-machine-0123456789-wxyz";

/** No provider outside of this machine is asked by a test. */
const reach = fetch;
beforeEach(() => {
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
    new URL(url).hostname === "127.0.0.1" ? reach(url, init) : Promise.reject(new TypeError("out of reach")),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
});

interface Told {
  readonly connected: readonly { id: string; models: string[]; problem?: string }[];
  readonly found: readonly { id: string; kind: string; base_url?: string; region?: string }[];
}

test.each([
  ["Anthropic", { ANTHROPIC_API_KEY: KEY }, 'kind = "anthropic"\nkey_from = "environment"'],
  ["OpenAI", { OPENAI_API_KEY: KEY }, 'base_url = "https://api.openai.com/v1"\nkey_from = "environment"'],
  ["Bedrock by a token", { AWS_BEARER_TOKEN_BEDROCK: KEY }, 'region = "us-east-1"\nkey_from = "environment"'],
  [
    "Bedrock by keys",
    { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: KEY, AWS_REGION: "eu-west-1" },
    'region = "eu-west-1"\nkey_from = "environment"',
  ],
  ["Bedrock by a profile", {}, 'region = "us-west-2"\nkey_from = "profile"\nprofile = "default"'],
])("MODEL-51, WEB-42: %s, found on this machine, is connected as it was found", async (_, env, written) => {
  const home = tempHome();
  mkdirSync(join(home.path, ".aws"));
  const profile = `[default]\nregion = us-west-2\naws_access_key_id = id\naws_secret_access_key = ${KEY}\n`;
  if (Object.keys(env).length === 0) writeFileSync(join(home.path, ".aws/credentials"), profile);
  const ask = await asOwner(home, env);
  const [found] = (await ask("/api/models")).found;
  if (found === undefined) throw new Error("nothing was found");
  const { id, kind, base_url, region } = found; // what the console sends of it
  const answer = await ask("/api/models/providers", { id, kind, base_url, region });
  expect(answer).toMatchObject({ connected: [{ id }], found: [] });
  expect(modelsFileOf(home)).toContain(written);
  expect(JSON.stringify(answer) + modelsFileOf(home)).not.toContain(KEY);
});

test("MODEL-51, WEB-42: a server that needs no key is connected by its address alone, with the models that it tells", async () => {
  const [home, url] = [tempHome(), await listing(["qwen3:8b"])];
  const ask = await asOwner(home, { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: "https://models.example.org/v1" });
  const provider = { kind: "openai-compatible", base_url: `${url}/v1` };
  for (const id of ["ollama", "openai"]) {
    expect(await ask("/api/models/providers", { id, ...provider })).toMatchObject({
      connected: expect.arrayContaining([expect.objectContaining({ id, models: ["qwen3:8b"] })]),
    });
  }
  // the key in the environment is for another address, also where both have one name
  expect(modelsFileOf(home)).not.toContain("environment");
});

test("WEB-42: what a provider was connected with stays where it is connected again without a key", async () => {
  const [home, url] = [tempHome(), await listing(["one"])];
  const ask = await asOwner(home);
  const provider = { id: "workshop", kind: "openai-compatible", base_url: `${url}/v1` };
  await ask("/api/models/providers", { ...provider, key: KEY });
  expect(await ask("/api/models/providers", provider)).toMatchObject({ connected: [{ key_end: "wxyz" }] });
  expect(modelsFileOf(home)).toContain('key_from = "secrets"');
});

test("MODEL-31, WEB-42: keys that don't open are told of, with what to do, and nothing fails by it", async () => {
  const home = tempHome();
  const locked = { CHOIR_SECRET_KEY: "the first passphrase" };
  const url = await listing(["one"]);
  const provider = { id: "workshop", kind: "openai-compatible", base_url: `${url}/v1`, key: KEY };
  const first = await asOwner(home, locked);
  await first("/api/models/providers", provider);
  await first.leave();
  const ask = await asOwner(home, { CHOIR_SECRET_KEY: "another passphrase" });
  const { connected } = await ask("/api/models");
  expect(connected).toMatchObject([{ id: "workshop", problem: expect.stringContaining("CHOIR_SECRET_KEY") }]);
  expect(await ask("/api/models/providers", provider)).toMatchObject({
    detail: expect.stringContaining("CHOIR_SECRET_KEY"),
  });
});

/** Asks as the console does, signed in as who owns the server. */
async function asOwner(home: Home, env: NodeJS.ProcessEnv = {}) {
  const { address, close, link } = await serve(home, {}, { HOME: home.path, ...env });
  const headers = { ...consoleAt(address), cookie: (await signIn(address, link)) ?? "" };
  const { token } = JSON.parse((await askHttp(address, "/api/me", { headers })).body);
  const own = { ...headers, "x-choir-token": String(token) };
  const ask = async (path: string, body?: object): Promise<Told> =>
    JSON.parse((await askHttp(address, path, { headers: own, ...(body !== undefined && { body }) })).body);
  return Object.assign(ask, { leave: close });
}

function modelsFileOf(home: Home): string {
  return readFileSync(join(home.path, "models.toml"), "utf8");
}

/** A server on this machine that tells which models it has. */
async function listing(models: readonly string[]): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: models.map((id) => ({ id })) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port, not on a path
}
