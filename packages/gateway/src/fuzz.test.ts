import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openSandbox } from "@choiros/sandbox";
import fc from "fast-check";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exec } from "./operations/index.ts";
import { type Person, type TempGateway, tempGateway } from "./testing/temp-gateway.ts";

/** A few thousand in the short form; as many as CHOIR_FUZZ says in a long one. */
const RUNS = Number(process.env.CHOIR_FUZZ ?? 2000);

const runDir = mkdtempSync(join(tmpdir(), "choir-run-"));
let stage: TempGateway;
let ada: Person;

beforeAll(async () => {
  stage = await tempGateway(["ada", "bob"], {
    limits: { bodyMs: 300, idleMs: 300 },
    sandbox: (root) => openSandbox({ root, runDir }),
  });
  ada = await stage.signIn("ada");
  const computer = await stage.computer("ada");
  for (const name of ["a", "b/c", "d.html"]) await computer.write(`workspace/${name}`, Buffer.from("some text\n"));
});
afterAll(async () => {
  await stage.close();
  rmSync(runDir, { recursive: true, force: true });
});

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}
interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const word = fc.oneof(
  fc.constantFrom(
    "workspace/a",
    "workspace/b",
    "workspace",
    "ada",
    "bob",
    "0",
    "1",
    "-1",
    "3",
    "true",
    "",
    "..",
    "\0",
    "a\0b",
    "A=B",
    "../..",
    "workspace/../../bob",
    "bad host",
    "a\r\nb\u001b[0m\u007f",
    "%",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ maxLength: 2000 }),
);

/** What a schema asks for, mostly. */
function mostly(schema: Schema | undefined, depth = 0): fc.Arbitrary<unknown> {
  const wrong = fc.jsonValue({ maxDepth: 2 });
  if (schema === undefined || depth > 4) return wrong;
  return fc.oneof({ weight: 8, arbitrary: rightFor(schema, depth) }, { weight: 1, arbitrary: wrong });
}

function rightFor(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => mostly(one, depth + 1)));
  if (schema.type === "object") {
    const fields = Object.entries(schema.properties ?? {}).map(([name, one]) => [name, mostly(one, depth + 1)]);
    const more = schema.additionalProperties;
    if (typeof more === "object") return fc.dictionary(word, mostly(more, depth + 1), { maxKeys: 3 });
    return fc.oneof(
      fc.record(Object.fromEntries(fields), { requiredKeys: [] }),
      fc.record(
        Object.fromEntries(fields),
        { requiredKeys: [...(schema.required ?? [])] as never[] } /* names of its fields, which it can't tell */,
      ),
    );
  }
  if (schema.type === "array") return fc.array(mostly(schema.items, depth + 1), { maxLength: 4 });
  if (schema.type === "integer" || schema.type === "number") return fc.oneof(fc.integer(), fc.nat(20), fc.double());
  if (schema.type === "boolean") return fc.boolean();
  return word;
}

const headers = fc.dictionary(
  fc.constantFrom("range", "if-match", "if-none-match", "if-range", "x-mode", "accept", "expect", "content-encoding"),
  fc.oneof(
    fc.constantFrom("bytes=0-1", "bytes=-", "*", '"x"', "0644", "100-continue", "gzip"),
    fc.string({ maxLength: 60 }),
  ),
  { maxKeys: 2 },
);

/** Those that would end the session that asks, and what is no plain request. */
const APART = ["delete /api/sessions", "delete /api/users/{user}", "post /api/auth/sign-out", "get /api/ws"];

async function requests(): Promise<fc.Arbitrary<InjectOptions>> {
  const document = (await stage.ask({ url: "/api/openapi.json", headers: ada.console })).json();
  const paths: Readonly<Record<string, Readonly<Record<string, Described>>>> = document.paths;
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({ method, path, described })),
  );
  expect(all.length).toBeGreaterThan(25);
  return fc.oneof(...all.filter(({ method, path }) => !APART.includes(`${method} ${path}`)).map(requestFor));
}

