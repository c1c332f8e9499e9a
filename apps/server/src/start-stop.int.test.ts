import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, watch, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { Home } from "./home.ts";
import { consoleAt, signIn } from "./testing/ask-http.ts";
import { firstLine, run, startOn, textOf } from "./testing/choir-process.ts";
import { serve } from "./testing/served-home.ts";
import { choir, tempHome } from "./testing/temp-home.ts";

/** Nothing on standard output, one line beside it. */
async function refusal(home: Home, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { exit, out, aside } = await choir(home, ["start", "--user", "ada"], {
    env: { CHOIR_SERVER_PORT: "0", ...env },
  });
  expect({ exit, out, lines: aside.trimEnd().split("\n").length }).toEqual({ exit: 1, out: "", lines: 1 });
  return aside.trimEnd();
}

describe("DOOR-20: what keeps a server from starting is one sentence, with exit code 1", () => {
  test("a port that is taken", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void blocker.close());
    const { port } = blocker.address() as { port: number }; // it listens on a port, not on a path
    const home = tempHome();
    const sentence = await refusal(home, { CHOIR_SERVER_PORT: String(port) });
    expect(sentence).toBe(
      `choir: port ${port} is taken by another program: set another one in ${home.path}/config.toml ([server] port) or with CHOIR_SERVER_PORT`,
    );
  });

  test("a folder that can't be written to", async () => {
    const { path } = tempHome();
    writeFileSync(join(path, "file"), "");
    expect(await refusal(new Home(join(path, "file", "home")))).toMatch(
      /^choir: .*home can't be written to: .*\. Choose another folder with --home DIR$/,
    );
  });

  test.each(["/proc/choir", "/proc/self/fd/home/of/choir"])(
    "a home like %s, where nothing can be kept",
    async (path) => {
      expect(await refusal(new Home(path))).toBe(
        `choir: ${path} is in /proc, where nothing can be kept: choose another folder with --home DIR`,
      );
    },
  );

  test("another server on the same home", async () => {
    const home = tempHome();
    await serve(home);
    expect(await refusal(home)).toMatch(/^choir: a server already runs on .*'choir start' \(process \d+, since .*\)$/);
  });

  test("a way to reach it that isn't safe, before anything is made", async () => {
    const home = tempHome();
    expect(await refusal(home, { CHOIR_SERVER_LISTEN: "0.0.0.0" })).toMatch(/^choir: server.listen is 0.0.0.0, beyond/);
    expect(home.computers()).toEqual([]);
  });

  test("an address of another machine", async () => {
    const env = {
      ...{ CHOIR_SERVER_LISTEN: "192.0.2.1", CHOIR_SERVER_PUBLIC_URL: "https://choir.example.com" },
      ...{ CHOIR_SERVER_DESK_HOST: "{computer}-desk.example.net", CHOIR_SERVER_TRUSTED_PROXIES: "192.0.2.2" },
    };
    expect(await refusal(tempHome(), env)).toBe("choir: server.listen 192.0.2.1 is no address of this machine");
  });

  test("accounts that are damaged, and are left as they are", async () => {
    const home = tempHome();
    mkdirSync(home.path, { recursive: true });
    writeFileSync(home.accountsFile, "x".repeat(8192));
    expect(await refusal(home)).toMatch(/^choir: .*accounts.sqlite is damaged: .*Put a copy of it back/);
  });

  test("a configuration that is wrong, with every line of it", async () => {
    const home = tempHome();
    writeFileSync(join(home.path, "config.toml"), "[server]\nport = 'http'\nlisten = 'here'\n");
    const { exit, aside } = await choir(home, ["start", "--user", "ada"]);
    expect(exit).toBe(1);
    expect(aside.trimEnd().split("\n")).toEqual([
      "choir: the configuration is wrong:",
      expect.stringMatching(/config.toml:2: server.port is "http": must be a whole number from 0 to 65535$/),
      expect.stringMatching(/config.toml:3: server.listen is "here": must be "localhost" or an address/),
    ]);
  });
});

/** Connections as a browser may leave them open: one that says nothing, and one in the middle of a request. */
function openConnections(port: number): Socket[] {
  const sockets = [connect(port, "127.0.0.1"), connect(port, "::1"), connect(port, "127.0.0.1")];
  for (const socket of sockets) socket.on("error", () => {}); // that they break is the point
  const head = `Host: choir.localhost:${port}\r\nContent-Type: application/json\r\nContent-Length: 100`;
  for (const socket of sockets.slice(1)) socket.write(`POST /api/link HTTP/1.1\r\n${head}\r\n\r\n{`);
  return sockets;
}

