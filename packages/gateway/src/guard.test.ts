import { once } from "node:events";
import { connect } from "node:net";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DESK_COOKIE } from "./asker.ts";
import type { Entrance } from "./entrance.ts";
import { guard, type RouteLine } from "./guard.ts";
import { GUEST, type TempGateway, tempGateway } from "./testing/temp-gateway.ts";

/** Every route, and who may pass there. One that isn't in this list fails the test, and so does one that is no more. */
const ROUTES: Readonly<Record<Entrance, readonly string[]>> = {
  anywhere: ["GET /api/health", "GET /metrics"],
  anyone: ["GET /*"],
  visitor: ["GET /api/me", "POST /api/link", "POST /api/auth/link", "POST /api/auth/sign-in/username"],
  session: ["GET /api/openapi.json", "GET /api/sessions"],
  console: [
    "POST /api/auth/password",
    "POST /api/auth/sign-out",
    "POST /api/computers/import",
    "DELETE /api/sessions",
    "DELETE /api/sessions/:session",
    "POST /api/computers",
  ],
  live: ["GET /api/ws"],
  owner: [
    ...["GET /api/users", "POST /api/users", "DELETE /api/users/:user", "POST /api/users/:user/link"],
    ...["GET /api/models", "POST /api/models/providers", "DELETE /api/models/providers/:provider"],
    ...["POST /api/models/roles/:role", "POST /api/models/test", "GET /api/policy", "POST /api/policy"],
  ],
  read: ["events", "unfinished", "files", "histories", "history", "diff", "settings", "verify"].map(
    (what) => `GET /api/computers/:computer/${what}`,
  ),
  load: ["GET /api/computers/:computer/file/*"],
  act: [
    ...["preview", "undo", "restore", "remove", "exec", "desk-cookie"].map(
      (what) => `POST /api/computers/:computer/${what}`,
    ),
    "PATCH /api/computers/:computer/settings",
    "PUT /api/computers/:computer/file/*",
    "DELETE /api/computers/:computer/file/*",
  ],
  keep: [
    "GET /api/computers/:computer/export",
    "POST /api/computers/:computer/rebuild",
    "POST /api/computers/:computer/approvals/:approval",
    "PATCH /api/computers/:computer",
    "POST /api/computers/:computer/desk-token",
  ],
};

const WHO = ["none", "garbage", "session", "both", "revoked", "desk", "desk2", "cookie", "cookie2", "member"] as const;
type Who = (typeof WHO)[number];

/**
 * What each gets, in the order of WHO, where host and origin are right: p passes, s has to sign in (401), f is forbidden
 * (403), m finds nothing (404).
 */
const CELLS: Readonly<Record<Entrance, { readonly console: string; readonly desk: string; readonly other: string }>> = {
  anywhere: { console: "pppppppppp", desk: "pppppppppp", other: "pppppppppp" },
  anyone: { console: "pppppppppp", desk: "pppppppppp", other: "pppppppppp" },
  visitor: { console: "pppppppppp", desk: "mmmmmmmmmm", other: "mmmmmmmmmm" },
  session: { console: "ssppsssssp", desk: "mmmmmmmmmm", other: "mmmmmmmmmm" },
  console: { console: "ssfpsssssp", desk: "mmmmmmmmmm", other: "mmmmmmmmmm" },
  owner: { console: "ssfpsssssm", desk: "mmmmmmmmmm", other: "mmmmmmmmmm" },
  live: { console: "ssppsssssp", desk: "pppppppppp", other: "pppppppppp" },
  read: { console: "ssppsssssm", desk: "ssssspmsss", other: "sssssmmsss" },
  load: { console: "ssppsssssm", desk: "ssssspmpms", other: "sssssmmmms" },
  act: { console: "ssfpsssssm", desk: "ssssspmsss", other: "sssssmmsss" },
  keep: { console: "ssfpsssssm", desk: "sssssfmsss", other: "sssssmmsss" },
};
const STATUS: Readonly<Record<string, number>> = { p: 299, s: 401, f: 403, m: 404 };

const HOSTS = ["console", "desk", "other", "door", "foreign", "missing"] as const;
type Host = (typeof HOSTS)[number];
const ORIGINS = ["none", "own", "allowed", "other site", "foreign", "null"] as const;
type Origin = (typeof ORIGINS)[number];

let stage: TempGateway;
let credentials: Readonly<Record<Who, Record<string, string>>>;