function requestFor({ method, path, described }: { method: string; path: string; described: Described }) {
  const named = (where: string) => (described.parameters ?? []).filter((one) => one.in === where);
  const body = Object.values(described.requestBody?.content ?? {})[0]?.schema;
  const query = named("query").map(({ name, schema }) => [name, mostly(schema).map(asWord)]);
  return fc
    .record({
      computer: fc.oneof({ weight: 6, arbitrary: fc.constant("ada") }, { weight: 1, arbitrary: word }),
      rest: word,
      query: fc.record(Object.fromEntries(query), { requiredKeys: [] }),
      more: fc.option(fc.tuple(word, word), { freq: 8, nil: undefined }),
      headers,
      payload: body === undefined ? fc.constant(undefined) : fc.oneof(mostly(body), word),
      type: fc.constantFrom("application/json", "application/json", "application/json", "text/plain", "x", ""),
    })
    .map((made) => {
      const filled = path.replace(/\{(\w+|\*)\}/g, (_, name) =>
        encodeURIComponent((name === "computer" ? made.computer : made.rest).toWellFormed()),
      );
      const words = [...Object.entries(made.query), ...(made.more === undefined ? [] : [made.more])] as [
        string,
        string,
      ][];
      const search = new URLSearchParams(words).toString();
      const type = made.payload === undefined ? {} : { "content-type": made.type };
      const payload = made.payload === undefined ? undefined : asWord(made.payload);
      return {
        method: method.toUpperCase() as "GET", // one of OpenAPI's
        url: `${filled}?${search}`,
        headers: { ...asHeaders(made.headers), ...type, ...ada.console },
        ...(payload !== undefined && { payload }),
      };
    });
}

function asWord(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a header can't hold never comes as far as here. */
function asHeaders(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, "")]));
}

function memory(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

test("S8: requests made from the OpenAPI document break nothing, and leave nothing in memory", async () => {
  const statuses = new Map<number, number>();
  const start = memory();
  await fc.assert(
    fc.asyncProperty(await requests(), async (request) => {
      const { statusCode, body } = await stage.ask(request);
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      if (statusCode >= 500) throw new Error(`${statusCode} ${body} ${stage.reports.map(String).join("\n")}`);
    }),
    { numRuns: RUNS, seed: 8, interruptAfterTimeLimit: 240_000 },
  );
  expect(stage.reports).toEqual([]);
  expect((await stage.ask({ url: "/api/me", headers: ada.console })).statusCode).toBe(200); // it was still there
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 404, 422])); // they get past the door, and in
  expect(memory() - start).toBeLessThan(60_000_000);
}, 300_000);

async function raw(text: string | Buffer): Promise<string> {
  const socket = connect(stage.port, "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes.toString("latin1");
  });
  socket.on("error", () => {}); // being cut off is an answer, too
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.end(text);
  await closed;
  return answer;
}

test("S8: what isn't HTTP, and heads of a megabyte, are turned away", async () => {
  const host = `Host: choir.localhost:${stage.port}\r\n`;
  const texts = [
    "\0\0\0\0\r\n\r\n",
    "GET\r\n\r\n",
    `GET /api/sessions HTTP/9.9\r\n${host}\r\n`,
    `FETCH /api/sessions HTTP/1.1\r\n${host}\r\n`,
    `GET /${"a".repeat(1_000_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET /api/sessions HTTP/1.1\r\n${host}Cookie: ${"a".repeat(1_000_000)}\r\n\r\n`,
    `GET /api/sessions HTTP/1.1\r\n${host}${"a: b\r\n".repeat(200_000)}\r\n`,
    `GET /api/sessions HTTP/1.1\r\n${host}${host}\r\n`,
    ...[
      "http://evil.com/api/auth/get-session",
      `http://choir.localhost:${stage.port}/api/sessions`,
      "http://[/api/sessions",
      "*",
    ].map((target) => `GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`),
    `POST /api/link HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
    `POST /api/link HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /api/link HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `POST /api/link HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{`,
  ];
  for (const text of texts) {
    const answer = await raw(text);
    expect(answer, text.slice(0, 60)).toMatch(/^(?:$|HTTP\/1\.1 4\d\d )/);
    if (answer !== "") expect(answer).toContain("\r\ncontent-type: application/problem+json");
  }
  expect(stage.reports).toEqual([]);
});

