import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox } from "@choiros/sandbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AskedLimits } from "../operations/index.ts";
import { type Person, type TempGateway, tempGateway } from "../testing/temp-gateway.ts";

const runDir = mkdtempSync(join(tmpdir(), "choir-run-"));
let stage: TempGateway;
let ada: Person;

beforeAll(async () => {
  stage = await tempGateway(["ada"], { sandbox: (root) => openSandbox({ root, runDir }) });
  ada = await stage.signIn("ada");
  const computer = await stage.computer("ada");
  await computer.write("workspace/a", Buffer.from("one\n"));
  await computer.write("workspace/a", Buffer.from("two\n"));
});
afterAll(async () => {
  await stage.close();
  rmSync(runDir, { recursive: true, force: true });
});

type Line = { item?: unknown; output?: string; aside?: string; answer?: unknown; problem?: unknown };

function linesOf(body: string): Line[] {
  return body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function look(path: string): Promise<Line[]> {
  const answer = await stage.ask({ url: `/api/computers/ada/${path}`, headers: ada.desk });
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
  return linesOf(answer.body);
}

function act(path: string, payload: object) {
  return stage.ask({ method: "POST", url: `/api/computers/ada/${path}`, headers: ada.desk, payload });
}

test("WEB-10: a list is a line of JSON for each item, and the answer last", async () => {
  const events = await look("events?from=2");
  expect(events.at(-1)).toEqual({ answer: null });
  expect(events.slice(0, -1).every(({ item }) => item !== undefined)).toBe(true);
  expect(await look("files?key=workspace")).toMatchObject([{ item: { key: "workspace/a" } }, { answer: { count: 1 } }]);
  expect(await look("histories")).toContainEqual({ item: { key: "workspace/a", versions: "2f4 3f4" } });
  expect((await look("history?key=workspace/a")).length).toBe(3);
});

test("WEB-36: over HTTP events are asked for from the end backwards, by source, path and time", async () => {
  const seqsOf = async (query: string) =>
    (await look(`events?${query}`)).flatMap(({ item }) => (item === undefined ? [] : [Object(item).event.seq]));
  expect((await seqsOf("newest=true&limit=2")).length).toBe(2);
  expect(await seqsOf("newest=true&key=workspace/a&to=3")).toEqual([3, 2]);
  expect(await seqsOf("source=user&to=3")).toEqual([2, 3]);
  expect(await seqsOf("since=2999-01-01T00:00:00Z")).toEqual([]);
  const wrong = await stage.ask({ url: "/api/computers/ada/events?source=nobody", headers: ada.desk });
  expect(wrong.statusCode).toBe(400);
});

test("WEB-37: over HTTP a directory is listed without what is deeper, and has to be named", async () => {
  const [line] = await look("files?key=workspace&deep=false");
  expect(line).toMatchObject({ item: { key: "workspace/a", ts: expect.stringMatching(/^20\d\d-/) } });
  const wrong = await stage.ask({ url: "/api/computers/ada/files?deep=false", headers: ada.desk });
  expect(wrong.statusCode).toBe(400);
});

test("WEB-10: what is wrong before the first line is a problem with a status; the request's id is in it", async () => {
  const answer = await stage.ask({ url: "/api/computers/ada/diff?from=999", headers: ada.desk });
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([422, "application/problem+json; charset=utf-8"]);
  expect(answer.json()).toMatchObject({
    detail: expect.stringContaining("there is no event 999"),
    instance: `urn:request:${answer.headers["x-request-id"]}`,
  });
});

test("WEB-11: an action answers with what came of it", async () => {
  expect((await act("remove", { key: "workspace/a" })).json()).toMatchObject({ ok: true });
  const undone = await act("undo", { target: { since: 3 } });
  expect(undone.json()).toMatchObject({ ok: true });
  expect((await act("remove", { key: "workspace/none" })).statusCode).toBe(404);
  expect((await act("remove", { key: "other/x" })).statusCode).toBe(422);
  expect((await act("remove", {})).statusCode).toBe(400);
});

test("WEB-12: a command's output comes as it is written, in base64, and how it ended last", async () => {
  const argv = ["sh", "-c", "cat; printf 'to\\377one side' >&2; echo made > made; exit 3"];
  const answer = await act("exec", { argv, stdin: Buffer.from("typed").toString("base64") });
  const lines = linesOf(answer.body);
  const said = (from: "output" | "aside") =>
    Buffer.concat(lines.map((line) => Buffer.from(line[from] ?? "", "base64"))).toString("latin1");
  expect([said("output"), said("aside")]).toEqual(["typed", "to\xffone side"]);
  expect(lines.at(-1)).toMatchObject({ answer: { ok: true, exit: 3, how: "exited" } });
  expect((await stage.computer("ada").then((computer) => computer.read("workspace/made")))?.entry.kind).toBe("file");
});

test("WEB-12: whoever goes away stops the command, and what it did is not kept", async () => {
  const computer = await stage.computer("ada");
  const headers = { ...ada.desk, "content-type": "application/json" };
  const options = { port: stage.port, host: "127.0.0.1", method: "POST", path: "/api/computers/ada/exec", headers };
  const asked = request(options);
  asked.end(JSON.stringify({ argv: ["sh", "-c", "echo x > half; echo begun; sleep 1000"] }));
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  await once(answer, "data");
  const ended = new AbortController();
  asked.on("error", () => {});
  asked.destroy();
  for await (const event of computer.log.subscribe({ from: (await computer.log.head()).seq, signal: ended.signal }))
    if (event.type === "tool.result") break;
  expect(await computer.read("workspace/half")).toBeUndefined();
});

test("WEB-13: a computer can be verified, and its state made again, from the console alone", async () => {
  expect((await look("verify")).at(-1)).toMatchObject({ answer: { ok: true } });
  const rebuild = (headers: Record<string, string>) =>
    stage.ask({ method: "POST", url: "/api/computers/ada/rebuild", headers });
  expect((await rebuild({ ...ada.desk })).statusCode).toBe(403);
  expect(linesOf((await rebuild({ ...ada.console })).body)).toMatchObject([{ answer: { hash: expect.any(String) } }]);
});

test("WEB-15: settings are changed by name, stand as they stood at any moment, and can be taken back", async () => {
  const url = "/api/computers/ada/settings";
  const change = (values: object) => stage.ask({ method: "PATCH", url, headers: ada.desk, payload: { values } });
  const settings = async (at = "") => (await stage.ask({ url: url + at, headers: ada.desk })).json().values;
  const { seq } = (await change({ theme: "dark", size: { width: 3 } })).json();
  await change({ theme: "light", size: null });
  expect([await settings(), await settings(`?at=${seq}`)]).toEqual([
    { theme: "light" },
    { size: { width: 3 }, theme: "dark" },
  ]);
  await act("undo", { target: { seq: seq + 1 } });
  expect(await settings()).toEqual({ size: { width: 3 }, theme: "dark" });
  expect((await change({ theme: "dark" })).json()).toMatchObject({ ok: false, reason: "nothing" });
  expect((await change({ "window.x": 1 })).statusCode).toBe(422);
  expect((await stage.ask({ url: `${url}?at=9999`, headers: ada.desk })).statusCode).toBe(422);
});

test("WEB-14: many requests over one connection leave nothing behind on it", async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error) => warnings.push(warning);
  process.on("warning", hear);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let i = 0; i < 30; i++) {
    const options = { port: stage.port, host: "127.0.0.1", agent, path: "/api/computers/ada/files", headers: ada.desk };
    const [answer] = (await once(request(options).end(), "response")) as [IncomingMessage];
    answer.resume();
    await once(answer, "end");
  }
  agent.destroy();
  process.off("warning", hear);
  expect(warnings.map(({ message }) => message)).toEqual([]);
});

