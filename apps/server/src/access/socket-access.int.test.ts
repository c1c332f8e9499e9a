import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Operation, operation, type Place, type Work } from "@choiros/gateway/operations";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { serveOperation } from "../server/serve-operation.ts";
import { SocketAccess } from "./socket-access.ts";

const MB = 1024 * 1024;
/** Nothing here opens a computer: this is about what goes over the wire. */
const nowhere: Place = {
  userId: "ada",
  root: "",
  store: "",
  use: () => () => {},
  takeUp: async () => {},
  openStore: () => Promise.reject(new Error("there is none")),
  openComputer: () => Promise.reject(new Error("there is none")),
  unsafe: async () => false,
};

interface Wired {
  readonly access: SocketAccess;
  readonly server: Server;
  readonly stopping: AbortController;
}

/** A server that runs one operation, whatever it is asked. */
async function wire(served: Operation<unknown, unknown, unknown>): Promise<Wired> {
  const folder = mkdtempSync(join(tmpdir(), "choir-wire-"));
  const stopping = new AbortController();
  const server = createServer((request, response) => {
    void serveOperation(served, nowhere, { request, response, stopping: stopping.signal });
  });
  const socket = join(folder, "s");
  server.listen(socket);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { access: new SocketAccess(socket), server, stopping };
}

function work(parts: Partial<Work<unknown>> = {}): Work<unknown> {
  return {
    input: (async function* () {})(),
    output: async () => {},
    aside: async () => {},
    item: async () => {},
    progress: () => {},
    signal: new AbortController().signal,
    ...parts,
  };
}

const any = { name: "any", request: z.unknown(), item: z.unknown(), answer: z.unknown() };

/** Long enough for everything that isn't held back to have gone through. */
async function settled(count: () => number): Promise<number> {
  for (let quiet = 0, last = -1; quiet < 200; ) {
    await new Promise((resolve) => setImmediate(resolve));
    quiet = count() === last ? quiet + 1 : 0;
    last = count();
  }
  return count();
}

test("request, input, items, bytes, progress and the answer all come through, in order", async () => {
  const echo = operation({
    ...any,
    async run(_place, request, { input, item, output, progress }) {
      let read = 0;
      for await (const bytes of input) read += bytes.length;
      progress({ what: "bytes", done: read, total: read });
      await item({ request });
      await output(Buffer.from("raw\0bytes"));
      await item("last");
      return { read };
    },
  });
  const { access } = await wire(echo);
  const seen: unknown[] = [];
  const answer = await access.run(
    echo,
    "ada",
    { n: 1 },
    {
      ...work(),
      input: (async function* () {
        yield Buffer.alloc(3 * MB);
        yield Buffer.alloc(1);
      })(),
      item: async (value) => void seen.push(value),
      output: async (bytes) => void seen.push(Buffer.from(bytes).toString()),
      progress: (progress) => void seen.push(progress),
    },
  );
  expect(answer).toEqual({ read: 3 * MB + 1 });
  expect(seen).toEqual([
    { what: "bytes", done: 3 * MB + 1, total: 3 * MB + 1 },
    { request: { n: 1 } },
    "raw\0bytes",
    "last",
  ]);
});

test("a reader that is slow holds the server back: what nobody has read stays unmade", async () => {
  let made = 0;
  const endless = operation({
    ...any,
    async run(_place, _request, { output, signal }) {
      for (; !signal.aborted; made++) await output(Buffer.alloc(MB));
      return null;
    },
  });
  const { access } = await wire(endless);
  const stop = new AbortController();
  const output = () => new Promise<void>(() => {}); // takes the first bytes, and is busy with them for good
  const running = access.run(endless, "ada", null, work({ output, signal: stop.signal }));
  expect(await settled(() => made)).toBeLessThan(10);
  stop.abort();
  void running.catch(() => {});
});

test("a server that is slow holds the input back", async () => {
  const lazy = operation({ ...any, run: () => new Promise<never>(() => {}) });
  const { access } = await wire(lazy);
  const stop = new AbortController();
  let read = 0;
  async function* endless() {
    for (; ; read++) yield Buffer.alloc(MB);
  }
  const running = access.run(lazy, "ada", null, work({ input: endless(), signal: stop.signal }));
  expect(await settled(() => read)).toBeLessThan(10);
  stop.abort();
  await expect(running).rejects.toThrow();
});

test("who goes away stops the work on the server", async () => {
  const stopped = Promise.withResolvers<void>();
  const waiting = operation({
    ...any,
    async run(_place, _request, { item, signal }) {
      await item("under way");
      await once(signal, "abort");
      stopped.resolve();
      return null;
    },
  });
  const { access } = await wire(waiting);
  const stop = new AbortController();
  const item = async () => stop.abort();
  await expect(access.run(waiting, "ada", null, work({ item, signal: stop.signal }))).rejects.toThrow();
  await stopped.promise;
});

test("an input that breaks off is an error to whoever reads it, never an end", async () => {
  const begun = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<unknown>();
  const reading = operation({
    ...any,
    async run(_place, _request, { input }) {
      try {
        for await (const _ of input) begun.resolve();
        heard.resolve("an end");
      } catch (error) {
        heard.resolve(error);
      }
      return null;
    },
  });
  const { access } = await wire(reading);
  async function* broken() {
    yield Buffer.from("half");
    await begun.promise;
    throw new Error("the pipe burst");
  }
  await expect(access.run(reading, "ada", null, work({ input: broken() }))).rejects.toThrow("the pipe burst");
  expect(await heard.promise).toBeInstanceOf(Error);
});

test("an answer that comes before the input was read is an answer", async () => {
  const early = operation({ ...any, run: async () => "no need to go on" });
  const { access } = await wire(early);
  async function* endless() {
    for (;;) yield Buffer.alloc(MB);
  }
  for (let i = 0; i < 5; i++) {
    expect(await access.run(early, "ada", null, work({ input: endless() }))).toBe("no need to go on");
  }
});

test("a connection that breaks is an error, and says where to look", async () => {
  const waiting = operation({
    ...any,
    async run(_place, _request, { item }) {
      await item("under way");
      return new Promise<never>(() => {});
    },
  });
  const { access, server } = await wire(waiting);
  const item = async () => server.closeAllConnections();
  await expect(access.run(waiting, "ada", null, work({ item }))).rejects.toThrow("the server has gone away");
});

test("what fails on the server fails here with the same sentence", async () => {
  const failing = operation({
    ...any,
    run: () => Promise.reject(new Error("the disk is full")),
  });
  const { access } = await wire(failing);
  await expect(access.run(failing, "ada", null, work())).rejects.toThrow(/^the disk is full$/);
});

test("what this command takes for something else is told from what went wrong", async () => {
  const newer = operation({ ...any, run: async () => ({ of: "another version" }) });
  const { access } = await wire(newer);
  const older = { ...newer, answer: z.string() };
  await expect(access.run(older, "ada", null, work())).rejects.toThrow("of another version than this command");
});

test("a request that the server doesn't understand is refused, and nothing is run", async () => {
  let ran = false;
  const strict = operation({
    ...any,
    request: z.strictObject({ key: z.string() }),
    async run() {
      ran = true;
      return null;
    },
  });
  const { access } = await wire(strict);
  const loose = { ...strict, request: z.unknown() };
  await expect(access.run(loose, "ada", { key: 1 }, work())).rejects.toThrow("of another version than this command");
  expect(ran).toBe(false);
});
