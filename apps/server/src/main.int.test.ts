import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs/promises";
import { expect, test } from "vitest";
import { firstLine, MAIN, run, startOn, textOf } from "./testing/choir-process.ts";
import { choir, homeWith, said, tempHome } from "./testing/temp-home.ts";

test("choir start prints its address, serves, and ends cleanly on Ctrl-C", async () => {
  const child = startOn(tempHome());
  const line = await firstLine(child);
  const address = /http:\/\/localhost:\d+/.exec(line)?.[0];
  expect((await fetch(`${address}/api/health`)).status).toBe(200);
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("choir start ends cleanly on Ctrl-C while somebody follows", async () => {
  const home = tempHome();
  const server = startOn(home);
  await firstLine(server);
  const follower = run(["events", "--follow", "--home", home.path]);
  await firstLine(follower);
  const ended = Promise.all([once(server, "exit"), once(follower, "exit")]);
  server.kill("SIGINT");
  expect(await ended).toEqual([
    [0, null],
    [1, null],
  ]);
});

test("a server that was killed is no obstacle: the next one starts, and nothing is lost", async () => {
  const home = await homeWith(said("kept"));
  const first = startOn(home);
  await firstLine(first);
  first.kill("SIGKILL");
  await once(first, "exit");
  expect((await choir(home, ["status"])).out).toContain("No server is running");
  const second = startOn(home);
  expect(await firstLine(second)).toContain("is running at");
  expect((await choir(home, ["events"])).out).toContain("kept");
});

test("a server whose output nobody reads any more goes on", async () => {
  const home = tempHome();
  const child = startOn(home);
  const address = /http:\/\/localhost:\d+/.exec(await firstLine(child))?.[0];
  child.stdout?.destroy();
  child.stderr?.destroy();
  expect((await fetch(`${address}/api/health`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("a home belongs to its owner: another can't be named later", async () => {
  const home = tempHome();
  const first = startOn(home);
  await firstLine(first);
  first.kill("SIGTERM");
  await once(first, "exit");
  const second = run(["start", "--home", home.path, "--user", "bob"], { CHOIR_SERVER_PORT: "0" });
  const [aside, [exit]] = await Promise.all([textOf(second.stderr), once(second, "exit")]);
  expect(exit).toBe(1);
  expect(aside).toContain("belongs to ada");
  expect(home.computers()).toEqual(["ada"]);
});

test("a disk that takes no output is named", async () => {
  const child = spawn("sh", ["-c", 'exec "$0" "$@" > /dev/full', process.execPath, MAIN, "--version"]);
  const [aside, [exit]] = await Promise.all([textOf(child.stderr), once(child, "exit")]);
  expect({ aside, exit }).toEqual({ aside: expect.stringMatching(/^choir: can't write the result: .*\n$/), exit: 1 });
});

test("a wrong configuration stops the start with every line that is wrong, and makes nothing", async () => {
  const home = tempHome();
  const child = startOn(home, { CHOIR_SERVER_PORT: "http", CHOIR_LOG_ENGINE: "nats" });
  const [aside, [exit]] = await Promise.all([textOf(child.stderr), once(child, "exit")]);
  expect(exit).toBe(1);
  expect(aside).toContain('CHOIR_SERVER_PORT is "http": must be a whole number from 0 to 65535');
  expect(aside).toContain("isn't built yet");
  expect(home.computers()).toEqual([]);
});

test("output that nobody reads to its end is no error", async () => {
  const home = await homeWith(...Array.from({ length: 2000 }, (_, i) => said(`line ${i} ${"x".repeat(100)}`)));
  const child = run(["events", "--home", home.path]);
  await firstLine(child);
  child.stdout?.destroy();
  const [aside, [exit]] = await Promise.all([textOf(child.stderr), once(child, "exit")]);
  expect({ aside, exit }).toEqual({ aside: "", exit: 0 });
});

test("what was piped in comes out of a pipe, byte for byte", async () => {
  const home = tempHome();
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 31) % 256));
  const writer = run(["write", "photo.bin", "--home", home.path, "--user", "ada"]);
  writer.stdin?.end(bytes);
  expect(await once(writer, "exit")).toEqual([0, null]);
  const reader = run(["cat", "photo.bin", "--home", home.path]);
  const chunks: Buffer[] = [];
  for await (const chunk of reader.stdout ?? []) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
});

test("a write that is refused doesn't wait for the end of its input", async () => {
  const home = await homeWith();
  const child = run(["write", "a.txt", "--home", home.path, "--user", "bob"]);
  child.stdin?.write("there is more to come");
  const [aside, [exit]] = await Promise.all([textOf(child.stderr), once(child, "exit")]);
  expect({ aside, exit }).toEqual({ aside: expect.stringContaining("there is no computer 'bob'"), exit: 1 });
});

test("Ctrl-C ends a write that waits for its input with 130, and nothing was written", async () => {
  const home = await homeWith();
  const child = run(["write", "a.txt", "--home", home.path]);
  child.stdin?.write("half");
  await held(home.storeOf("ada"));
  child.kill("SIGINT");
  const [aside, ended] = await Promise.all([textOf(child.stderr), once(child, "exit")]);
  expect({ aside, ended }).toEqual({ aside: "choir: stopped; nothing has happened\n", ended: [130, null] });
  expect((await choir(home, ["events", "--json"])).out.trimEnd().split("\n")).toHaveLength(1);
});

test("a file that nobody reads to its end is no error", async () => {
  const home = tempHome();
  const input = Buffer.alloc(3_000_000, "x");
  expect((await choir(home, ["write", "big", "--user", "ada"], { input })).exit).toBe(0);
  const child = run(["cat", "big", "--home", home.path]);
  if (child.stdout === null) throw new Error("its output is not piped");
  await once(child.stdout, "data");
  child.stdout.destroy();
  const [aside, [exit]] = await Promise.all([textOf(child.stderr), once(child, "exit")]);
  expect({ aside, exit }).toEqual({ aside: "", exit: 0 });
});

/** Resolves once somebody writes to the store: they leave their card. */
async function held(store: string): Promise<void> {
  for await (const { filename } of watch(store)) if (filename === "writer.json") return;
}

test("commands that write at once take turns, also where the first of them makes the home", async () => {
  const home = tempHome();
  const names = ["a", "b", "c", "d", "e"];
  const writers = names.map(async (name) => {
    const child = run(["write", name, "--home", home.path, "--user", "ada"]);
    child.stdin?.end(name);
    const [said, [exit]] = await Promise.all([textOf(child.stderr), once(child, "exit")]);
    return { exit, said };
  });
  expect(await Promise.all(writers)).toEqual(names.map(() => ({ exit: 0, said: "" })));
  expect((await choir(home, ["events"])).out.trimEnd().split("\n")).toHaveLength(names.length + 1);
}, 90_000); // on a busy machine each of them takes its time
