import { expect, test } from "vitest";
import { explain } from "./explain.ts";
import type { Origins } from "./load.ts";
import { Config } from "./schema.ts";

const config = Config.parse({ server: { port: 8080 } });
const origins: Origins = {
  "log.engine": { variable: "CHOIR_LOG_ENGINE" },
  "runtime.mode": "default",
  "server.port": { file: "/home/ada/choir/config.toml", line: 7 },
};

test("explains each key: its value, where that comes from, what is allowed, and the variable", () => {
  const text = explain(config, origins, { json: false });
  expect(text).toContain(
    [
      "server.port = 8080",
      "    The port that the server listens on; 0 takes any free one.",
      "    from:        /home/ada/choir/config.toml:7",
      "    allowed:     a whole number from 0 to 65535",
      "    default:     4680",
      "    environment: CHOIR_SERVER_PORT",
    ].join("\n"),
  );
  expect(text).toMatch(/^log\.engine = "sqlite"\n.*\n {4}from: {8}CHOIR_LOG_ENGINE\n {4}allowed: {5}"sqlite"$/m);
  expect(text).toMatch(/^runtime\.mode = "local"\n.*\n {4}from: {8}the default$/m);
});

test("lists what is known and not built yet", () => {
  const [, list = ""] = explain(config, origins, { json: false }).split("not built yet in this version");
  for (const name of ["[storage]", 'log.engine = "nats"', 'runtime.mode = "tee"']) {
    expect(list).toContain(`\n    ${name}`);
  }
  expect(list).not.toContain("[models]"); // they are there, and elsewhere
});

test("says the same as JSON, for scripts", () => {
  const { keys, not_built } = JSON.parse(explain(config, origins, { json: true }));
  expect(keys).toContainEqual({
    allowed: "a whole number from 0 to 65535",
    default: 4680,
    description: "The port that the server listens on; 0 takes any free one.",
    environment: "CHOIR_SERVER_PORT",
    key: "server.port",
    origin: { file: "/home/ada/choir/config.toml", line: 7 },
    value: 8080,
  });
  expect(keys).toContainEqual(expect.objectContaining({ key: "runtime.mode", origin: "default" }));
  expect(not_built).toContain("[storage]");
});
