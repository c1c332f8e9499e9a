import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CANARY, hostilePaths, plantOutside, plantTraps } from "@choiros/computer/testing/hostile-paths";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DESK_COOKIE } from "../asker.ts";
import { type Person, type TempGateway, tempGateway } from "../testing/temp-gateway.ts";

let stage: TempGateway;
let ada: Person;

beforeAll(async () => {
  stage = await tempGateway(["ada"], { limits: { idleMs: 300, takenMs: 2000, uploadBytes: 2 * 1024 * 1024 } });
  ada = await stage.signIn("ada");
});
afterAll(() => stage.close());

const file = (key: string) => `/api/computers/ada/file/${key.split("/").map(encodeURIComponent).join("/")}`;
const get = (key: string, headers: Record<string, string> = {}, query = "") =>
  stage.ask({ url: file(key) + query, headers: { ...ada.console, ...headers } });
const put = (key: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  stage.ask({ method: "PUT", url: file(key), headers: { ...ada.console, ...headers }, payload });
const tag = (text: string | Buffer) => `"${createHash("sha256").update(text).digest("hex")}"`;
const head = async () => (await (await stage.computer("ada")).log.head()).seq;

test("WEB-1: bytes come back as they were put, with their hash, mode and length", async () => {
  const bytes = randomBytes(300_000);
  const done = await put("workspace/a/b ü.bin", bytes, { "x-mode": "0755", "content-type": "application/json" });
  expect([done.statusCode, done.json()]).toMatchObject([200, { ok: true, changed: expect.any(Number) }]);
  const got = await get("workspace/a/b ü.bin");
  expect(got.rawPayload.equals(bytes)).toBe(true);
  expect(got.headers).toMatchObject({
    etag: tag(bytes),
    "x-mode": "0755",
    "content-length": "300000",
    "x-kind": "file",
  });
});

test("WEB-1: an empty file is a file, also where no body is sent at all", async () => {
  expect((await put("workspace/empty", "")).json()).toMatchObject({ ok: true });
  const got = await get("workspace/empty");
  expect([got.statusCode, got.body, got.headers["content-length"]]).toEqual([200, "", "0"]);
});

test("WEB-1: HEAD says what GET would, and sends nothing", async () => {
  await put("workspace/h.txt", "hello");
  const asked = { url: file("workspace/h.txt"), headers: ada.console };
  const [one, other] = [await stage.ask(asked), await stage.ask({ ...asked, method: "HEAD" })];
  const said = ({ date: _, "x-request-id": __, ...headers }: Record<string, unknown>) => headers;
  expect([other.statusCode, other.body, said(other.headers)]).toEqual([200, "", said(one.headers)]);
});

test("WEB-1: a file as it was at any moment; none before it was there, or after the last event", async () => {
  await put("workspace/v", "one");
  const seq = await head();
  await put("workspace/v", "two");
  expect((await get("workspace/v", {}, `?at=${seq}`)).body).toBe("one");
  expect((await get("workspace/v")).body).toBe("two");
  expect((await get("workspace/v", {}, "?at=1")).statusCode).toBe(404);
  expect((await get("workspace/v", {}, `?at=${(await head()) + 1}`)).statusCode).toBe(404);
});

test("WEB-1: what isn't there, and a directory, are not found; who asks with `maybe` is answered that there is none", async () => {
  await put("workspace/d/x", "x");
  for (const key of ["workspace/none", "workspace/d", "workspace", "none"]) {
    expect((await get(key)).statusCode, key).toBe(404);
    const answer = await get(key, {}, "?maybe=1");
    expect([answer.statusCode, answer.body, answer.headers["cache-control"]], key).toEqual([204, "", "no-store"]);
  }
  expect((await get("workspace/d/x", {}, "?maybe=1")).body).toBe("x");
});

test("WEB-2: a part of a large file is that part", async () => {
  const bytes = randomBytes(2_000_000);
  await put("workspace/large", bytes);
  for (const [range, from, to] of [
    ["bytes=0-9", 0, 10],
    ["bytes=1500000-", 1_500_000, 2_000_000],
    ["bytes=-1", 1_999_999, 2_000_000],
    ["bytes=65535-1065536", 65_535, 1_065_537],
  ] as const) {
    const got = await get("workspace/large", { range });
    expect(got.statusCode).toBe(206);
    expect(got.headers["content-range"]).toBe(`bytes ${from}-${to - 1}/2000000`);
    expect(got.rawPayload.equals(bytes.subarray(from, to)), range).toBe(true);
  }
});

test("WEB-2: a part beyond the end is refused, and one of another version is all of this one", async () => {
  await put("workspace/p", "0123456789");
  const beyond = await get("workspace/p", { range: "bytes=10-" });
  expect([beyond.statusCode, beyond.headers["content-range"]]).toEqual([416, "bytes */10"]);
  expect((await get("workspace/p", { range: "bytes=2-3", "if-range": tag("0123456789") })).body).toBe("23");
  expect((await get("workspace/p", { range: "bytes=2-3", "if-range": tag("x") })).body).toBe("0123456789");
});

test("WEB-3: whoever has this version already isn't sent it again", async () => {
  await put("workspace/tag", "same");
  const again = await get("workspace/tag", { "if-none-match": tag("same") });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  expect((await get("workspace/tag", { "if-none-match": tag("other") })).statusCode).toBe(200);
});

test("WEB-4: nothing of a user's runs in a page, whichever site it is loaded from", async () => {
  await put("workspace/x.html", "<script>alert(1)</script>");
  await put("workspace/x.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>");
  const token = ada.desk.authorization.slice("Bearer ".length);
  const loaded = { host: ada.desk.host, cookie: `${DESK_COOKIE}=${token}`, "sec-fetch-site": "same-origin" };
  for (const headers of [ada.console, loaded])
    for (const key of ["workspace/x.html", "workspace/x.svg"]) {
      const got = await stage.ask({ url: file(key), headers });
      expect(got.headers["content-security-policy"]).toMatch(/^default-src 'none'.* sandbox$/);
      expect(got.headers["x-content-type-options"]).toBe("nosniff");
      expect(got.headers["content-type"]).not.toContain("html");
    }
});

test("WEB-5: who wrote upon what stands no more loses nothing: both are kept, or put together", async () => {
  await put("workspace/m", "a\nb\nc\n");
  const base = { "if-match": tag("a\nb\nc\n") };
  await put("workspace/m", "A\nb\nc\n");
  expect((await put("workspace/m", "a\nb\nC\n", base)).json()).toMatchObject({ ok: true });
  expect((await get("workspace/m")).body).toBe("A\nb\nC\n");
  const other = (await put("workspace/m", "new", { "if-none-match": "*" })).json();
  expect(other).toMatchObject({ ok: true, beside: expect.stringContaining("workspace/m") });
});

test("WEB-5: who wants nothing beside is answered that it can't be put together, and nothing is written", async () => {
  await put("workspace/n", "a\n");
  const before = await head();
  const headers = { ...ada.console, "if-none-match": "*" };
  const answer = await stage.ask({ method: "PUT", url: `${file("workspace/n")}?maybe=1`, headers, payload: "b\n" });
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { ok: false, reason: "conflict" }]);
  expect([await head(), (await get("workspace/n")).body]).toEqual([before, "a\n"]);
});

