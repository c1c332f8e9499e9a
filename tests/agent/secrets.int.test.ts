import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lastToolOutput } from "../model/received.ts";
import type { Turn } from "../model/script.ts";
import { scriptedModel } from "../model/scripted-model.ts";
import { choir } from "./headless.ts";
import { echoes, Haystack, keysIn, newKey, parrot } from "./planted.ts";
import { answer, finish, plan, run } from "./scripts.ts";
import { consoleOf, started } from "./watched-server.ts";

const MARKER = "a-marker-that-may-be-seen-everywhere";
const PROVIDERS = ["claude", "gpt", "nova", "profile", "typed"];

function tempFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "choir-secrets-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Everything that a server may be given, each with a key of its own; in capitals what is in its environment. */
function plantedKeys() {
  return {
    ANTHROPIC_API_KEY: newKey("a"),
    AWS_ACCESS_KEY_ID: newKey("b"),
    AWS_BEARER_TOKEN_BEDROCK: newKey("c"),
    AWS_SECRET_ACCESS_KEY: newKey("d"),
    AWS_SESSION_TOKEN: newKey("e"),
    OPENAI_API_KEY: newKey("f"),
    parrot: newKey("g"),
    "profile's id": `AKIA${newKey("h").replace(/\W/g, "")}`,
    "profile's secret": newKey("i"),
    "profile's session": newKey("j"),
    typed: newKey("k"),
  };
}

/** Providers whose keys the machine has, at addresses that tell them apart. */
function modelsToml(url: string): string {
  const provider = (id: string, kind: string, more: string) =>
    `[providers.${id}]\nkind = "${kind}"\nbase_url = "${url}/${id}${kind === "bedrock" ? "" : "/v1"}"\n${more}\n`;
  return [
    provider("claude", "anthropic", 'key_from = "environment"'),
    provider("gpt", "openai-compatible", 'key_from = "environment"'),
    provider("nova", "bedrock", 'region = "us-east-1"\nkey_from = "environment"'),
    provider("profile", "bedrock", 'region = "us-east-1"\nkey_from = "profile"\nprofile = "work"'),
  ].join("");
}

/** An ask that looks everywhere: in a command, in jobs, and in a check; `beside` is called while a job runs. */
function looksAround(folders: readonly string[], beside: () => void): Turn[] {
  const files = folders.flatMap((folder) =>
    ["secrets.json", "secrets-encrypted.json", "models.toml", ".aws/credentials", "run/server.log"].map(
      (name) => `${folder}/${name}`,
    ),
  );
  const look = `echo ${MARKER}; env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'; cat ${files.join(" ")}; ls -la / ~ ~/.. /tmp /run; cat ~/.aws/* /etc/environment; grep -rs sk- ~ /tmp /run /etc | head -c 20000; true`;
  let job = "";
  return [
    [plan({ allowed_tools: ["bash"], verify: [look] })],
    [run(look)],
    [{ tool: "bash", input: { command: `${look}; sleep 1000`, background: true } }],
    (request) => {
      beside();
      job = /job (\S+):/.exec(lastToolOutput(request))?.[1] ?? "";
      return [{ tool: "job_output", input: { job } }];
    },
    () => [{ tool: "job_stop", input: { job } }],
    [finish(`I looked: ${MARKER}`)],
    [answer("Nothing.")],
  ];
}

/** Then it is another failure: some are tried again for long. */
function twice(turn: Turn): Turn {
  let said = 0;
  return () => (said++ < 2 ? turn : { status: 400, message: MARKER });
}

/** Files of models that hold a key where none belongs. */
function mistaken(right: string, key: string): string[] {
  const bare = key.replace(/[^\w-]/g, "");
  return [
    right.replace('key_from = "environment"', `key_from = "environment"\nkey = ${JSON.stringify(key)}`),
    right.replace('key_from = "environment"', `key_form = ${JSON.stringify(key)}`),
    right.replace('key_from = "environment"', `key_from = ${JSON.stringify(key)}`),
    right.replace('key_from = "environment"', `key_from = "environment"\n${JSON.stringify(key)} = ""`),
    right.replace('key_from = "environment"', `key_from = "environment"\n${bare} = ""`),
    right.replace('kind = "anthropic"', `kind = ${JSON.stringify(key)}`),
    right.replace("http://", `http://me:${encodeURIComponent(key)}@`),
    `${right}\n[providers.${JSON.stringify(key)}]\nkind = "anthropic"\nkey_from = "environment"\n`,
    right.replace('provider = "typed"', `provider = ${JSON.stringify(key)}`),
    right.replace('provider = "typed"', `provider = "${bare.toLowerCase().slice(0, 40)}"`),
    `${right}\n${bare}\n`,
    `${right}\nkey = "${key}`,
    `${right}\nkey = ${bare}\n`,
    `${JSON.stringify(key)} = 1\n${right}`,
  ];
}

