import type { ChildProcess } from "node:child_process";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import type { Connection } from "../egress/connection.ts";
import { certificateFor } from "../egress/testing/certificate.ts";
import { portOf } from "../egress/testing/proxy-stage.ts";
import type { Egress } from "../sandbox.ts";
import { Network } from "./network.ts";
import { inside, residing } from "./testing/inside.ts";
import { repositoryServer } from "./testing/repository-server.ts";

/** Node may lie in a folder that is covered inside. */
const NODE = ["--ro-bind", process.execPath, process.execPath];

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function open(egress: Egress, told: Connection[] = []): Promise<Network> {
  const network = await Network.open({
    egress,
    onConnection: (connection) => told.push(connection),
    allowLoopback: true,
    resolve: async () => ["127.0.0.1"],
  });
  undo.push(() => network.close());
  return network;
}

async function listening<S extends HttpServer>(server: S): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  undo.push(() => server.close());
  return portOf(server);
}

function kept(child: ChildProcess): ChildProcess {
  undo.push(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  return child;
}

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "choir-network-"));
  undo.push(() => rmSync(dir, { recursive: true }));
  return dir;
}

const HELLO = "require('net').createServer({allowHalfOpen: true}, (s) => s.pipe(s))";

test("NET-2: git clones over http, and over https, through the proxy", async () => {
  const told: Connection[] = [];
  const certificate = certificateFor("git.test");
  const dir = folder();
  writeFileSync(join(dir, "cert.pem"), certificate.cert);
  const { handler, head } = repositoryServer(dir);
  const plain = await listening(createHttpServer(handler));
  const secure = await listening(createHttpsServer(certificate, handler));
  const network = await open([`git.test:${plain}`, `git.test:${secure}`], told);
  const { out, exit } = await inside(
    network,
    `git clone -q http://git.test:${plain}/r.git /tmp/a && git -c http.sslCAInfo=/tmp/cert.pem clone -q https://git.test:${secure}/r.git /tmp/b &&
     git -C /tmp/a rev-parse HEAD && git -C /tmp/b rev-parse HEAD`,
    ["--ro-bind", join(dir, "cert.pem"), "/tmp/cert.pem"],
  );
  expect({ out, exit }).toEqual({ out: `${head}\n${head}\n`, exit: 0 });
  expect(new Set(told.map(({ host, port, allowed }) => `${host}:${port} ${allowed}`))).toEqual(
    new Set([`git.test:${plain} true`, `git.test:${secure} true`]),
  );
});

test("NET-2: curl and Node's fetch reach an https server through the proxy, and no other host", async () => {
  const certificate = certificateFor("a.test");
  const dir = folder();
  writeFileSync(join(dir, "cert.pem"), certificate.cert);
  const port = await listening(createHttpsServer(certificate, (_, response) => void response.end("reached\n")));
  const network = await open([`a.test:${port}`]);
  const cert = ["--ro-bind", join(dir, "cert.pem"), "/tmp/cert.pem"];
  const url = `https://a.test:${port}/`;
  expect(await inside(network, `curl -sS --cacert /tmp/cert.pem ${url}`, cert)).toEqual({ out: "reached\n", exit: 0 });
  const program = `fetch('${url}').then((r) => r.text()).then((t) => process.stdout.write(t))`;
  const node = `NODE_EXTRA_CA_CERTS=/tmp/cert.pem ${process.execPath} --no-warnings -e "${program}"`;
  expect(await inside(network, node, [...cert, ...NODE])).toEqual({ out: "reached\n", exit: 0 });
  expect((await inside(network, "curl -sS https://b.test/")).out).toMatch(/403/);
});

test("NET-1: nothing gets out but by the proxy: no TCP, no UDP, no DNS, no socket of the host", async () => {
  const port = await listening(createHttpServer((_, response) => void response.end("reached")));
  const abstract = createServer((socket) => socket.end("reached"));
  await once(abstract.listen("\0choir-network-test"), "listening");
  undo.push(() => abstract.close());
  const connect = (to: string) =>
    `(end) => require('net').connect(${to}).on('connect', () => end('reached')).on('error', (e) => end(e.code))`;
  const tries = [
    [connect(`${port}, '127.0.0.1'`), "ECONNREFUSED"],
    [connect("{path: '\\0choir-network-test'}"), "ECONNREFUSED"],
    [connect("443, '1.1.1.1'"), "ENETUNREACH"],
    [connect("80, '169.254.169.254'"), "ENETUNREACH"],
    [connect("443, '2606:4700::1111'"), "ENETUNREACH"],
    ["(end) => require('dgram').createSocket('udp4').send('x', 53, '1.1.1.1', (e) => end(e?.code))", "ENETUNREACH"],
    ["(end) => require('dns').lookup('example.com', (e) => end(e?.code))", "EAI_AGAIN"],
  ] as const;
  const all = tries.map(([program]) => `new Promise(${program})`).join(", ");
  const program = `Promise.all([${all}]).then((codes) => { console.log(codes.join()); process.exit() })`;
  for (const egress of ["none", ["a.test"]] as const) {
    const network = await open(egress);
    const { out } = await inside(network, `"${process.execPath}" -e "${program}"`, NODE);
    expect(out.trim().split(",")).toEqual(tries.map(([, code]) => code));
  }
  // The same program outside: its probes can succeed.
  expect(String(execFileSync(process.execPath, ["-e", program]))).toMatch(/^reached,reached,/);
});