test.each([
  ["who isn't let in", "POST /api/computers"],
  ["a wrong host", "POST /api/link", "evil.example"],
  ["what has no body", "GET /api/health"],
])(
  "S8: of %s nobody waits for the body: the connection ends with the answer",
  async (_, start, host = "choir.localhost") => {
    const socket = connect(stage.port, "127.0.0.1");
    socket.on("error", () => {}); // being cut off is an answer, too
    socket.write(`${start} HTTP/1.1\r\nHost: ${host}:${stage.port}\r\nContent-Length: 100000000\r\n\r\n{`);
    socket.resume();
    await once(socket, "close");
  },
);

test("S8: a hundred bodies that don't come hold nothing up, and are given up and told", async () => {
  const head = `Host: choir.localhost:${stage.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  const sockets = Array.from({ length: 100 }, () => connect(stage.port, "127.0.0.1"));
  const closed = sockets.map((socket) => {
    socket.on("error", () => {});
    socket.write(`POST /api/link HTTP/1.1\r\n${head}`);
    return socket.setEncoding("utf8").toArray();
  });
  expect((await stage.ask({ url: "/api/health", headers: { host: ada.console.host } })).statusCode).toBe(200);
  for (const answer of await Promise.all(closed))
    expect(answer.join("")).toMatch(/^HTTP\/1\.1 408 [\s\S]*Send it again/);
  expect(stage.reports).toEqual([]);
});

test("WEB-32: whoever asks too often is told how long to wait; others aren't held up", async () => {
  const small = await tempGateway(["ada", "bob"], { limits: { perMinute: 20 } });
  try {
    const [one, other] = [await small.signIn("ada"), await small.signIn("bob")];
    let last = await small.ask({ url: "/api/me", headers: one.console });
    for (let i = 0; i < 20; i++) last = await small.ask({ url: "/api/me", headers: one.console });
    expect([last.statusCode, Number(last.headers["retry-after"])]).toEqual([429, expect.any(Number)]);
    expect((await small.ask({ url: "/api/me", headers: other.console })).statusCode).toBe(200);
  } finally {
    await small.close();
  }
});

test.each([
  [{ argv: ["a\0b"] }],
  [{ cwd: "../.." }],
  [{ cwd: "workspace/a\0b" }],
  [{ env: { "A=B": "x" } }],
  [{ env: { "": "x" } }],
  [{ env: { A: "a\0b" } }],
  [{ egress: ["bad host"] }],
])("WEB-33: a command with %j is refused over HTTP and the socket, and isn't in the log", async (part) => {
  const { log } = await stage.computer("ada");
  const { seq } = await log.head();
  const payload = { argv: ["true"], ...part };
  const url = "/api/computers/ada/exec";
  expect((await stage.ask({ method: "POST", url, headers: ada.console, payload })).statusCode).toBe(400);
  const request = { cwd: "workspace", egress: "none", env: {}, keep: false, limits: {}, reads: false };
  expect(exec.request.safeParse({ ...request, argv: ["true"] }).success).toBe(true);
  expect(exec.request.safeParse({ ...request, ...payload }).success).toBe(false); // which the socket asks
  expect((await log.head()).seq).toBe(seq);
});

test("WEB-33: a word of a command is as long as a program can be given, and no longer", () => {
  const request = { cwd: "workspace", egress: "none", env: {}, keep: false, limits: {}, reads: false };
  const passes = (bytes: number) => exec.request.safeParse({ ...request, argv: ["é".repeat(bytes / 2)] }).success;
  expect(passes(128 * 1024 - 2)).toBe(true);
  expect(passes(128 * 1024)).toBe(false);
});

test("WEB-33: a body of JSON that is too large is refused", async () => {
  const payload = { token: "x".repeat(70_000) };
  const answer = await stage.ask({ method: "POST", url: "/api/link", headers: ada.console, payload });
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([413, "application/problem+json; charset=utf-8"]);
});