test("WEB-17: a desk's command reaches no network; the console's may", async () => {
  const payload = { argv: ["true"], egress: ["example.org"] };
  const fromDesk = await act("exec", payload);
  expect([fromDesk.statusCode, fromDesk.json().detail]).toEqual([403, expect.stringContaining("reaches no network")]);
  const url = "/api/computers/ada/exec";
  const fromConsole = await stage.ask({ method: "POST", url, headers: ada.console, payload });
  expect([fromConsole.statusCode, linesOf(fromConsole.body).at(-1)]).toMatchObject([200, { answer: { exit: 0 } }]);
});

test("WEB-19: a command that asks for more than the configuration allows gets that, and no more", async () => {
  const small = await tempGateway(["ada"], {
    sandbox: (root) => openSandbox({ root, runDir }),
    most: { memoryBytes: 2 ** 30, timeMs: 300 },
  });
  try {
    const person = await small.signIn("ada");
    for (const headers of [person.console, person.desk]) {
      const payload = { argv: ["sleep", "1000"], limits: { timeMs: 3_600_000 } };
      const answer = await small.ask({ method: "POST", url: "/api/computers/ada/exec", headers, payload });
      expect(linesOf(answer.body).at(-1)).toMatchObject({ answer: { how: "limit", limit: "time" } });
    }
  } finally {
    await small.close();
  }
});

