import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { stringify } from "smol-toml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Environment } from "./from-environment.ts";
import { loadConfig } from "./load.ts";
import { type Config, KEYS, NO_SECTIONS, variableOf } from "./schema.ts";

let home: string;
let file: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "choir-config-"));
  file = join(home, "config.toml");
});
afterAll(() => rm(home, { recursive: true }));

const DEFAULTS: Config = {
  limits: { cpu: 2, disk_mb: 8192, memory_mb: 2048, open_files: 4096, output_mb: 64, processes: 512, time_s: 600 },
  log: { engine: "sqlite" },
  runtime: { mode: "local" },
  server: {
    allowed_origins: [],
    console_host: "choir.localhost",
    desk_host: "{computer}-desk.localhost",
    listen: "localhost",
    log: "file",
    port: 4680,
    public_url: "",
    tls_cert: "",
    tls_key: "",
    trusted_proxies: [],
    upload_mb: 10_240,
  },
};

async function load(toml: string | Uint8Array | undefined, env: Environment = {}) {
  await rm(file, { force: true, recursive: true });
  if (toml !== undefined) await writeFile(file, toml);
  return loadConfig({ env, home });
}

/** The lines of the problems, with the file's name cut off, for it is different each time. */
async function problems(toml: string | Uint8Array | undefined, env: Environment = {}): Promise<string[]> {
  const loaded = await load(toml, env);
  return loaded.ok ? [] : loaded.problems.map(({ text }) => text.replace(`${file}:`, ""));
}

describe("sources", () => {
  test("without a file and variables, everything has its default, and says so", async () => {
    const origins = Object.fromEntries(KEYS.map(({ name }) => [name, "default"]));
    expect(await load(undefined)).toEqual({ config: DEFAULTS, ok: true, origins });
  });

  test("an empty file and an empty section set nothing", async () => {
    expect(await load("# nothing yet\n")).toMatchObject({ config: DEFAULTS, ok: true });
    expect(await load("[server]\n")).toMatchObject({ config: DEFAULTS, ok: true });
  });

  test("the file wins over the defaults, and the origin is its line", async () => {
    const loaded = await load('[log]\nengine = "sqlite"\n\n[server]\nport = 8080\n');
    expect(loaded).toMatchObject({ config: { ...DEFAULTS, server: { ...DEFAULTS.server, port: 8080 } }, ok: true });
    expect(loaded).toMatchObject({ origins: { "log.engine": { file, line: 2 }, "server.port": { file, line: 5 } } });
  });

  test("the environment wins over the file, and the origin is the variable", async () => {
    expect(await load("[server]\nport = 8080\n", { CHOIR_SERVER_PORT: "0" })).toMatchObject({
      config: { ...DEFAULTS, server: { ...DEFAULTS.server, port: 0 } },
      origins: { "server.port": { variable: "CHOIR_SERVER_PORT" } },
    });
  });

  test("variables that aren't configuration, or not ours, are left alone", async () => {
    const env = { CHOIRBOY: "x", CHOIR_HOME: home, CHOIR_SECRET_KEY: "s", CHOIR_USER: "ada", CHOIR_X: undefined };
    expect(await load(undefined, env)).toMatchObject({ config: DEFAULTS, ok: true });
  });

  test("any valid configuration loads back the same from the file, the environment, and both", async () => {
    const config = fc.record({
      limits: fc.record({
        cpu: fc.integer({ max: 1024, min: 1 }),
        disk_mb: fc.integer({ max: 1_000_000, min: 1 }),
        memory_mb: fc.integer({ max: 1_000_000, min: 16 }),
        open_files: fc.integer({ max: 1_048_576, min: 16 }),
        output_mb: fc.integer({ max: 1_000_000, min: 1 }),
        processes: fc.integer({ max: 1_000_000, min: 8 }),
        time_s: fc.integer({ max: 2_000_000, min: 1 }),
      }),
      log: fc.record({ engine: fc.constant("sqlite" as const) }),
      runtime: fc.record({ mode: fc.constantFrom("local" as const, "unsafe" as const) }),
      server: fc.record({
        allowed_origins: fc.array(fc.constantFrom("https://a.example", "http://b.example:8080")),
        console_host: fc.constantFrom("choir.localhost", "choir.example.com"),
        desk_host: fc.constantFrom("{computer}-desk.localhost", "{computer}.desk.example.com"),
        listen: fc.constantFrom("localhost", "0.0.0.0", "::1"),
        log: fc.constantFrom("file", "stderr", "off"),
        port: fc.integer({ max: 65_535, min: 0 }),
        public_url: fc.constantFrom("", "https://choir.example.com"),
        tls_cert: fc.constantFrom("", "/etc/choir/cert.pem"),
        tls_key: fc.constantFrom("", "key.pem"),
        trusted_proxies: fc.array(fc.constantFrom("10.0.0.2", "fd00::/8")),
        upload_mb: fc.integer({ max: 1_000_000, min: 1 }),
      }),
    });
    const check = async (wanted: Config, other: Config) => {
      expect(await load(stringify(wanted))).toMatchObject({ config: wanted, ok: true });
      expect(await load(undefined, environmentOf(wanted))).toMatchObject({ config: wanted, ok: true });
      expect(await load(stringify(other), environmentOf(wanted))).toMatchObject({ config: wanted, ok: true });
    };
    await fc.assert(fc.asyncProperty(config, config, check));
  });
});

