import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { askHttp, consoleAt } from "../testing/ask-http.ts";
import { serve } from "../testing/served-home.ts";
import { appendForeign, choir, homeWith, said, tempHome } from "../testing/temp-home.ts";

test("both sites may load nothing from elsewhere, and only the console's page may frame a desk", async () => {
  const { address } = await serve();
  const { port } = new URL(address);
  const policyOf = async (name: string) =>
    (await askHttp(address, "/", { headers: { host: `${name}.localhost:${port}` } })).headers[
      "content-security-policy"
    ];
  const [console, desk] = [await policyOf("choir"), await policyOf("ada-desk")];
  for (const policy of [console, desk]) {
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
  }
  expect(console).toContain("frame-ancestors 'none'");
  expect(desk).toContain(`frame-ancestors http://choir.localhost:${port}`);
});

test("/api/health says that the log is ready", async () => {
  const { address } = await serve();
  const answer = await fetch(`${address}/api/health`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    live: true,
    ready: true,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    uptime_s: expect.any(Number),
    unsafe: false,
    log: { engine: "sqlite" },
  });
});

test("/api/health says when the log can't be read", async () => {
  const server = await serve();
  await server.computers.close();
  const answer = await fetch(`${server.address}/api/health`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ live: true, ready: false, log: { problem: expect.any(String) } });
});

test("it answers to its own names only", async () => {
  const { address } = await serve();
  const { port } = new URL(address);
  for (const host of ["localhost", "127.0.0.1", "[::1]", "choir.localhost"]) {
    expect((await askHttp(address, "/api/health", { headers: { host: `${host}:${port}` } })).status).toBe(200);
  }
  for (const host of ["evil.example", "localhost.evil.example", `evil.example:${port}`, "127.0.0.1.evil.example"]) {
    const { status, body } = await askHttp(address, "/api/health", { headers: { host } });
    expect({ host, status }).toEqual({ host, status: expect.toBeOneOf([400, 421]) });
    expect(body).not.toContain("uptime");
  }
});

test("both loopback addresses are its own", async () => {
  const { address } = await serve();
  const { port } = new URL(address);
  for (const host of ["127.0.0.1", "[::1]"])
    expect((await fetch(`http://${host}:${port}/api/health`)).status).toBe(200);
});

test("a request that no route could take is answered like any other", async () => {
  const { address } = await serve();
  expect(await askHttp(address, "/%zz", { headers: { host: "evil.example" } })).toMatchObject({ status: 421 });
  const { status, type } = await askHttp(address, "/%zz", { headers: consoleAt(address) });
  expect({ status, type }).toEqual({ status: 400, type: expect.stringContaining("application/problem+json") });
});

test("an event of a newer version comes through the server as it was written", async () => {
  const home = await homeWith();
  appendForeign(home, { type: "sensor.read", source: "device", v: 2 });
  await serve(home);
  const { exit, out } = await choir(home, ["events", "--json", "--from", "2"]);
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ v: 2, type: "sensor.read", source: "device" });
});

test("a computer that can't be opened can be verified through the server", async () => {
  const home = tempHome();
  await serve(home);
  mkdirSync(home.storeOf("bob"), { recursive: true });
  writeFileSync(join(home.storeOf("bob"), "log.sqlite"), "x".repeat(8192));
  const { exit, out } = await choir(home, ["verify", "--user", "bob"]);
  expect(exit).toBe(1);
  expect(out).toContain("can't be read as a log");
});

test("a folder for the socket that others could enter is refused, and not changed", async () => {
  const home = tempHome();
  mkdirSync(home.runFolder, { mode: 0o755 });
  await expect(serve(home)).rejects.toThrow("must be a folder of this user's with mode 0700");
  expect(statSync(home.runFolder).mode & 0o777).toBe(0o755);
});

