import { once } from "node:events";
import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createServer as createTlsServer, connect as tlsConnect } from "node:tls";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { certificateFor } from "./testing/certificate.ts";
import { gone, ProxyStage, portOf } from "./testing/proxy-stage.ts";

const certificate = certificateFor("a.test");
let plain: HttpServer;
let secure: Server;
let plainPort: number;
let securePort: number;
let seen: IncomingMessage[] = [];
const stages: ProxyStage[] = [];

beforeAll(async () => {
  plain = createHttpServer(async (request, response) => {
    seen.push(request);
    const body = await text(request);
    response.setHeader("Keep-Alive", "timeout=5").setHeader("X-Kept", "yes");
    response.end(`${request.method} ${request.url} ${body}`);
  });
  secure = createTlsServer({ ...certificate, allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {}).pipe(socket);
  });
  secure.on("tlsClientError", () => {});
  for (const server of [plain, secure]) await once(server.listen(0, "127.0.0.1"), "listening");
  [plainPort, securePort] = [portOf(plain), portOf(secure)];
});

afterEach(() => {
  seen = [];
  for (const stage of stages.splice(0)) stage.close();
});

afterAll(() => {
  plain.close();
  secure.close();
});

async function open(options: Partial<Parameters<typeof ProxyStage.open>[0]> = {}): Promise<ProxyStage> {
  const stage = await ProxyStage.open({ egress: [`a.test:${plainPort}`, `a.test:${securePort}`], ...options });
  stages.push(stage);
  return stage;
}

/** A tunnel that was granted; else the answer. */
async function tunnel(stage: ProxyStage, to: string): Promise<Socket | string> {
  const socket = stage.connect();
  socket.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`);
  const [first]: Buffer[] = await once(socket, "data");
  if (String(first).startsWith("HTTP/1.1 200 ")) return socket;
  const answer = String(first) + (await text(socket));
  socket.destroy();
  return answer;
}

async function granted(stage: ProxyStage, to: string): Promise<Socket> {
  const socket = await tunnel(stage, to);
  if (typeof socket === "string") throw new Error(socket);
  return socket;
}

test("NET-2: plain HTTP goes through, and what belongs to one connection alone is taken out on both ways", async () => {
  const stage = await open();
  const answer = await stage.ask(
    `POST http://A.test.:${plainPort}/x?y=1 HTTP/1.1\r\nHost: a.test:${plainPort}\r\nConnection: X-Secret, Content-Length\r\n` +
      "Proxy-Authorization: Basic x\r\nProxy-Connection: keep-alive\r\nTE: trailers\r\nUpgrade: h2c\r\nX-Secret: 1\r\n" +
      "X-Kept: 1\r\nContent-Length: 4\r\n\r\nbody",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/POST \/x\?y=1 body/);
  expect(answer).toMatch(/x-kept: yes/i);
  expect(answer).not.toMatch(/timeout=5/);
  expect(seen.map(({ headers }) => headers)).toEqual([
    { host: `a.test:${plainPort}`, "content-length": "4", connection: "close", "x-kept": "1" },
  ]);
  const [told] = await stage.tellings(1);
  expect(told).toMatchObject({ host: "a.test", port: plainPort, allowed: true });
  expect(told?.bytesIn).toBeGreaterThan(100);
  expect(told?.bytesOut).toBeGreaterThan(50);
});