test.each([
  ["in a file", {}],
  ["encrypted", { CHOIR_SECRET_KEY: newKey("z") }],
])(
  "S6: no key, token or link that a server has goes where it doesn't belong, whatever agents and providers do; kept %s",
  async (_, locked) => {
    const [home, user, seen, keys] = [tempFolder(), tempFolder(), new Haystack(), plantedKeys()];
    const { typed } = keys;
    const ofMachine = Object.fromEntries(Object.entries(keys).filter(([name]) => /^[A-Z_]+$/.test(name)));
    const profile = `[work]\naws_access_key_id = ${keys["profile's id"]}\naws_secret_access_key = ${keys["profile's secret"]}\naws_session_token = ${keys["profile's session"]}\n`;
    mkdirSync(join(user, ".aws"));
    writeFileSync(join(user, ".aws/credentials"), profile);
    const scripted = await scriptedModel();
    onTestFinished(() => scripted.close());
    const modelsFile = join(home, "models.toml");
    writeFileSync(modelsFile, modelsToml(scripted.url));

    const server = await started(home, { ...ofMachine, ...locked, HOME: user }, seen);
    const { ask, secrets: tokens, leave } = await consoleOf(server.link, seen);
    const said = async (...words: string[]) => {
      const { out, aside } = await choir(home, words);
      seen.add("what the command line says", out, aside);
      return out;
    };
    await ask("/api/models/providers", {
      id: "typed",
      kind: "anthropic",
      base_url: `${scripted.url}/typed/v1`,
      key: typed,
    });
    const parroted = {
      id: "parrot",
      kind: "openai-compatible",
      base_url: await parrot(seen, MARKER),
      key: keys.parrot,
    };
    expect((await ask("/api/models/providers", parroted)).body).toContain(MARKER);
    for (const provider of PROVIDERS) {
      const chosen = { provider, model: `${MARKER}-${provider}` };
      for (const role of ["director", "associate"]) await ask(`/api/models/roles/${role}`, chosen);
      scripted.play(looksAround([home, user], server.look));
      expect(await said("ask", "--json", `${MARKER}: look around`)).toContain('"status":"done"');
      for (const turn of echoes(MARKER)) {
        scripted.always(twice(turn));
        expect(await said("ask", "--json", "say it back")).not.toContain('"status":"done"');
        scripted.always(twice(turn));
        await ask("/api/models/test", chosen);
      }
    }
    await said("exec", "--", "env");

    const right = readFileSync(modelsFile, "utf8");
    for (const text of mistaken(right, typed)) {
      writeFileSync(modelsFile, text);
      expect((await ask("/api/models")).body).toContain("models.toml");
      for (const [path, body] of [
        ["/api/models/test", { provider: "typed", model: "m" }],
        ["/api/models/providers", { id: "more", kind: "anthropic", key: typed }],
      ] as const)
        await ask(path, body);
      await said("ask", "--json", "is anybody there?");
    }
    writeFileSync(modelsFile, right);
    for (const wrong of [`${JSON.stringify(typed)} = 1`, `[[price]]\nprovider = "${typed}`]) {
      writeFileSync(join(home, "prices.toml"), wrong);
      expect(await said("ask", "--json", "what is it?")).toContain("prices.toml");
    }
    rmSync(join(home, "prices.toml"));
    const { version: was } = JSON.parse((await ask("/api/policy")).body);
    for (const text of [`${JSON.stringify(typed)} = 1`, `allow = ["${typed}`]) await ask("/api/policy", { text, was });
    const paths = [
      "models",
      "policy",
      "sessions",
      "users",
      "health",
      "openapi.json",
      "computers",
      "computers/ada/export",
    ];
    for (const path of paths) await ask(`/api/${path}`);
    await ask("/metrics");
    await leave();

    seen.addFiles(home); // while write-ahead logs are there
    await server.stop();
    seen.addFiles(home);
    await seen.addStore(join(home, "users/ada/.choir"));
    for (const { path, text, headers } of scripted.requests) {
      seen.add("addresses of requests", path);
      seen.add("bodies of requests", text);
      seen.add(`headers to ${path.split("/")[1]}`, JSON.stringify(headers), ...keysIn({ headers }));
    }

    // a key is in what its own provider is sent, and where keys are kept; a token where it is handed out, and its session where sessions are kept
    const kept = "CHOIR_SECRET_KEY" in locked ? [] : ["parrot in secrets.json", "typed in secrets.json"];
    expect(seen.found({ ...keys, ...tokens, ...locked })).toEqual(
      [
        "ANTHROPIC_API_KEY in headers to claude",
        "AWS_BEARER_TOKEN_BEDROCK in headers to nova",
        "OPENAI_API_KEY in headers to gpt",
        "console's token in the answer to /api/me",
        "desk's token in the answer to /api/computers/ada/desk-token",
        "link in stdout",
        "profile's id in headers to profile",
        "profile's session in headers to profile",
        "session in accounts.sqlite",
        "session in the answer to /api/auth/link",
        "signature in the answer to /api/auth/link",
        "typed in headers to typed",
        ...kept,
      ].sort(),
    );
    for (const file of ["accounts.sqlite", kept.length > 0 ? "secrets.json" : "secrets-encrypted.json"])
      expect(statSync(join(home, file)).mode & 0o777, file).toBe(0o600);

    // what may be seen went the same ways, and is found at each
    const ways = [
      ...["addresses of requests", "bodies of requests", "contents", "events", "models.toml"],
      ...["processes", "the answer to /api/models", "the answer to /api/models/test", "the live socket"],
      "what the command line says",
    ];
    expect(seen.placesOf(MARKER)).toEqual(expect.arrayContaining(ways));
    expect(seen.placesOf('"account":"ada"')).toContain("run/server.log");
    expect(seen.placesOf("USER=choir")).toEqual(expect.arrayContaining(["bodies of requests", "contents"]));
  },
  240_000,
);

test("S6: a secret is found in whatever form it stands there", () => {
  const [seen, key] = [new Haystack(), newKey("x")];
  for (const encoding of ["base64", "base64url", "hex"] as const)
    for (const before of ["", "a", "ab"])
      seen.add(`${encoding} after ${before.length}`, Buffer.from(`${before}${key}zz`).toString(encoding));
  for (const [name, text] of [
    ["plain", key],
    ["address", encodeURIComponent(key)],
    ["JSON", JSON.stringify({ key })],
    ["JSON in JSON", JSON.stringify(JSON.stringify({ key }))],
  ] as const)
    seen.add(name, `before ${text} after`);
  seen.add("another", newKey("x"));
  expect(seen.found({ key })).toHaveLength(13);
});