test.each([{ "if-match": "*" }, { "if-match": '"x"' }, { "x-mode": "999" }, { "if-none-match": '"x"' }])(
  "WEB-5: a header that can't be meant is refused: %j",
  async (headers) => {
    const before = await head();
    expect((await put("workspace/bad", "x", headers as Record<string, string>)).statusCode).toBe(400);
    expect(await head()).toBe(before);
  },
);

test("WEB-6: a removed file is gone, and what isn't there can't be removed", async () => {
  await put("workspace/gone", "x");
  const remove = () => stage.ask({ method: "DELETE", url: file("workspace/gone"), headers: ada.console });
  expect((await remove()).json()).toMatchObject({ ok: true });
  expect((await get("workspace/gone")).statusCode).toBe(404);
  expect((await remove()).statusCode).toBe(404);
});

test("WEB-6: with If-Match only what was read is removed, and what somebody made of it since stays", async () => {
  await put("workspace/kept", "one");
  const remove = (match: string) =>
    stage.ask({ method: "DELETE", url: file("workspace/kept"), headers: { ...ada.console, "if-match": match } });
  await put("workspace/kept", "two");
  const before = await head();
  const refused = await remove(tag("one"));
  expect([refused.statusCode, refused.json()]).toMatchObject([412, { ok: false, reason: "conflict" }]);
  expect((await remove("*")).statusCode).toBe(400);
  expect([await head(), (await get("workspace/kept")).body]).toEqual([before, "two"]);
  expect((await remove(tag("two"))).statusCode).toBe(200);
  expect((await get("workspace/kept")).statusCode).toBe(404);
});

