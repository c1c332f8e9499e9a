import { afterAll, beforeAll, expect, test } from "vitest";
import { DESK_COOKIE } from "./asker.ts";
import { type Person, type TempGateway, tempGateway } from "./testing/temp-gateway.ts";

const PASSWORD = "correct horse battery staple";
const CONTENTS = "what-is-in-the-file-is-nobody-elses";
const NAME = "a-telling-name";
const lines: string[] = [];
let stage: TempGateway;
let ada: Person;
let secrets: string[];

beforeAll(async () => {
  stage = await tempGateway(["ada", "bob"], { log: { write: (line) => lines.push(line) } });
  ada = await stage.signIn("ada");
  const link = (await stage.accounts.link("bob")).token;
  const token = ada.desk.authorization.slice("Bearer ".length);
  const cookie = decodeURIComponent(ada.console.cookie.split("=").slice(1).join("="));
  secrets = [PASSWORD, CONTENTS, NAME, link, token, cookie, ada.console["x-choir-token"]];
});
afterAll(() => stage.close());

test("S6: neither logs nor errors nor addresses have a token, a cookie, a password, a name or contents in them", async () => {
  const errors: string[] = [];
  const hosts = [ada.console.host, ada.desk.host, `localhost:${stage.port}`, "evil.example"];
  for (const secret of secrets)
    for (const host of hosts)
      for (const headers of [
        { ...ada.console, host },
        { ...ada.desk, host, cookie: `${DESK_COOKIE}=${secret}` },
      ])
        for (const request of askedWith(secret)) {
          const answer = await stage.ask({ ...request, headers: { ...headers, ...request.headers } });
          if (answer.statusCode >= 400) errors.push(answer.body);
          errors.push(String(answer.headers.location ?? ""));
        }
  const everything = [...lines, ...errors, ...stage.reports.map(String)];
  const words = [...secrets, ...secrets.map(encodeURIComponent)];
  expect(everything.filter((text) => words.some((word) => text.includes(word)))).toEqual([]);
  expect(lines.length).toBeGreaterThan(200);
}, 120_000);

/** Requests that carry it where somebody might, by mistake or not. */
function askedWith(secret: string) {
  const word = encodeURIComponent(secret);
  const json = { "content-type": "application/json" };
  return [
    { url: `/?token=${word}`, headers: {} },
    { url: `/${word}`, headers: {} },
    { url: `/api/${word}?x=${word}`, headers: {} },
    { url: `/api/computers/ada/files?${word}=1`, headers: {} },
    { url: `/api/computers/ada/events?from=${word}`, headers: {} },
    { url: `/api/computers/ada/file/workspace/${word}%`, headers: {} },
    { url: `/api/computers/${word}/files`, headers: {} },
    {
      url: "/api/me",
      headers: { authorization: `Bearer ${secret}`, cookie: `choir-${stage.port}=${word}`, "x-choir-token": word },
    },
    { url: `/api/computers/ada/file/workspace/${word}`, method: "PUT" as const, payload: secret, headers: {} },
    { url: "/api/link", method: "POST" as const, payload: `{"token": "${secret}"`, headers: json },
    { url: "/api/link", method: "POST" as const, payload: { token: `${secret}x` }, headers: {} },
    { url: "/api/link", method: "POST" as const, payload: { [secret]: 1, token: 1 }, headers: {} },
    {
      url: "/api/auth/sign-in/username",
      method: "POST" as const,
      payload: { username: "ada", password: secret },
      headers: { origin: stage.sites.console },
    },
  ];
}

test("S6: of an error that Fastify itself logs, as of a stream that breaks, only the kind is told", () => {
  const error = Object.assign(new TypeError(`can't read ${NAME}`), { code: "EIO" });
  stage.app.log.warn({ err: error }, "broken");
  expect(lines.at(-1)).toContain('"err":{"name":"TypeError","code":"EIO"}');
  expect(lines.at(-1)).not.toContain(NAME);
});

test("WEB-30: a line of the log says which route, how it ended, how long it took and whose it was", async () => {
  const answer = await stage.ask({ url: "/api/computers/ada/files?key=workspace", headers: ada.console });
  const reqId = answer.headers["x-request-id"];
  const line = () => lines.map((text) => JSON.parse(text)).find((one) => one.reqId === reqId);
  const route = "/api/computers/:computer/files";
  const said = { account: "ada", method: "GET", ms: expect.any(Number), route, status: 200 };
  await expect.poll(line).toMatchObject(said); // it is written after the answer
});

test.each(["password", "sign-out"])("IN-4: a session's cookie alone does nothing by /api/auth/%s", async (what) => {
  const { console } = await stage.signIn("bob");
  const { "x-choir-token": token, ...session } = console;
  const ask = (headers: object) =>
    stage.ask({
      method: "POST",
      url: `/api/auth/${what}`,
      headers: { ...session, origin: `http://${session.host}`, ...headers },
      payload: what === "password" ? { password: "a long enough one" } : {},
    });
  expect((await ask({})).statusCode).toBe(403);
  expect((await stage.ask({ url: "/api/me", headers: session })).statusCode).toBe(200);
  expect((await ask({ "x-choir-token": token })).statusCode).toBe(200);
});

test("WEB-31: the counts are for whoever sits at the machine, and for the owner's console", async () => {
  const door = `localhost:${stage.port}`;
  const look = (headers: Record<string, string>) => stage.ask({ url: "/metrics", headers });
  const [ours, owners] = [await look({ host: door }), await look({ ...ada.console })];
  for (const answer of [ours, owners])
    expect(answer.body).toMatch(/choir_http_request_seconds_count\{method="GET",route="\/api\/me",status="200"\} \d+/);
  expect(ours.body).toMatch(/^choir_sockets 0$/m);
  expect(ours.body).toMatch(/^choir_open_computers \d+$/m);
  const bob = await stage.signIn("bob");
  const { "x-choir-token": _, ...session } = ada.console;
  for (const headers of [{ ...bob.console }, session, { ...ada.desk }, { host: door, "x-forwarded-for": "10.0.0.1" }])
    expect((await look(headers)).statusCode).toBe(404);
  for (const name of ["forwarded", "x-real-ip", "via", "x-forwarded-host", "x-forwarded-proto"])
    expect((await look({ host: door, [name]: "for=10.0.0.1" })).statusCode, name).toBe(404);
  expect(
    (await stage.app.inject({ url: "/metrics", headers: { host: door }, remoteAddress: "10.0.0.1" })).statusCode,
  ).toBe(404);
});