test("errors are problem+json, and say what happened", async () => {
  const { address } = await serve();
  const { status, type, body } = await askHttp(address, "/api/nope?secret=1", { headers: consoleAt(address) });
  expect({ status, type }).toEqual({ status: 404, type: expect.stringContaining("application/problem+json") });
  expect(JSON.parse(body).detail).toBe("There is nothing here, or it isn't yours.");
  expect(body).not.toContain("secret");
});

test("the command line reads through the running server", async () => {
  const home = tempHome();
  const { computers } = await serve(home);
  const opened = await computers.open("ada", false);
  if (!opened.ok) throw new Error(opened.message);
  await opened.computer.log.append(said("hello"));

  const events = await choir(home, ["events", "--json", "--from=-1"]);
  expect(JSON.parse(events.out)).toMatchObject({ seq: 2, payload: { text: "hello" }, user_id: "ada" });
  expect((await choir(home, ["verify"])).out).toContain("Log: 2 events, whole up to 2:");
  expect((await choir(home, ["status"])).out).toMatch(/Running at http:\/\/localhost:\d+/);
  expect((await choir(home, ["doctor"])).out).toContain("Server: running");
});

test("following through the server shows each new event, until Ctrl-C", async () => {
  const home = tempHome();
  const { computers } = await serve(home);
  const opened = await computers.open("ada", false);
  if (!opened.ok) throw new Error(opened.message);
  const { log } = opened.computer;
  const { exit, out } = await choir(home, ["events", "--follow", "--json"], {
    onLine(line, stop) {
      const { seq } = JSON.parse(line);
      if (seq < 5) void log.append(said(`after ${seq}`));
      else stop();
    },
  });
  expect(exit).toBe(0);
  expect(
    out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).seq),
  ).toEqual([1, 2, 3, 4, 5]);
});

test("a server that stops ends those who follow, and they say so", async () => {
  const home = tempHome();
  const server = await serve(home);
  const { exit, aside } = await choir(home, ["events", "--follow"], { onLine: () => void server.close() });
  expect(exit).toBe(1);
  expect(aside).toContain("the server has gone away");
});

test("a computer that isn't there is not made by asking for it", async () => {
  const home = tempHome();
  await serve(home);
  const { exit, aside } = await choir(home, ["events", "--user", "bob"]);
  expect(exit).toBe(1);
  expect(aside).toContain("there is no computer 'bob'");
  expect(home.computers()).toEqual(["ada"]);
});

test("a damaged log is named through the server as well", async () => {
  const home = tempHome();
  await serve(home);
  mkdirSync(home.storeOf("bob"), { recursive: true });
  writeFileSync(join(home.storeOf("bob"), "log.sqlite"), "no database at all, but long enough to be one".repeat(100));
  const { exit, aside } = await choir(home, ["events", "--user", "bob"]);
  expect(exit).toBe(1);
  expect(aside).toContain("choir doctor");
});

test("salvaging waits until the server has stopped", async () => {
  const home = tempHome();
  await serve(home);
  const { exit, aside } = await choir(home, ["doctor", "--salvage"]);
  expect(exit).toBe(1);
  expect(aside).toContain("stop it first");
});

test("only the owner can reach the socket", async () => {
  const home = tempHome();
  await serve(home);
  expect(statSync(home.runFolder).mode & 0o777).toBe(0o700);
});

test("one server runs on a home: the second is told who holds it", async () => {
  const home = tempHome();
  await serve(home);
  await expect(serve(home)).rejects.toThrow(/a server already runs on .* 'choir start' \(process \d+/);
});

test("a port that is taken is named, with the way to another, and nothing stays open", async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void blocker.close());
  const { port } = blocker.address() as { port: number }; // it listens on a port, not on a path
  const home = tempHome();
  await expect(serve(home, { server: { port } })).rejects.toThrow(`port ${port} is taken by another program`);
  await serve(home); // the home is free again
});

test("a home that can't be made is named, with the way to another", async () => {
  const home = tempHome();
  rmSync(home.path, { recursive: true });
  writeFileSync(home.path, "a file is in the way");
  await expect(serve(home)).rejects.toThrow(/can't be written to: .*Choose another folder with --home DIR/);
});