test("NET-2: a body whose length isn't known goes through in pieces, whatever the method", async () => {
  const stage = await open();
  for (const method of ["POST", "GET", "DELETE"]) {
    const head = `${method} http://a.test:${plainPort}/ HTTP/1.1\r\nHost: a.test:${plainPort}\r\n`;
    const answer = await stage.ask(`${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`${method} / abcde`));
  }
  expect(seen.map(({ headers }) => headers["transfer-encoding"])).toEqual(["chunked", "chunked", "chunked"]);
});

test("NET-2: HTTPS goes through by CONNECT, each side may end first, and both ways are counted", async () => {
  const stage = await open();
  const socket = await granted(stage, `A.TEST.:${securePort}`);
  const tls = tlsConnect({ socket, servername: "a.test", ca: certificate.cert });
  tls.allowHalfOpen = true;
  await once(tls, "secureConnect");
  tls.end("said and ended");
  expect(await text(tls)).toBe("said and ended");
  const [told] = await stage.tellings(1);
  expect(told).toMatchObject({ host: "a.test", port: securePort, allowed: true });
  expect(told?.bytesIn).toBeGreaterThan(500);
  expect(told?.bytesOut).toBeGreaterThan(300);
});

test.each([
  "b.test:443",
  "x.a.test:443",
  "127.0.0.1:443",
  "[::1]:443",
  "2130706433:443",
  "0x7f.1:443",
  "0:443",
  "me@a.test:443",
  "a.test:22",
  ":443",
  "a.test",
])("NET-11: CONNECT %s is answered 403, with what was asked for and why not, and told", async (to) => {
  const stage = await open();
  const answer = await tunnel(stage, to);
  expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*\r\n\r\n.* refused: .*\n$/);
  expect(await stage.tellings(1)).toEqual([
    {
      host: expect.any(String),
      port: expect.any(Number),
      allowed: false,
      why: expect.any(String),
      bytesIn: 0,
      bytesOut: 0,
      ms: expect.any(Number),
    },
  ]);
});

test.each([
  "http://127.0.0.1/",
  "http://b.test/",
  "http://[::1]/",
  "http://me@a.test/",
  "http:///x",
  "http://a.test:1/",
])("NET-11: GET %s is answered 403", async (url) => {
  const stage = await open();
  const host = /\/\/([^/]*)/.exec(url)?.[1] ?? "";
  expect(await stage.ask(`GET ${url} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
  expect(await stage.tellings(1)).toMatchObject([{ allowed: false }]);
});

test.each(["10.0.0.1", "127.0.0.1", "169.254.169.254", "::ffff:10.0.0.1", "fd00:ec2::254"])(
  "NET-6: a name on the list that resolves to %s is refused, though its other addresses are public",
  async (address) => {
    const stage = await open({ allowLoopback: false, resolve: async () => ["140.82.121.4", address] });
    const answer = await tunnel(stage, `a.test:${securePort}`);
    expect(answer).toContain("403 Forbidden");
    expect(answer).toContain(`its address ${address} is`);
  },
);

test("NET-6: a name is resolved once, and what it resolves to afterwards changes nothing", async () => {
  const answers = [["127.0.0.1"], ["10.0.0.1"]];
  let asked = 0;
  const stage = await open({ resolve: async () => answers[asked++] ?? [] });
  (await granted(stage, `a.test:${securePort}`)).destroy();
  expect(asked).toBe(1);
  expect(await tunnel(stage, `a.test:${securePort}`)).toContain("its address 10.0.0.1 is private");
  expect(asked).toBe(2);
});

test("NET-8: without the switch for tests a host on the list can't be this machine", async () => {
  const stage = await open({ allowLoopback: false, egress: ["localhost:80"] });
  expect(await tunnel(stage, "localhost:80")).toContain("its address 127.0.0.1 is loopback");
  const system = await ProxyStage.open({ egress: ["localhost"], allowLoopback: false });
  stages.push(system);
  expect(await tunnel(system, "localhost:443")).toContain("is loopback");
});

test("NET-11: a host that is allowed and can't be reached is answered 502, and told as allowed with the reason", async () => {
  const closed = createServer();
  await once(closed.listen(0, "127.0.0.1"), "listening");
  const port = portOf(closed);
  await new Promise((done) => closed.close(done));
  const cases = [
    { resolve: async () => ["127.0.0.1"], why: /can't be reached \(ECONNREFUSED\)/ },
    { resolve: async () => [], why: /has no address/ },
    {
      resolve: () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" })),
      why: /wasn't found \(ENOTFOUND\)/,
    },
    { resolve: () => new Promise<string[]>(() => {}), why: /wasn't found in time/ },
  ];
  for (const { resolve, why } of cases) {
    const stage = await open({ egress: [`a.test:${port}`], resolve, limits: { reachMs: 300 } });
    expect(await tunnel(stage, `a.test:${port}`)).toMatch(/^HTTP\/1\.1 502 Bad Gateway/);
    expect(await stage.tellings(1)).toMatchObject([{ allowed: true, why: expect.stringMatching(why) }]);
  }
});

test("NET-9: a tunnel to one host can't say hello to another, and nothing it sent gets out", async () => {
  const stage = await open();
  const hostile: [servername: string | undefined, why: RegExp][] = [
    ["b.test", /names another server \(b\.test\)/],
    [undefined, /doesn't name one server/],
  ];
  for (const [i, [servername, why]] of hostile.entries()) {
    const socket = await granted(stage, `a.test:${securePort}`);
    const tls = tlsConnect({ socket, ...(servername === undefined ? {} : { servername }), rejectUnauthorized: false });
    await gone(tls);
    const told = (await stage.tellings(i + 1))[i];
    expect(told).toMatchObject({ host: "a.test", allowed: false, why: expect.stringMatching(why), bytesOut: 0 });
  }
});

test("NET-9: a tunnel that isn't TLS is cut off", async () => {
  const stage = await open();
  const socket = await granted(stage, `a.test:${plainPort}`);
  socket.write("GET / HTTP/1.1\r\nHost: b.test\r\n\r\n");
  await gone(socket);
  socket.destroy();
  expect(await stage.tellings(1)).toMatchObject([{ allowed: false, why: "what it sends isn't TLS" }]);
  expect(seen).toEqual([]);
});

test("NET-9: a hello that comes byte by byte works", async () => {
  const stage = await open();
  const proxied = await granted(stage, `a.test:${securePort}`);
  proxied.setNoDelay(true);
  const between = createServer((near) => {
    proxied.pipe(near);
    near.on("data", (bytes: Buffer) => {
      for (const byte of bytes) proxied.write(Buffer.from([byte]));
    });
  });
  await once(between.listen(0, "127.0.0.1"), "listening");
  const socket = connect(portOf(between), "127.0.0.1");
  const tls = tlsConnect({ socket, servername: "a.test", ca: certificate.cert });
  await once(tls, "secureConnect");
  tls.destroy();
  proxied.destroy();
  between.close();
});

test("NET-14: through a tunnel too, who takes slowly is sent slowly", async () => {
  const [size, piece] = [48 * 1024 * 1024, Buffer.alloc(65_536)];
  let sent = 0;
  const far = createTlsServer(certificate, async (socket) => {
    for (; sent < size; sent += piece.length) if (!socket.write(piece)) await once(socket, "drain");
    socket.end();
  });
  await once(far.listen(0, "127.0.0.1"), "listening");
  const stage = await open({ egress: [`a.test:${portOf(far)}`] });
  const socket = await granted(stage, `a.test:${portOf(far)}`);
  const tls = tlsConnect({ socket, servername: "a.test", ca: certificate.cert });
  let [taken, ahead] = [0, 0];
  for await (const chunk of tls) {
    taken += chunk.length;
    ahead = Math.max(ahead, sent - taken);
    for (let turns = 0; turns < 10; turns++) await nextTurn();
  }
  expect(taken).toBe(size);
  expect(ahead).toBeLessThan(size / 2); // what the system itself holds in between is some megabytes
  far.close();
});

test("NET-12: who goes away, be it before the first byte, leaves no connection behind", async () => {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const far = createServer((socket) => gone(socket).then(resolve));
  await once(far.listen(0, "127.0.0.1"), "listening");
  const stage = await open({ egress: [`a.test:${portOf(far)}`] });
  (await granted(stage, `a.test:${portOf(far)}`)).destroy();
  await left;
  expect(await stage.tellings(1)).toMatchObject([{ host: "a.test", allowed: true, bytesOut: 0 }]);
  far.close();
});

test("NET-12: closing ends every connection and tells of it", async () => {
  const stage = await open();
  const socket = await granted(stage, `a.test:${securePort}`);
  const tls = tlsConnect({ socket, servername: "a.test", ca: certificate.cert });
  await once(tls, "secureConnect");
  stage.proxy.close();
  expect(stage.told).toMatchObject([{ host: "a.test", allowed: true }]);
  await gone(tls);
});
