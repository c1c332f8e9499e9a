import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { write } from "@choiros/gateway/operations";
import { openStore } from "@choiros/log";
import { expect, test } from "vitest";
import { FolderAccess } from "../access/folder-access.ts";
import { FolderPlace } from "../access/folder-place.ts";
import { configOf } from "../config/load.ts";
import type { Home } from "../home.ts";
import { serve } from "../testing/served-home.ts";
import { choir, tempHome } from "../testing/temp-home.ts";

keepThreads();

const wrote = (home: Home, path: string, text: string) =>
  choir(home, ["write", path, "--user", "ada"], { input: text });

async function hold(home: Home, who: string) {
  const opened = await openStore({ dir: home.storeOf("ada"), userId: "ada", mode: "write", who });
  if (!opened.ok) throw new Error(opened.message);
  return opened.store;
}

test("the first command that writes makes the home and its owner; one that reads says what to do", async () => {
  const home = tempHome();
  for (const words of [["files"], ["cat", "a"], ["history", "a"], ["diff", "0"], ["rebuild"], ["export", "x.choir"]]) {
    const { exit, aside } = await choir(home, words);
    expect({ words, exit, aside }).toEqual({ words, exit: 1, aside: expect.stringContaining("'choir write PATH'") });
  }
  expect(home.computers()).toEqual([]);
  expect((await wrote(home, "a.txt", "a")).exit).toBe(0);
  expect({ owner: home.owner(), noted: existsSync(home.ownerNote) }).toEqual({ owner: "ada", noted: true });
  expect((await choir(home, ["cat", "a.txt"])).out).toBe("a"); // the owner's, unless told
});

test("a wrong path makes no home", async () => {
  const home = tempHome();
  expect((await wrote(home, "../x", "x")).exit).toBe(2);
  expect(home.computers()).toEqual([]);
});

test("a command waits a moment for another one to be done", async () => {
  const home = tempHome();
  await wrote(home, "a.txt", "a");
  const store = await hold(home, "choir add");
  const second = wrote(home, "b.txt", "b");
  await delay(150);
  await store.close();
  expect((await second).exit).toBe(0);
});

test("a command that has waited long enough says who is at it", async () => {
  const home = tempHome();
  await wrote(home, "a.txt", "a");
  const store = await hold(home, "choir add");
  const work = { progress() {}, signal: new AbortController().signal };
  const place = new FolderPlace(home, "ada", {
    env: {},
    config: () => configOf(home.path, {}),
    create: false,
    who: "choir write",
    work,
    patienceMs: 150,
    onNotice() {},
  });
  const opened = await place.openComputer();
  await store.close();
  expect(opened).toMatchObject({ ok: false, message: expect.stringContaining(`'choir add' (process ${process.pid}`) });
});

test("a command that finds a server at it, which wasn't there before, asks the server", async () => {
  const home = tempHome();
  const early = new FolderAccess(home, {}, () => {}); // nobody answered at the socket yet
  await serve(home);
  const outcome = await early.run(
    write,
    "ada",
    { key: "workspace/a.txt" },
    {
      input: Readable.from([Buffer.from("a")]),
      output: async () => {},
      aside: async () => {},
      item: async () => {},
      progress() {},
      signal: new AbortController().signal,
    },
  );
  expect(outcome).toMatchObject({ ok: true, seq: 2 });
  expect((await choir(home, ["cat", "a.txt"])).out).toBe("a");
});

test("Ctrl-C ends the waiting", async () => {
  const home = tempHome();
  await wrote(home, "a.txt", "a");
  const store = await hold(home, "choir add");
  const stop = new AbortController();
  const waiting = choir(home, ["write", "b.txt"], { input: "b", signal: stop.signal });
  stop.abort();
  expect((await waiting).exit).toBe(130);
  await store.close();
});

test("while another process is at it, events, verify and status still tell what can be told", async () => {
  const home = tempHome();
  await wrote(home, "a.txt", "a");
  const store = await hold(home, "choir add");
  expect((await choir(home, ["events"])).exit).toBe(0);
  const status = await choir(home, ["status", "--json"]);
  expect(JSON.parse(status.out).computers).toEqual([expect.objectContaining({ id: "ada", events: 2, blocked: null })]);
  const { exit, out } = await choir(home, ["verify"]);
  await store.close();
  expect(exit).toBe(1);
  expect(out).toMatch(/Log: 2 events, whole.*\nContents: 1 .* whole\nState and folder: .*'choir add'/);
});

test.each([["verify"], ["doctor"], ["events"]])(
  "what somebody else did to the folder is no damage: '%s' takes it up first",
  async (command) => {
    const home = tempHome();
    await wrote(home, "a.txt", "a");
    writeFileSync(join(home.rootOf("ada"), "workspace/a.txt"), "changed by an editor");
    execFileSync("mkfifo", [join(home.rootOf("ada"), "workspace/pipe")]);
    const { exit, out, aside } = await choir(home, [command]);
    expect({ exit, all: out + aside }).toEqual({ exit: 0, all: expect.stringContaining("FIFO") });
    const { out: events } = await choir(home, ["events", "--from", "-1"]);
    expect(events).toMatch(/^ {5}3 .* files\.changed .*a\.txt\n$/);
  },
);

test("what a running server hasn't heard of yet is no damage either", async () => {
  const home = tempHome();
  await serve(home);
  for (let i = 0; i < 3; i++) {
    writeFileSync(join(home.rootOf("ada"), "workspace/a.txt"), `${i}`);
    expect((await choir(home, ["verify"])).exit).toBe(0);
  }
});

test("a state that is damaged is made again, and that is said", async () => {
  const home = tempHome();
  await wrote(home, "a.txt", "a");
  writeFileSync(join(home.storeOf("ada"), "state.sqlite"), "no database".repeat(1000));
  const { exit, out, aside } = await choir(home, ["files"]);
  expect({ exit, out }).toEqual({ exit: 0, out: expect.stringContaining("a.txt") });
  expect(aside).toContain("state.sqlite");
});

test("a server that stops in the middle of a write ends it, and nothing has happened", async () => {
  const home = tempHome();
  const server = await serve(home);
  await wrote(home, "a.txt", "whole");
  const closed = Promise.withResolvers<void>();
  async function* input() {
    yield Buffer.alloc(100_000, "x");
    server.close().then(closed.resolve, closed.reject);
    await new Promise(() => {});
  }
  const { exit, aside } = await choir(home, ["write", "a.txt"], { input: input() });
  expect({ exit, aside }).toEqual({ exit: 1, aside: expect.stringContaining("the server has gone away") });
  await closed.promise;
  expect((await choir(home, ["cat", "a.txt"])).out).toBe("whole");
  expect(readFileSync(join(home.rootOf("ada"), "workspace/a.txt"), "utf8")).toBe("whole");
  expect((await choir(home, ["verify"])).exit).toBe(0);
});

test("what a server has taken is there when it has stopped", async () => {
  const home = tempHome();
  const server = await serve(home);
  for (let i = 0; i < 5; i++) expect((await wrote(home, `${i}.txt`, `${i}`)).exit).toBe(0);
  await server.close();
  for (let i = 0; i < 5; i++) expect((await choir(home, ["cat", `${i}.txt`])).out).toBe(`${i}`);
});
