import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Models, openModels, openSecrets } from "@choiros/agent";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ask } from "./ask.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

const KEY = "sk-of-the-user-0123456789-wxyz";

let home: string;
let scripted: ScriptedModel;
let models: Models;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "choir-models-"));
  scripted = await scriptedModel();
  models = modelsWith({});
});
afterEach(async () => {
  await scripted.close();
  await rm(home, { recursive: true });
});

function modelsWith(env: Record<string, string>): Models {
  return openModels({
    home,
    secrets: openSecrets({ home, env: {} }),
    env: { HOME: home, ...env },
    timing: { backoffMs: 1 },
  });
}

function anthropic() {
  return { kind: "anthropic", base_url: `${scripted.url}/v1`, key_from: "secrets" };
}

test("MODEL-50: a provider that is connected and chosen gives a role its model", async () => {
  scripted.play(["Yes."]);
  expect(await models.model("director")).toEqual({
    ok: false,
    message: "no model is chosen: connect one in the console, under Agents",
  });
  expect(await models.connect("mine", anthropic(), KEY)).toEqual({ ok: true });
  expect(await models.choose("director", { provider: "mine", model: "claude-opus-5" })).toEqual({ ok: true });
  const opened = await models.model("director");
  if (!opened.ok) throw new Error(opened.message);
  expect(await ask(opened.model)).toMatchObject({ ok: true, parts: [{ text: "Yes." }] });
  expect(scripted.requests[0]).toMatchObject({ model: "claude-opus-5", headers: { "x-api-key": KEY } });
  const other = await models.model("associate");
  expect(other.ok && other.model.name).toBe("claude-opus-5");
});

test("MODEL-50: what is kept survives in the home, in a file for this user alone, and the key isn't in it", async () => {
  await models.connect("mine", anthropic(), KEY);
  await models.choose("associate", { provider: "mine", model: "claude-opus-5" });
  const file = join(home, "models.toml");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).not.toContain(KEY);
  expect((await readdir(home)).sort()).toEqual(["models.toml", "secrets.json"]);
  const shown = await modelsWith({}).show();
  expect(shown).toMatchObject({
    ok: true,
    providers: [{ id: "mine", key: "…wxyz", connected: { kind: "anthropic" } }],
    roles: { associate: { provider: "mine", model: "claude-opus-5" } },
    where: expect.stringContaining("secrets.json"),
  });
  expect(JSON.stringify(shown)).not.toContain(KEY);
});

test("MODEL-50: a provider that is disconnected is gone with its key and its roles", async () => {
  await models.connect("mine", anthropic(), KEY);
  await models.choose("director", { provider: "mine", model: "claude-opus-5" });
  expect(await models.disconnect("mine")).toEqual({ ok: true });
  expect(await models.show()).toMatchObject({ ok: true, providers: [], roles: {} });
  expect(await readdir(home)).toEqual(["models.toml"]);
  expect(await models.disconnect("mine")).toMatchObject({ ok: false });
  expect(await models.choose("director", { provider: "mine", model: "x" })).toMatchObject({ ok: false });
});

test("MODEL-50: changes at the same time are all kept", async () => {
  const ids = ["one", "two", "three", "four"];
  await Promise.all(ids.map((id) => models.connect(id, anthropic(), KEY)));
  const shown = await models.show();
  expect(shown.ok && shown.providers.map(({ id }) => id).sort()).toEqual(ids.sort());
});