test.each([["127.0.0.1"], ["::1"]])(
  "NET-15: dial reaches what listens on %s inside, whoever speaks or ends first",
  async (host) => {
    const network = await open("none");
    const greets = "require('net').createServer({allowHalfOpen: true}, (s) => { s.write('first '); s.pipe(s) })";
    kept(await residing(network, `${greets}.listen(7000, '${host}', () => console.log('up'))`));
    for (let i = 0; i < 3; i++) {
      const socket = await network.dial(7000);
      socket.end("said and ended");
      expect(await text(socket)).toBe("first said and ended");
    }
  },
);

test("NET-15: what was dialled can be written to after it has ended its own side", async () => {
  const network = await open("none");
  const ends = "require('net').createServer({allowHalfOpen: true}, (s) => { s.end('first'); s.pipe(process.stdout) })";
  const child = kept(await residing(network, `${ends}.listen(7000, () => console.log('up'))`));
  const socket = await network.dial(7000);
  expect(await text(socket)).toBe("first");
  const heard = once(child.stdout ?? child, "data");
  socket.end("later");
  expect(String(await heard)).toBe("later");
});

test("NET-15: a dial to a port that nobody listens on, or that is none, says so", async () => {
  const network = await open("none");
  await expect(network.dial(7001)).rejects.toMatchObject({
    code: "refused",
    message: "nothing listens on port 7001 inside the sandbox",
  });
  for (const port of [0, 65_536, 1.5, -1]) await expect(network.dial(port)).rejects.toMatchObject({ code: "misuse" });
  await network.close();
  await expect(network.dial(7001)).rejects.toMatchObject({ code: "closed" });
});

test("NET-16: what runs in one network shares its loopback, and nobody else's is there", async () => {
  const [one, other] = [await open("none"), await open("none")];
  kept(await residing(one, `${HELLO}.listen(7000, () => console.log('up'))`));
  const program =
    "require('net').connect(7000, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(7))";
  const probe = [`${process.execPath} -e "${program}"`, NODE] as const;
  expect(await inside(one, ...probe)).toEqual({ out: "", exit: 0 });
  expect(await inside(other, ...probe)).toEqual({ out: "", exit: 7 });
  await expect(other.dial(7000)).rejects.toMatchObject({ code: "refused" });
  (await one.dial(7000)).destroy();
});

test("NET-14: 200 MB come in and 40 MB go out, and what isn't taken yet isn't held in memory", async () => {
  const [size, sent] = [200 * 1024 * 1024, 40 * 1024 * 1024];
  const block = Buffer.alloc(1 << 20); // one for all: what the test itself holds isn't what this measures
  let received = 0;
  const port = await listening(
    createHttpServer(async (request, response) => {
      for await (const chunk of request) received += chunk.length;
      for (let done = 0; done < size; done += block.length) {
        if (!response.write(block)) await once(response, "drain");
      }
      response.end();
    }),
  );
  const network = await open([`a.test:${port}`]);
  let most = 0;
  const before = held();
  const watch = setInterval(() => {
    most = Math.max(most, held());
  }, 50);
  const upload = `head -c ${sent} /dev/zero | curl -sS --limit-rate 300M -T - http://a.test:${port}/`;
  const { out, exit } = await inside(network, `${upload} | wc -c`);
  clearInterval(watch);
  expect({ out: out.trim(), exit, received }).toEqual({ out: String(size), exit: 0, received: sent });
  expect(most - before).toBeLessThan(40 * 1024 * 1024);
});

/** What is in use, without what nobody needs any more: how soon that is given back depends on how busy the machine is. */
function held(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}

test("NET-14: a dial passes 50 MB back as they came", async () => {
  const network = await open("none");
  kept(await residing(network, `${HELLO}.listen(7000, () => console.log('up'))`));
  const bytes = Buffer.alloc(50 * 1024 * 1024, "choir");
  const socket = await network.dial(7000);
  socket.end(bytes);
  expect((await buffer(socket)).equals(bytes)).toBe(true);
});