test.each([0, -1, 1.5, null])("WEB-19: %s is no limit, and runs nothing", async (limit) => {
  const { seq } = await (await stage.computer("ada")).log.head();
  for (const name of ["memoryBytes", "timeMs"]) {
    expect((await act("exec", { argv: ["true"], limits: { [name]: limit } })).statusCode).toBe(400);
    expect(AskedLimits.safeParse({ [name]: limit }).success).toBe(false); // which the socket asks
  }
  expect((await (await stage.computer("ada")).log.head()).seq).toBe(seq);
});

test("WEB-16: only the server's owner allows something for good, which holds for all its computers", async () => {
  await stage.accounts.add("bob", "member");
  const bob = await stage.signIn("bob");
  for (const { id, console } of [bob, ada]) {
    const { log } = await stage.computer(id);
    await log.append({ source: "agent", type: "approval.asked", payload: { approval: "p9", covers: "network *" } });
    const { seq } = await log.head();
    const answer = (decision: string) =>
      stage.ask({ method: "POST", url: `/api/computers/${id}/approvals/p9`, headers: console, payload: { decision } });
    const given = await answer("always");
    if (id === "ada") return expect(given.json()).toMatchObject({ ok: true, seq: seq + 1 });
    expect([given.statusCode, given.json().detail]).toEqual([
      403,
      expect.stringMatching(
        /^Only the owner of this server can allow something for good.*Allow it once or for this task/,
      ),
    ]);
    expect((await log.head()).seq).toBe(seq);
    expect((await answer("task")).statusCode).toBe(200);
  }
});

test("WEB-16: an approval comes with the whole of what it is for, as far as that can be read", async () => {
  const computer = await stage.computer("ada");
  const { contents, log } = computer;
  const [small, large] = [Buffer.from('bash {"command":"true"}'), Buffer.alloc(64 * 1024 + 1, "x")];
  for (const [approval, bytes] of [
    ["small", small],
    ["large", large],
  ] as const) {
    const payload = { approval, covers: "tool bash", whole: await contents.put(bytes) };
    await log.append({ source: "agent", type: "approval.asked", payload });
  }
  const items = (await look("unfinished")).flatMap(({ item }) => (item === undefined ? [] : [item]));
  expect(items).toMatchObject([{ whole: String(small) }, { event: { payload: { approval: "large" } } }]);
  expect(items[1]).not.toHaveProperty("whole");
  for (const one of ["small", "large"]) await computer.answer(one, "denied");
});

test("WEB-16: an approval that waits is in the list until the console has answered it; the desk can't", async () => {
  const { log } = await stage.computer("ada");
  const payload = { approval: "p1", covers: "the network" };
  await log.append({ source: "agent", type: "approval.asked", payload });
  const { seq } = await log.head();
  expect(await look("unfinished")).toMatchObject([{ item: { event: { payload } } }, { answer: { seq } }]);
  const answer = (headers: Record<string, string>, decision = "once") =>
    stage.ask({ method: "POST", url: "/api/computers/ada/approvals/p1", headers, payload: { decision } });
  expect((await answer(ada.desk)).statusCode).toBe(403);
  expect((await answer(ada.console, "perhaps")).statusCode).toBe(400);
  const given = await answer(ada.console);
  expect([given.statusCode, given.json()]).toMatchObject([200, { ok: true, seq: seq + 1 }]);
  expect(await look("unfinished")).toEqual([{ answer: { seq: seq + 1 } }]);
  const again = await answer(ada.console, "denied");
  expect([again.statusCode, again.json().message]).toEqual([404, expect.stringContaining("no approval 'p1' waits")]);
});