test("DOOR-21: Ctrl-C ends it cleanly, whatever is open and whatever runs", async () => {
  const home = tempHome();
  const server = startOn(home);
  const port = Number(/localhost:(\d+)/.exec(await firstLine(server))?.[1]);
  const sockets = openConnections(port);
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const stubborn = "trap '' INT TERM; echo up; while :; do :; done";
  const command = run(["exec", "--home", home.path, "--", "sh", "-c", stubborn]);
  await firstLine(command);
  const ended = [once(server, "exit"), once(command, "exit"), ...sockets.map((socket) => once(socket, "close"))];
  server.kill("SIGINT");
  const [[exit], [commandExit]] = await Promise.all([ended[0] ?? [], ended[1] ?? []]);
  expect({ exit, commandExit }).toEqual({ exit: 0, commandExit: 1 });
  await Promise.all(ended);
  const { out } = await choir(home, ["status"]);
  expect(out).toContain("No server is running");
});

test("DOOR-21: Ctrl-C ends it with a download under way, which breaks off and can't be taken for whole", async () => {
  const home = tempHome();
  const big = Buffer.alloc(64 * 1024 * 1024, "x");
  await choir(home, ["write", "big", "--user", "ada"], { input: big });
  const server = startOn(home);
  const [link = ""] = /http:\S+/.exec(await firstLine(server)) ?? [];
  const cookie = (await signIn(link, link)) ?? "";
  const { port } = new URL(link);
  const headers = { ...consoleAt(link), cookie };
  const asked = request({ host: "127.0.0.1", port, path: "/api/computers/ada/file/workspace/big", headers }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  answer.on("error", () => {}); // that it breaks is the point
  const closed = new Promise((resolve) => answer.on("close", resolve));
  await once(answer, "readable"); // and nobody takes the rest
  server.kill("SIGINT");
  expect(await once(server, "exit")).toEqual([0, null]);
  expect(answer.headers["content-length"]).toBe(String(big.length));
  answer.resume();
  await closed;
  expect(answer.complete).toBe(false);
});

test("DOOR-21: Ctrl-C ends a start that is still looking through what there is, and the next one goes on", async () => {
  const home = tempHome();
  await choir(home, ["write", "first", "--user", "ada"], { input: "1" });
  const folder = join(home.rootOf("ada"), "workspace", "many");
  mkdirSync(folder);
  for (let i = 0; i < 4000; i++) writeFileSync(join(folder, String(i)), `${i}`);
  mkdirSync(home.runFolder, { mode: 0o700 });
  const watcher = watch(home.runFolder);
  onTestFinished(() => watcher.close());
  const server = startOn(home);
  const output = [textOf(server.stdout), textOf(server.stderr)];
  await once(watcher, "change"); // the home is taken: the start has begun
  server.kill("SIGINT");
  expect(await once(server, "exit")).toEqual([0, null]);
  expect(await Promise.all(output)).toEqual(["", expect.stringMatching(/^ChoirOS has stopped\./)]);
  const next = startOn(home);
  expect(await firstLine(next)).toContain("is running at");
  expect((await choir(home, ["cat", "many/3999"])).out).toBe("3999");
});

test("DOOR-22: a second Ctrl-C ends it at once", async () => {
  const file = fileURLToPath(new URL("./testing/stubborn.ts", import.meta.url));
  const child = spawn(process.execPath, [file]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("up");
  child.kill("SIGINT");
  expect((await lines.next()).value).toBe("still here");
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([130, null]);
});

test("DOOR-23: a start prints one address, and choir status says the same", async () => {
  const home = tempHome();
  const server = startOn(home);
  const line = await firstLine(server);
  const [address = ""] = /http:\/\/localhost:\d+/.exec(line) ?? [];
  expect(line).toMatch(/^ChoirOS [\d.]+ is running at http:\/\/localhost:\d+\/#link=[\w-]{43}$/);
  expect((await choir(home, ["status"])).out).toContain(`Running at ${address} (process ${server.pid}`);
  expect(JSON.parse((await choir(home, ["status", "--json"])).out).server.address).toBe(address);
});