describe("the file", () => {
  test.each([
    ['[server]\nport = "http"', '2: server.port is "http": must be a whole number from 0 to 65535'],
    ["[server]\nport = 65536", "2: server.port is 65536: must be a whole number from 0 to 65535"],
    ["[server]\nport = -1.5", "2: server.port is -1.5: must be a whole number from 0 to 65535"],
    ["[server]\nport = nan", "2: server.port is NaN: must be a whole number from 0 to 65535"],
    ["[server]\nport = 9223372036854775807", "2: server.port is 9223372036854775807: must be a whole number"],
    ["[server]\nport = [9223372036854775807]", '2: server.port is ["9223372036854775807"]: must be a whole number'],
    ["[server]\nport = 1979-05-27", '2: server.port is "1979-05-27": must be a whole number'],
    ["[server.port]\nx = 1", '1: server.port is {"x":1}: must be a whole number'],
    ["server = { port = true }", "1: server.port is true: must be a whole number"],
    ["[log]\nengine = 'post\tgres'", '2: log.engine is "post\\tgres": must be "sqlite"'],
    ["[log]\nengine = 'nats'", `2: log.engine is "nats": that isn't built yet in this version; must be "sqlite"`],
    ["[runtime]\nmode = 'tee'", `2: runtime.mode is "tee": that isn't built yet in this version; must be "local"`],
    ["[runtime]\nmode = 'bare'", '2: runtime.mode is "bare": must be "local" or "unsafe"'],
    ["[limits]\nmemory_mb = '2 GB'", '2: limits.memory_mb is "2 GB": must be a whole number from 16 to 1000000'],
    ["[limits]\ntime_s = 0", "2: limits.time_s is 0: must be a whole number from 1 to 2000000"],
    ["[server]\nlisten = 'here'", '2: server.listen is "here": must be "localhost" or an address'],
    ["[server]\nconsole_host = 'Choir'", '2: server.console_host is "Choir": must be a host name, as in'],
    ["[server]\ndesk_host = 'desk.example.com'", "must be a host name with {computer} in its first part"],
    ["[server]\ndesk_host = 'desk.{computer}.com'", "must be a host name with {computer} in its first part"],
    ["[server]\npublic_url = 'choir.example.com'", "must be an address without a path"],
    ["[server]\npublic_url = 'https://choir.example.com/x'", "must be an address without a path"],
    ["[server]\nallowed_origins = 'https://a.example'", "must be a list of origins"],
    ["[server]\nallowed_origins = ['*']", "must be a list of origins"],
    ["[server]\ntrusted_proxies = ['10.0.0.0/33']", "must be a list of addresses"],
    ["[server]\ntrusted_proxies = ['0.0.0.0/0']", "must be a list of addresses"],
    ["[limits]\ntime = 5", "2: limits.time is not a key; did you mean limits.time_s?"],
  ])("refuses a wrong value, with its line and what is allowed: %j", async (toml, problem) => {
    expect(await problems(toml)).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    [
      "\n\n[serer]",
      "3: [serer] is not a section; did you mean [server]? Sections: [limits], [log], [runtime], [server]",
    ],
    ["[database]\nx = 1", "1: [database] is not a section. Sections: [limits], [log], [runtime], [server]"],
    ["[[serer]]", "1: [serer] is not a section; did you mean [server]?"],
    ['["a\\nb"]', '1: ["a\\nb"] is not a section.'],
    ["['']", '1: [""] is not a section.'],
    [`[server]\nsk-${"x".repeat(40)} = ""`, "2: server.… is not a key. Keys of [server]: "],
    [`[sk-${"x".repeat(40)}]`, "1: […] is not a section. Sections: "],
    [`sk-${"x".repeat(40)} = ""`, "1: … stands outside a section. Keys: "],
    ["[__proto__]\nx = 1", "1: [__proto__] is not a section."],
    [
      "[server]\nprot = 1",
      "2: server.prot is not a key; did you mean server.port? Keys of [server]: allowed_origins, ",
    ],
    ["[server]\nfavourite_colour = 1", "2: server.favourite_colour is not a key. Keys of [server]: allowed_origins, "],
    ["[server]\n__proto__ = 1", "2: server.__proto__ is not a key"],
    ["[server]\nconstructor = 1", "2: server.constructor is not a key"],
    ["port = 80", "1: port stands outside a section; did you mean port below [server]? Keys: limits.cpu,"],
    ["x = 80", "1: x stands outside a section. Keys: limits.cpu, limits.disk_mb,"],
    ["server = 80", "1: server must be one section: [server] on a line of its own, its keys below"],
    ["server = 1979-05-27", "1: server must be one section"],
    ["[[server]]\nport = 1", "1: server must be one section"],
  ])("refuses a wrong name, with its line and what there is: %j", async (toml, problem) => {
    expect(await problems(toml)).toEqual([expect.stringContaining(problem)]);
  });

  test.each([...NO_SECTIONS])("refuses [%s] with why, also when it is empty", async (name, why) => {
    expect(await problems(`[${name}]`)).toEqual([`1: [${name}] ${why}; take it out`]);
  });

  test.each([
    ["[server]\nport =\n", "2: is not TOML: "],
    ["[server]\nport = 1\nport = 2\n", "3: is not TOML: "],
    ["[server\n", "1: is not TOML: "],
  ])("refuses what is not TOML, with its line: %j", async (toml, problem) => {
    expect(await problems(toml)).toEqual([expect.stringContaining(problem)]);
  });

  test("never repeats what stands in a line that it can't make sense of, for that may be a secret", async () => {
    for (const toml of [
      'key = "hunter2',
      "[models]\nkey = 'hunter2'",
      "token = 'hunter2'",
      "[server]\nx = 'hunter2'",
    ]) {
      expect((await problems(toml)).join()).not.toContain("hunter2");
    }
    expect((await problems(undefined, { CHOIR_MODELS_KEY: "hunter2", CHOIR_TOKEN: "hunter2" })).join()).not.toContain(
      "hunter2",
    );
  });

  test("refuses a file that isn't text, or can't be read", async () => {
    expect(await problems(Uint8Array.of(0xff, 0xfe))).toEqual([" is not UTF-8 text"]);
    await rm(file);
    await mkdir(file);
    expect(await loadConfig({ env: {}, home })).toMatchObject({
      problems: [{ place: { file }, text: expect.stringMatching(/config\.toml: can't be read: EISDIR/) }],
    });
  });

  test("keeps a problem on one line and short, however long the value", async () => {
    const [problem = ""] = await problems(`[log]\nengine = """\n${"x".repeat(10_000)}\n"""`);
    expect(problem).toMatch(/^2: log\.engine is "x{79}…: must be "sqlite"$/);
  });
});

describe("the environment", () => {
  test.each([
    ["CHOIR_LOG_ENGINE", "postgres", 'CHOIR_LOG_ENGINE is "postgres": must be "sqlite"'],
    ["CHOIR_LOG_ENGINE", "nats", `CHOIR_LOG_ENGINE is "nats": that isn't built yet in this version; must be "sqlite"`],
    ["CHOIR_SERVER_PORT", "", 'CHOIR_SERVER_PORT is "": must be a whole number from 0 to 65535'],
    ["CHOIR_SERVER_PORT", "99999", 'CHOIR_SERVER_PORT is "99999": must be a whole number from 0 to 65535'],
    ["CHOIR_SERVER_PORT", "1e3", 'CHOIR_SERVER_PORT is "1e3": must be a whole number from 0 to 65535'],
    [
      "CHOIR_SERVER_PRT",
      "1",
      "CHOIR_SERVER_PRT is not a setting; did you mean CHOIR_SERVER_PORT? Settings: CHOIR_LIMITS_CPU",
    ],
    ["CHOIR_HOEM", "/x", "CHOIR_HOEM is not a setting; did you mean CHOIR_HOME?"],
    ["CHOIR_FAVOURITE_COLOUR", "1", "CHOIR_FAVOURITE_COLOUR is not a setting. Settings: "],
    [
      "CHOIR_STORAGE_BUCKET",
      "x",
      "CHOIR_STORAGE_BUCKET: [storage] isn't built yet in this version; take the variable out",
    ],
  ])("refuses %s=%j", async (variable, text, problem) => {
    expect(await problems(undefined, { [variable]: text })).toEqual([expect.stringContaining(problem)]);
  });
});

test("gives every problem at once: the file's by line, then the environment's, also where one hides the other", async () => {
  const toml = '[server]\nport = "http"\nlisten = "here"\n[log]\nengine = "postgres"\n[serer]\n';
  const found = await problems(toml, { CHOIR_SERVER_PORT: "4680", CHOIR_RUNTIME_MODE: "bare", CHOIR_NOPE: "1" });
  expect(found.map((problem) => problem.split(" ", 2).join(" "))).toEqual([
    "2: server.port",
    "3: server.listen",
    "5: log.engine",
    "6: [serer]",
    "CHOIR_NOPE is",
    "CHOIR_RUNTIME_MODE is",
  ]);
});

function environmentOf(config: Config): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).flatMap(([section, settings]) =>
      Object.entries(settings).map(([leaf, value]) => [variableOf(`${section}.${leaf}`), String(value)]),
    ),
  );
}
