import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer, type Server } from "node:net";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { ProxyStage, portOf } from "./testing/proxy-stage.ts";

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

/** A proxy for one host, which is this server. */
async function stageFor(server: Server, ms = 1_000): Promise<{ stage: ProxyStage; host: string }> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `a.test:${portOf(server)}`;
  const stage = await ProxyStage.open({ egress: [host], limits: { requestMs: ms, idleMs: ms } });
  undo.push(
    () => stage.close(),
    () => server.close(),
  );
  return { stage, host };
}

test.each([
  ["a status that is none", "HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n"],
  ["a status below all", "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n"],
  ["a reason that can't be written", "HTTP/1.1 200 a\x01b\r\nContent-Length: 0\r\n\r\n"],
  ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
  ["another protocol", "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nraw"],
  ["something that isn't HTTP", "SSH-2.0-x\r\n"],
  ["nothing", ""],
  ["half a head", "HTTP/1.1 200 OK\r\nContent-Le"],
])("NET-10: a server that answers with %s gets no further than 'broke off'", async (_, bytes) => {
  const server = createServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.end(bytes, "latin1"));
  });
  const { stage, host } = await stageFor(server);
  const answer = await stage.ask(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  expect(answer).toMatch(/^$|^HTTP\/1\.1 502 /);
  expect(await stage.tellings(1)).toMatchObject([{ host: "a.test", allowed: true }]);
});

test("NET-11: an answer that breaks off in the middle breaks off inside too", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"));
  });
  const { stage, host } = await stageFor(server);
  const answer = await stage.ask(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`).catch(() => "cut off");
  expect(answer).toMatch(/half$|^cut off$/);
});

test("NET-6: of several addresses the next is tried where one doesn't answer", async () => {
  const server = createHttpServer((_, response) => void response.end("reached"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `a.test:${portOf(server)}`;
  const stage = await ProxyStage.open({ egress: [host], resolve: async () => ["127.0.0.2", "::1", "127.0.0.1"] });
  undo.push(
    () => stage.close(),
    () => server.close(),
  );
  expect(await stage.ask(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toContain("reached");
});

test("NET-10: whatever is sent, what gets out is one whole request to a host on the list", async () => {
  const seen: IncomingMessage[] = [];
  const server = createHttpServer((request, response) => {
    seen.push(request.resume());
    response.end("reached");
  });
  const faults: Error[] = [];
  server.on("clientError", (error, socket) => {
    if (!/ECONNRESET|HPE_INVALID_EOF_STATE/.test(String("code" in error && error.code))) faults.push(error);
    socket.destroy();
  });
  const { stage, host } = await stageFor(server, 400);
  const some = (...texts: string[]) => fc.constantFrom(...texts);
  const target = some(
    `http://${host}/`,
    `http://${host}`,
    `http://${host}/\xff`,
    `HTTP://${host}?x`,
    `http://${host}/a b`,
    "http://b.test/",
    "/",
    "*",
    host,
    `http://x@${host}/`,
    `http://${host}\\@b.test/`,
    `http://${host}/\x7f`,
    `//${host}/`,
  );
  const line = some(
    `Host: ${host}`,
    "Host: b.test",
    "Content-Length: 5",
    "Content-Length: 0",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding:\x0bchunked",
    "transfer-encoding: xchunked",
    "Connection: content-length, host",
    "X: \xff",
    "X : y",
    " folded",
    "Upgrade: websocket",
    "Expect: 100-continue",
    "Expect: else",
    "X:",
    ":",
    "\0: x",
    "Connection: Upgrade",
  );
  const request = fc.record({
    method: some("GET", "POST", "HEAD", "OPTIONS", "PUT", "get", "QUERY", "TRACE"),
    target: fc.oneof({ weight: 2, arbitrary: some(`http://${host}/`) }, { weight: 1, arbitrary: target }),
    version: some("HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/1.1 "),
    lines: fc.array(line, { maxLength: 3 }),
    eol: some("\r\n", "\r\n", "\r\n", "\n"),
    body: some("", "hello", "5\r\nhello\r\n0\r\n\r\n", "GET / HTTP/1.1\r\nHost: b.test\r\n\r\n"),
  });
  const requests = fc.sample(request, 400).map(({ method, version, lines, eol, body, ...rest }, i) => {
    const head = [`${method} ${rest.target} ${version}`, `Host: ${host}`, `X-Run: ${i}`, ...lines, "", ""];
    return Buffer.from(head.join(eol) + body, "latin1");
  });
  while (requests.length > 0) {
    const answers = await Promise.all(requests.splice(0, 100).map((bytes) => stage.ask(bytes).catch(() => "")));
    for (const answer of answers) expect(answer).toMatch(/^$|^HTTP\/1\.1 \d\d\d /);
  }
  expect(faults).toEqual([]);
  expect(seen.length).toBeGreaterThan(20);
  expect(new Set(seen.map(({ headers }) => headers["x-run"])).size).toBe(seen.length);
  for (const { headers, url } of seen) {
    expect(headers.host).toBe(host);
    expect(headers.connection).toBe("close");
    expect(url).toMatch(/^\//);
    expect(headers.upgrade ?? headers.expect).toBeUndefined();
  }
});