beforeAll(async () => {
  stage = await tempGateway(["ada", "bob"], {}, (app) => {
    // Whoever comes this far has passed, and nothing is done.
    app.addHook("preParsing", async (request, reply) => {
      if (request.headers["x-only-look"] !== undefined) await reply.code(299).send();
    });
  });
  const [ada, gone, bob] = [await stage.signIn("ada"), await stage.signIn("ada"), await stage.signIn("bob")];
  await stage.accounts.revoke(gone.session);
  const [token, token2] = [ada, bob].map(({ desk }) => desk.authorization.slice("Bearer ".length));
  const { cookie, "x-choir-token": second } = ada.console;
  credentials = {
    none: {},
    garbage: {
      authorization: "Bearer x",
      cookie: `choir-${stage.port}=${"x".repeat(80)}; ${DESK_COOKIE}=x`,
      "x-choir-token": "x",
    },
    session: { cookie },
    both: { cookie, "x-choir-token": second },
    revoked: { cookie: gone.console.cookie, "x-choir-token": gone.console["x-choir-token"] },
    desk: { authorization: ada.desk.authorization },
    desk2: { authorization: bob.desk.authorization },
    cookie: { cookie: `${DESK_COOKIE}=${token}` },
    cookie2: { cookie: `${DESK_COOKIE}=${token2}` },
    member: { cookie: bob.console.cookie, "x-choir-token": bob.console["x-choir-token"] },
  };
});
afterAll(() => stage.close());

function hostOf(host: Host): string | undefined {
  const { port } = stage;
  const names = { console: "choir.localhost", desk: "ada-desk.localhost", other: "bob-desk.localhost" };
  if (host === "missing") return undefined;
  return `${{ ...names, door: "localhost", foreign: "evil.example" }[host]}:${port}`;
}

function originOf(origin: Origin, host: Host): string | undefined {
  if (origin === "none") return undefined;
  if (origin === "null") return "null";
  if (origin === "allowed") return GUEST;
  if (origin === "foreign") return "https://evil.example";
  if (origin === "own") return `http://${hostOf(host) ?? "localhost"}`;
  return `http://${hostOf(host === "console" ? "desk" : "console")}`;
}

function expected({ method, url }: RouteLine, entrance: Entrance, host: Host, origin: Origin, who: Who): number {
  if (host === "foreign" || host === "missing") return 421;
  if (origin === "allowed" && host !== "console") return 403;
  if (!["none", "own", "allowed"].includes(origin) || (origin === "own" && host === "door")) return 403;
  if (host !== "door") return STATUS[CELLS[entrance][host].charAt(WHO.indexOf(who))] ?? 0;
  if (entrance === "anywhere") return 299;
  return (method === "GET" || method === "HEAD") && !url.startsWith("/api/") ? 302 : 404;
}

function targetOf(url: string): string {
  return url.replace(":computer", "ada").replace(":session", "x").replace(":user", "x").replace("*", "workspace/x");
}

function isListed({ method, url }: RouteLine, entrance: Entrance): boolean {
  return [method, method === "HEAD" ? "GET" : method].some((one) => ROUTES[entrance].includes(`${one} ${url}`));
}

const EVERY = Object.keys(ROUTES) as Entrance[]; // the keys of this very object

test("IN-10: every route is in the list of who may pass where, and every line of that list is a route", () => {
  const lines = stage.app.entrances;
  expect(lines.filter((line) => !isListed(line, line.entrance))).toEqual([]);
  const there = lines.map(({ entrance, method, url }) => `${entrance} ${method} ${url}`);
  const listed = EVERY.flatMap((entrance) => ROUTES[entrance].map((line) => `${entrance} ${line}`));
  expect(listed.filter((line) => !there.includes(line))).toEqual([]);
});

test.each(HOSTS)(
  "IN-11: with the host %s only the listed cells pass, on every route",
  async (host) => {
    const wrong: string[] = [];
    for (const line of stage.app.entrances)
      for (const origin of ORIGINS)
        for (const who of WHO) {
          const entrance = EVERY.find((one) => isListed(line, one)) ?? "anywhere";
          const cell = expected(line, entrance, host, origin, who);
          const got = await statusOf(line, host, origin, who);
          if (got !== cell) wrong.push(`${line.method} ${line.url} ${origin} ${who}: ${got}, not ${cell}`);
        }
    expect(wrong).toEqual([]);
  },
  120_000,
);

async function statusOf({ method, url }: RouteLine, host: Host, origin: Origin, who: Who): Promise<number> {
  const from = originOf(origin, host);
  const headers = { ...credentials[who], "x-only-look": "1", ...(from !== undefined && { origin: from }) };
  const name = hostOf(host);
  if (name === undefined) return statusWithoutHost(method, targetOf(url), headers);
  const answer = await stage.ask({ method: method as "GET", url: targetOf(url), headers: { ...headers, host: name } });
  return answer.statusCode;
}