test("WEB-38: an upload that is sent again by its key does nothing twice, and one of another file is refused", async () => {
  const bytes = randomBytes(200_000);
  const first = (await put("workspace/once/a", bytes, { "idempotency-key": "save-1" })).json();
  expect(first).toMatchObject({ call: "save-1", ok: true });
  await put("workspace/once/a", "later");
  const again = await put("workspace/once/a", bytes, { "idempotency-key": "save-1" });
  expect([again.statusCode, again.json()]).toMatchObject([200, { call: "save-1", ok: true, seq: first.seq }]);
  expect((await get("workspace/once/a")).body).toBe("later");
  const other = await put("workspace/another/b", "b", { "idempotency-key": "save-1" });
  expect([other.statusCode, other.json()]).toMatchObject([422, { ok: false }]);
  expect((await put("workspace/a", "b", { "idempotency-key": "no id" })).statusCode).toBe(400);
});

test("WEB-38: an upload that is sent again while it is still under way does nothing twice, and each is answered", async () => {
  await put("workspace/at-once", "before");
  const before = await head();
  const bytes = randomBytes(200_000);
  const headers = { "idempotency-key": "save-3", "if-match": tag("before") };
  const answers = await Promise.all([1, 2, 3, 4].map(() => put("workspace/at-once", bytes, headers)));
  const seq = before + 1;
  for (const answer of answers)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { call: "save-3", ok: true, seq }]);
  expect(await head()).toBe(seq);
  expect((await get("workspace/at-once")).rawPayload.equals(bytes)).toBe(true);
});

test("WEB-38: uploads of one call are undone as one", async () => {
  for (const name of ["x", "y/z"]) {
    const done = await put(`workspace/drop/${name}`, name, { "idempotency-key": `up-${name[0]}`, "x-call": "drop-1" });
    expect(done.json()).toMatchObject({ call: "drop-1", ok: true });
  }
  const undo = { method: "POST", url: "/api/computers/ada/undo", headers: ada.console } as const;
  const undone = await stage.ask({ ...undo, payload: { target: { call: "drop-1" } } });
  expect(undone.json()).toMatchObject({ ok: true });
  expect((await get("workspace/drop/x")).statusCode).toBe(404);
  expect((await get("workspace/drop/y/z")).statusCode).toBe(404);
});

test("WEB-38: who sends an upload again is heard out, and not cut off in the middle of it", async () => {
  await put("workspace/again", randomBytes(1000), { "idempotency-key": "save-2" });
  const second = upload("workspace/again", 1_500_000, { "idempotency-key": "save-2" });
  second.write(randomBytes(500_000));
  setImmediate(() => second.end(randomBytes(1_000_000)));
  const [answer] = (await once(second, "response")) as [IncomingMessage];
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, "keep-alive"]);
  answer.resume();
});

/** A PUT over a real socket, whose body the test sends. */
function upload(key: string, length: number, more: Record<string, string> = {}) {
  const headers = { ...ada.console, ...more, "content-length": length };
  return request({ port: stage.port, host: "127.0.0.1", method: "PUT", path: file(key), headers });
}

test("WEB-7: an upload that is cut off half way has not happened", async () => {
  const before = await head();
  const cut = upload("workspace/cut", 10_000_000);
  cut.on("error", () => {});
  cut.write(randomBytes(1_000_000));
  await new Promise((sent) => cut.write(randomBytes(1000), sent));
  const closed = new Promise((resolve) => cut.on("close", resolve));
  cut.destroy();
  await closed;
  await put("workspace/after", "x"); // it waits for what came before
  expect((await get("workspace/cut")).statusCode).toBe(404);
  expect(await head()).toBeGreaterThan(before);
  expect(stage.reports).toEqual([]);
});

