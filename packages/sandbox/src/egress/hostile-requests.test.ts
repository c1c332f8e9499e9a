import { once } from "node:events";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { gone, ProxyStage, portOf } from "./testing/proxy-stage.ts";

let server: HttpServer;
let port: number;
let requests = 0;
const stages: ProxyStage[] = [];

beforeAll(async () => {
  server = createHttpServer((_, response) => {
    requests++;
    response.end("reached");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  port = portOf(server);
});

afterEach(() => {
  requests = 0;
  for (const stage of stages.splice(0)) stage.close();
});

afterAll(() => {
  server.close();
});

async function open(limits: Parameters<typeof ProxyStage.open>[0]["limits"] = {}): Promise<ProxyStage> {
  const stage = await ProxyStage.open({ egress: [`a.test:${port}`], limits });
  stages.push(stage);
  return stage;
}

/** A request to the host on the list, with these lines below its first. */
function withLines(...lines: string[]): string {
  return [`POST http://a.test:${port}/ HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

const HOST = () => `Host: a.test:${port}`;

test.each<[what: string, request: () => string]>([
  ["two lengths that differ", () => `${withLines(HOST(), "Content-Length: 4", "Content-Length: 5")}abcde`],
  ["two lengths in one line", () => `${withLines(HOST(), "Content-Length: 4, 5")}abcde`],
  ["a length and pieces", () => `${withLines(HOST(), "Content-Length: 5", "Transfer-Encoding: chunked")}0\r\n\r\n`],
  ["pieces twice", () => `${withLines(HOST(), "Transfer-Encoding: chunked, chunked")}0\r\n\r\n`],
  [
    "pieces in two lines",
    () => `${withLines(HOST(), "Transfer-Encoding: chunked", "Transfer-Encoding: identity")}0\r\n\r\n`,
  ],
  ["pieces of something packed", () => `${withLines(HOST(), "Transfer-Encoding: gzip, chunked")}0\r\n\r\n`],
  ["pieces that are no number", () => `${withLines(HOST(), "Transfer-Encoding: chunked")}0x3\r\nabc\r\n0\r\n\r\n`],
  ["a length with a sign", () => `${withLines(HOST(), "Content-Length: +4")}abcd`],
  ["a blank before the colon", () => `${withLines(HOST(), "Content-Length : 4")}abcd`],
  ["a folded line", () => withLines(HOST(), "X-Folded: a", " b")],
  ["lines that end in a bare LF", () => `GET http://a.test:${port}/ HTTP/1.1\n${HOST()}\n\n`],
  ["a NUL in a header", () => withLines(HOST(), "X-Nul: a\0b")],
  ["a bare CR in a header", () => withLines(HOST(), "X-Cr: a\rb: c")],
  ["another host in its header", () => withLines("Host: b.test")],
  ["another host and the same port in its header", () => withLines(`Host: b.test:${port}`)],
  ["another port in its header", () => withLines("Host: a.test:1")],
  ["two hosts in its headers", () => withLines(HOST(), HOST())],
  ["no host in its headers", () => withLines("X-Host: a.test")],
  ["a NUL in its target", () => `GET http://a.test\0.b.test:${port}/ HTTP/1.1\r\n${HOST()}\r\n\r\n`],
  ["a target that is only a path", () => `GET / HTTP/1.1\r\n${HOST()}\r\n\r\n`],
  ["https without CONNECT", () => `GET https://a.test:${port}/ HTTP/1.1\r\n${HOST()}\r\n\r\n`],
  ["another protocol", () => `GET ftp://a.test:${port}/ HTTP/1.1\r\n${HOST()}\r\n\r\n`],
  ["a fragment", () => `GET http://a.test:${port}#@b.test/ HTTP/1.1\r\n${HOST()}\r\n\r\n`],
  ["HTTP/2 from the start", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["TLS", () => "\x16\x03\x01\x02\x00\x01\x00"],
  ["a header without end", () => withLines(HOST(), `X-Long: ${"a".repeat(20_000)}`)],
])("NET-10: a request with %s is refused, told, and reaches nobody", async (_, request) => {
  const stage = await open();
  const answer = await stage.ask(request());
  expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
  expect(await stage.tellings(1)).toMatchObject([{ allowed: false, why: expect.any(String) }]);
  expect(stage.told.every(({ host }) => host.length > 0 && host.length <= 253)).toBe(true);
  expect(requests).toBe(0);
});

test("NET-10: a connection carries one request: what comes behind it is not read as another", async () => {
  const stage = await open();
  const one = `GET http://a.test:${port}/ HTTP/1.1\r\n${HOST()}\r\n\r\n`;
  const answer = await stage.ask(one + one + one);
  expect(answer.match(/reached/g)).toHaveLength(1);
  expect(requests).toBe(1);
});

test("NET-12: refusals that repeat are told once, and together at the end; so are many different ones", async () => {
  const stage = await open();
  for (let i = 0; i < 5; i++) await stage.ask("CONNECT b.test:443 HTTP/1.1\r\n\r\n");
  for (let i = 0; i < 50; i++) await stage.ask(`CONNECT b${i}.test:443 HTTP/1.1\r\n\r\n`);
  expect(stage.told).toHaveLength(20);
  stage.proxy.close();
  expect(stage.told).toHaveLength(22);
  expect(stage.told.slice(20)).toMatchObject([
    { host: "b.test", times: 4 },
    { host: "(others)", times: 31 },
  ]);
});

test("NET-12: who goes away in the middle of a request was refused nothing", async () => {
  const stage = await open();
  const leaving = stage.connect();
  leaving.write("GET http://a.te");
  await once(leaving, "ready");
  leaving.resetAndDestroy();
  await stage.ask(`GET http://a.test:${port}/ HTTP/1.1\r\n${HOST()}\r\n\r\n`);
  expect(await stage.tellings(1)).toMatchObject([{ host: "a.test", allowed: true }]);
});

test("NET-12: who is refused in the middle of sending is told once, whatever it sends after", async () => {
  const stage = await open();
  const sending = stage.connect();
  sending.write(`POST http://b.test/ HTTP/1.1\r\nHost: b.test\r\nContent-Length: 100\r\n\r\nsome`);
  await once(sending, "data");
  sending.end("more");
  await gone(sending);
  await stage.ask(`GET http://a.test:${port}/ HTTP/1.1\r\n${HOST()}\r\n\r\n`);
  expect(await stage.tellings(2)).toMatchObject([{ host: "b.test" }, { host: "a.test" }]);
});

test("NET-12: what is told of a host can be read, whatever was asked for", async () => {
  const stage = await open();
  await stage.ask(`CONNECT ${"x".repeat(9000)}:443 HTTP/1.1\r\n\r\n`);
  await stage.ask("CONNECT \x80\xff:443 HTTP/1.1\r\n\r\n");
  for (const { host, port: asked } of await stage.tellings(2)) {
    expect(host).toMatch(/^[\x21-\x7e]{1,253}$/);
    expect(asked).toBeGreaterThan(0);
  }
});

test("NET-12: a port that is none is why it is refused, and no part of the host", async () => {
  const stage = await open();
  expect(await stage.ask("CONNECT a.test:65979 HTTP/1.1\r\n\r\n")).toContain("isn't a number from 1 to 65535");
  const why = "its port isn't a number from 1 to 65535";
  expect(await stage.tellings(1)).toMatchObject([{ host: "a.test", port: 443, why }]);
});

test("NET-12: neither a password nor what stands behind the host is told", async () => {
  const stage = await open();
  const ask = async (line: string) => await stage.ask(`${line} HTTP/1.1\r\nHost: a.test\r\n\r\n`);
  const answers = [
    await ask("GET http://me:hunter2@a.test/?token=hunter2"),
    await ask("GET https://b.test/hunter2"),
    await ask("CONNECT me:hunter2@c.test:443"),
    await ask("GET /hunter2"),
  ];
  expect((await stage.tellings(4)).map(({ host }) => host)).toEqual(["a.test", "b.test", "c.test", "(none)"]);
  expect(JSON.stringify([stage.told, answers])).not.toContain("hunter2");
});

test("NET-13: of a thousand connections that say nothing few are kept, each for a while, and then there is room again", async () => {
  const stage = await open({ connections: 50, requestMs: 1_000 });
  const other = await open();
  const sockets = Array.from({ length: 1000 }, () => stage.connect());
  expect(await other.ask(`GET http://a.test:${port}/ HTTP/1.1\r\n${HOST()}\r\n\r\n`)).toContain("reached");
  const answers = await Promise.all(sockets.map((socket) => text(socket).catch(() => "cut off")));
  for (const socket of sockets) socket.destroy();
  const timedOut = answers.filter((answer) => answer.startsWith("HTTP/1.1 408 "));
  expect(timedOut.length).toBeGreaterThanOrEqual(50);
  expect(answers.filter((answer) => /^HTTP\/1\.1 503 |^cut off|^$/.test(answer)).length).toBe(1000 - timedOut.length);
  expect(await stage.ask(`GET http://a.test:${port}/ HTTP/1.1\r\n${HOST()}\r\n\r\n`)).toContain("reached");
  expect(stage.told.length).toBeLessThan(5);
});

test("NET-13: a request that comes drop by drop is cut off in time, and so is a hello", async () => {
  const stage = await open({ requestMs: 300 });
  const slow = stage.connect();
  slow.write("GET http://a.test/ HTTP/1.1\r\nX: ");
  const drops = setInterval(() => slow.write("X"), 20);
  expect(await stage.tellings(1)).toMatchObject([{ allowed: false, why: "its request didn't come in time" }]);
  clearInterval(drops);

  const tunnel = stage.connect();
  tunnel.write(`CONNECT a.test:${port} HTTP/1.1\r\n\r\n`);
  await once(tunnel, "data");
  tunnel.write(Buffer.from([22, 3, 1, 2, 0]));
  const more = setInterval(() => tunnel.write(Buffer.from([1, 0])), 250);
  expect((await stage.tellings(2))[1]).toMatchObject({ allowed: false, why: "its TLS hello didn't come in time" });
  clearInterval(more);
  await Promise.all([slow, tunnel].map(gone));
  slow.destroy();
  tunnel.destroy();
});

test("NET-13: a connection on which nothing moves is ended", async () => {
  const silent: Server = createServer();
  const far: Socket[] = [];
  silent.on("connection", (socket) => far.push(socket.on("error", () => {})));
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const stage = await ProxyStage.open({ egress: [`a.test:${portOf(silent)}`], limits: { idleMs: 200 } });
  stages.push(stage);
  const line = `a.test:${portOf(silent)}`;
  expect(await stage.ask(`GET http://${line}/ HTTP/1.1\r\nHost: ${line}\r\n\r\n`)).not.toContain("200 OK");
  expect(await stage.tellings(1)).toMatchObject([{ allowed: true, bytesIn: 0 }]);
  silent.close();
  for (const socket of far) socket.destroy();
});