/** Only HTTP/1.0 may leave it out; what is newer, and does, Node turns away. */
async function statusWithoutHost(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const socket = connect(stage.port, "127.0.0.1");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.0\r\n${lines.join("")}\r\n`);
  const [start] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return Number(start.toString("latin1").split(" ")[1]);
}

test.each([
  "x/../password",
  "./password",
  "x/%2e%2e/password",
  "x\\..\\password",
  "passw%6frd",
  "/password",
  "password/",
])("IN-4: by whatever spelling, as %s, nobody sets a password without the console's token", async (spelling) => {
  const headers = { ...credentials.session, host: hostOf("console") ?? "", "content-type": "application/json" };
  const body = JSON.stringify({ password: "0123456789ab" });
  const lines = Object.entries({ ...headers, "content-length": body.length, connection: "close" });
  const socket = connect(stage.port, "127.0.0.1");
  socket.write(
    `POST /api/auth/${spelling} HTTP/1.1\r\n${lines.map((line) => `${line.join(": ")}\r\n`).join("")}\r\n${body}`,
  );
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 (?:403|404) /);
  expect((await stage.accounts.find("ada"))?.hasPassword).toBe(false);
});

test("IN-12: who would rather speak another protocol is answered in this one", async () => {
  const headers = { host: hostOf("console"), upgrade: "h2c", connection: "upgrade" };
  expect((await stage.ask({ url: "/api/health", headers })).statusCode).toBe(200);
});

test("IN-12: an upgrade without an Origin is refused, with the best of credentials", async () => {
  const headers = { ...credentials.both, host: hostOf("console"), upgrade: "websocket", connection: "upgrade" };
  expect((await stage.ask({ url: "/api/me", headers })).statusCode).toBe(403);
});

test.each([
  ["cross-site", "no-cors", 403],
  ["same-site", "cors", 403],
  ["same-origin", "cors", 200],
  ["none", "navigate", 200],
  ["cross-site", "navigate", 200],
])("IN-13: where a browser says %s by %s instead of an Origin, the answer is %d", async (site, mode, status) => {
  const told = { "sec-fetch-site": site, "sec-fetch-mode": mode };
  const answer = await stage.ask({
    url: "/api/me",
    headers: { ...credentials.session, ...told, host: hostOf("console") },
  });
  expect(answer.statusCode).toBe(status);
});

test("IN-14: every answer says how far a browser may go, a refusal too; only the console may be around a desk", async () => {
  for (const [host, policy] of [
    ["console", "frame-ancestors 'none'"],
    ["desk", `frame-ancestors ${stage.sites.console}`],
    ["foreign", "default-src 'none'"],
  ] as const) {
    const { headers } = await stage.ask({ url: "/api/nothing", headers: { host: hostOf(host) } });
    expect(headers["content-security-policy"]).toContain(policy);
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  }
});

test("IN-15: a session that is ended takes its desk tokens along", async () => {
  const ada = await stage.signIn("ada");
  const look = async () => (await stage.ask({ url: "/api/computers/ada/files", headers: ada.desk })).statusCode;
  expect(await look()).toBe(200);
  await stage.accounts.revoke(ada.session);
  expect(await look()).toBe(401);
});

test("IN-16: a route that doesn't say who may pass can't be registered", () => {
  const app = Fastify();
  const parts = { sites: () => stage.sites, accounts: stage.accounts };
  guard(app, { ...parts, consoleTokens: { of: () => "", isOf: () => false } as never, deskTokens: {} as never }); // never asked
  expect(() => app.get("/open", () => "")).toThrow("GET /open doesn't say who may pass");
});

test("IN-17: a browser hears that pages of an allowed origin may ask the console, before they do and with each answer", async () => {
  const told = { "access-control-allow-credentials": "true", "access-control-allow-origin": GUEST, vary: "origin" };
  const asks = {
    origin: GUEST,
    "access-control-request-method": "PUT",
    "access-control-request-headers": "x-choir-token",
  };
  const look = (host: Host, headers: Record<string, string>, method: "OPTIONS" | "GET", url = "/api/sessions") =>
    stage.ask({ method, url, headers: { ...headers, host: hostOf(host) } });
  const before = await look("console", asks, "OPTIONS", "/api/computers/ada/file/workspace/x");
  expect([before.statusCode, before.headers]).toMatchObject([204, told]);
  expect(before.headers["access-control-allow-headers"]).toContain("x-choir-token");
  const answers = [
    await look("console", { ...credentials.session, origin: GUEST }, "GET"),
    await look("console", { origin: GUEST }, "GET"),
    await look("console", { ...credentials.session, origin: GUEST }, "GET", "/api/computers/ada/files"),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 401, 200]);
  for (const { headers } of answers) expect(headers).toMatchObject(told);
});

test.each(HOSTS.filter((host) => host !== "missing"))(
  "IN-17: at the host %s nobody else hears so, and none hears a star",
  async (host) => {
    const origins = ORIGINS.filter((one) => one !== "allowed" || host !== "console").map((one) => originOf(one, host));
    for (const origin of origins)
      for (const method of ["OPTIONS", "GET"] as const) {
        const asks = {
          ...(origin !== undefined && { origin }),
          "access-control-request-method": "PUT",
          host: hostOf(host),
        };
        const { headers } = await stage.ask({ method, url: "/api/me", headers: { ...credentials.both, ...asks } });
        expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
  },
);