test("WEB-7: an upload that pauses for too long is given up and told, and has not happened", async () => {
  const slow = upload("workspace/slow", 1000);
  slow.write("a");
  const [answer] = (await once(slow, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(422);
  slow.destroy();
  expect((await get("workspace/slow")).statusCode).toBe(404);
  expect(stage.reports).toEqual([]);
});

test.each([
  ["says so before", { "content-length": 3_000_000 }],
  ["doesn't say so", { "transfer-encoding": "chunked" }],
])("WEB-7: an upload that is too large and %s is told what to do, and has not happened", async (_, how) => {
  const headers = { ...ada.console, ...how };
  const large = request({
    port: stage.port,
    host: "127.0.0.1",
    method: "PUT",
    path: file("workspace/large!"),
    headers,
  });
  large.on("error", () => {}); // the rest of it finds nobody
  if (!("content-length" in how)) for (let i = 0; i < 3; i++) large.write(randomBytes(1_000_000));
  else large.flushHeaders();
  const [answer] = (await once(large, "response")) as [IncomingMessage];
  const { detail } = JSON.parse(Buffer.concat(await answer.toArray()).toString());
  expect([answer.statusCode, answer.headers.connection]).toEqual([413, "close"]);
  expect(detail).toMatch(/^an upload has at most 2 MB here: nothing was done\. .*server\.upload_mb/);
  large.destroy();
  expect((await get("workspace/large!")).statusCode).toBe(404);
});

test("WEB-34: a download of which nobody takes anything is ended", async () => {
  const size = 40_000_000;
  await (await stage.computer("ada")).write("workspace/long", randomBytes(size));
  const asked = request({ port: stage.port, host: "127.0.0.1", path: file("workspace/long"), headers: ada.console });
  const connected = once(stage.app.server, "connection");
  asked.end();
  const [theirs] = (await connected) as [Socket];
  asked.on("response", () => {}); // and nobody reads it
  asked.on("error", () => {});
  await once(theirs, "close");
  expect(theirs.bytesWritten).toBeLessThan(size);
});

const agent = new Agent({ keepAlive: true });

/** The path as it is: whoever parses it first would take its dots out. */
async function overSocket(method: string, path: string): Promise<{ status: number; body: string }> {
  const asked = request({ port: stage.port, host: "127.0.0.1", agent, method, path, headers: ada.console });
  asked.end(method === "PUT" ? "w" : undefined);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, body: Buffer.concat(await answer.toArray()).toString() };
}

test("WEB-8: no path of the hostile corpus reads or writes outside, nor breaks the server", async () => {
  const outside = mkdtempSync(join(tmpdir(), "choir-outside-"));
  plantOutside(outside);
  const root = join(stage.folder, "users", "ada");
  mkdirSync(join(root, "workspace"), { recursive: true });
  const keys = [...hostilePaths(outside), ...plantTraps(root, outside)];
  await (await stage.computer("ada")).capture();
  const outsideBefore = treeOf(outside);
  expect(keys.length).toBeGreaterThan(500);
  const askAll = async (key: string) => {
    const raw = `/api/computers/ada/file/${key.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent)}`;
    for (const path of new Set([file(key.toWellFormed()), ...(key.includes("%") ? [raw] : [])]))
      for (const method of ["GET", "PUT", "DELETE"]) {
        const { status, body } = await overSocket(method, path);
        expect(status, `${method} ${path}`).toBeLessThan(500);
        expect(body.includes(CANARY), `${method} ${path}`).toBe(false);
      }
  };
  const left = keys.values(); // several at once: each waits for the disk
  await Promise.all(Array.from({ length: 24 }, () => Array.fromAsync(left, askAll)));
  agent.destroy();
  expect(treeOf(outside)).toEqual(outsideBefore);
  expect(readdirSync(stage.folder).sort()).toEqual([
    "accounts.sqlite",
    "accounts.sqlite-shm",
    "accounts.sqlite-wal",
    "console",
    "desk",
    "users",
  ]);
  rmSync(outside, { recursive: true });
}, 120_000);

function treeOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${readFileSync(path, "utf8")}`)
    .sort();
}