test("MODEL-51: keys of the environment stay there", async () => {
  scripted.always("Yes.");
  const provider = { kind: "openai-compatible", base_url: `${scripted.url}/v1`, key_from: "environment" };
  const withKey = modelsWith({ OPENAI_API_KEY: KEY });
  await withKey.connect("openai", provider);
  expect(await withKey.test({ provider: "openai", model: "gpt-5" })).toMatchObject({ ok: true });
  expect(scripted.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(await readdir(home)).toEqual(["models.toml"]);
  expect(await models.test({ provider: "openai", model: "gpt-5" })).toEqual({
    ok: false,
    message: "The key of openai isn't in the server's environment (OPENAI_API_KEY). Connect it again.",
  });
});

test("MODEL-51: a server that wants no key gets none", async () => {
  scripted.always("Yes.");
  const local = { kind: "openai-compatible", base_url: `${scripted.url}/v1/`, key_from: "nowhere" };
  const withKey = modelsWith({ OPENAI_API_KEY: KEY });
  await withKey.connect("ollama", local);
  expect(await withKey.test({ provider: "ollama", model: "llama3.2" })).toMatchObject({ ok: true });
  expect(scripted.requests[0]?.headers.authorization).toBeUndefined();
});

test("MODEL-52: a test is one tiny call, which tells how long it took, or what is wrong", async () => {
  await models.connect("mine", anthropic(), KEY);
  scripted.play(["ok", { status: 401, message: "invalid x-api-key" }, { status: 529 }]);
  const chosen = { provider: "mine", model: "claude-opus-5" };
  expect(await models.test(chosen)).toEqual({ ok: true, ms: expect.any(Number) });
  expect(await models.test(chosen)).toMatchObject({
    ok: false,
    message: expect.stringContaining("refused the key (401)"),
  });
  expect(await models.test(chosen)).toMatchObject({
    ok: false,
    message: expect.stringContaining("can't answer for now"),
  });
  expect(scripted.requests).toHaveLength(3);
});

test("MODEL-52: a provider tells which models it has, or why it doesn't", async () => {
  await models.connect("mine", anthropic(), KEY);
  await models.connect("local", { kind: "openai-compatible", base_url: `${scripted.url}/v1`, key_from: "nowhere" });
  await models.connect("gone", { kind: "openai-compatible", base_url: "http://127.0.0.1:9/v1", key_from: "nowhere" });
  await models.connect("odd", { kind: "openai-compatible", base_url: `${scripted.url}/odd`, key_from: "nowhere" });
  expect(await models.offers("mine")).toEqual({ ok: true, models: ["scripted-one", "scripted-two"] });
  expect(await models.offers("local")).toEqual({ ok: true, models: ["scripted-one", "scripted-two"] });
  expect(await models.offers("gone")).toMatchObject({
    ok: false,
    message: expect.stringContaining("can't be reached"),
  });
  const parrot = createServer(({ headers }, response) => {
    response.end(JSON.stringify({ data: [{ id: "one" }, { id: `of ${headers.authorization}` }] }));
  });
  await new Promise<void>((resolve) => parrot.listen(0, "127.0.0.1", resolve));
  const address = parrot.address();
  const base_url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  await models.connect("parrot", { kind: "openai-compatible", base_url, key_from: "secrets" }, KEY);
  expect(await models.offers("parrot")).toEqual({ ok: true, models: ["one"] });
  parrot.close();
  expect(await models.offers("odd")).toMatchObject({ ok: false, message: expect.stringContaining("(404)") });
  expect(await models.offers("nobody")).toEqual({ ok: false, message: 'No provider "nobody" is connected.' });
});

test.each([
  ["a kind that there isn't", { kind: "magic", key_from: "secrets" }, "kind"],
  ["no address", { kind: "openai-compatible", key_from: "nowhere" }, "base_url"],
  [
    "an address with a password",
    { kind: "openai-compatible", base_url: "https://a:b@c.org", key_from: "nowhere" },
    "base_url",
  ],
  ["another protocol", { kind: "openai-compatible", base_url: "file:///etc/passwd", key_from: "nowhere" }, "base_url"],
  ["no region", { kind: "bedrock", region: "evil.org/", key_from: "secrets" }, "region"],
  ["nothing", null, "provider"],
])("MODEL-53: %s isn't connected, and the reason told", async (_, provider, named) => {
  expect(await models.connect("mine", provider)).toMatchObject({ ok: false, message: expect.stringContaining(named) });
  expect(await readdir(home)).toEqual([]);
});

test("MODEL-53: a key goes to no address where others could read it, and a key with blanks to none", async () => {
  const remote = { kind: "openai-compatible", base_url: "http://models.example.org/v1", key_from: "nowhere" };
  expect(await models.connect("lan", remote)).toEqual({ ok: true });
  expect(await models.connect("lan", remote, KEY)).toMatchObject({
    ok: false,
    message: expect.stringContaining("https://"),
  });
  expect(await models.connect("mine", anthropic(), "two words")).toMatchObject({ ok: false });
  expect(await models.connect("No Such Id", anthropic(), KEY)).toMatchObject({ ok: false });
  expect(await readdir(home)).toEqual(["models.toml"]);
});

test.each([
  ["is not TOML", "[providers\n", /models\.toml:1: is not TOML/],
  [
    "has a key in it",
    '[providers.a]\nkind = "anthropic"\nkey_from = "secrets"\nkey = "sk-very-secret"\n',
    /models\.toml:4: providers\.a\.key: is not a setting/,
  ],
  [
    "has a key for a name",
    '[providers.a]\nkind = "anthropic"\nkey_from = "secrets"\nsk-very-secret-0123456789 = ""\n',
    /models\.toml:4: providers\.a\.…: is not a setting/,
  ],
  [
    "has a provider that is called as a key",
    '[providers."sk-very-secret-0123456789+/"]\nkind = "anthropic"\nkey_from = "secrets"\n',
    /models\.toml:1: providers\.…: /,
  ],
  [
    "names a provider that isn't there",
    '[roles]\ndirector = { provider = "gone", model = "x" }\n',
    /models\.toml:2: roles\.director\.provider: names no provider/,
  ],
  [
    "has a kind that there isn't",
    '\n[providers.a]\nkind = "magic"\n',
    /models\.toml:3: providers\.a\.kind: must be "anthropic"/,
  ],
])("MODEL-54: a file that %s is told of with its line, and stays as it is", async (_, text, message) => {
  await writeFile(join(home, "models.toml"), text);
  for (const result of [
    await models.show(),
    await models.model("director"),
    await models.connect("b", anthropic(), KEY),
  ]) {
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    expect(JSON.stringify(result)).not.toContain("sk-very-secret");
  }
  expect(await readFile(join(home, "models.toml"), "utf8")).toBe(text);
  expect(await readdir(home)).toEqual(["models.toml"]);
});
