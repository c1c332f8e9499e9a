import { createHmac } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test, vi } from "vitest";
import { enter, ORIGIN, post, reopen, tempAccounts } from "../testing/temp-accounts.ts";
import type { Accounts, EndedSession } from "./accounts.ts";
import { cookieName } from "./cookie.ts";

const COOKIE = cookieName(ORIGIN);
const DAY = 24 * 60 * 60_000;

afterEach(() => {
  vi.useRealTimers();
});

function later(milliseconds: number): void {
  const now = Date.now() + milliseconds;
  vi.useFakeTimers({ toFake: ["Date"], now });
}

function heardBy(accounts: Accounts): EndedSession[] {
  const heard: EndedSession[] = [];
  accounts.onEnd((session) => heard.push(session));
  return heard;
}

async function idOf(accounts: Accounts, cookie: string): Promise<string> {
  const session = await accounts.session(cookie);
  if (session === undefined) throw new Error("nobody's cookie");
  return session.id;
}

async function attributes(origin: string): Promise<string[]> {
  const { accounts } = tempAccounts({ origins: () => [origin] });
  const { token } = await accounts.link("ada");
  const cookies = (await post(accounts, "link", { token }, { origin })).headers.getSetCookie();
  expect(cookies).toHaveLength(1);
  expect(await accounts.session(cookies[0]?.split(";")[0])).toMatchObject({ account: { id: "ada" } });
  return (cookies[0] ?? "")
    .replace(/=[^;]+/, "")
    .split("; ")
    .sort();
}

test("ACC-20: the cookie is for its host alone, out of scripts' reach, and sent from its own site only", async () => {
  expect(await attributes(ORIGIN)).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Strict", COOKIE]);
  expect(await attributes("https://choir.example")).toEqual(
    ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Strict", "Secure", "__Host-choir"].sort(),
  );
});

test("ACC-21: a cookie that is missing or garbage is nobody's", async () => {
  const { accounts, reports } = tempAccounts();
  const long = "x".repeat(60);
  for (const value of ["", "x", ".", long, `${long}.`, `.${long}`, "%".repeat(60), `${long}.%ff%`, "%00".repeat(20)]) {
    expect(await accounts.session(`${COOKIE}=${value}`), value).toBeUndefined();
  }
  for (const header of [
    undefined,
    "",
    ";",
    "=",
    COOKIE,
    "a=b; c",
    `${COOKIE}=\n`,
    `${COOKIE}=${"y".repeat(100_000)}`,
    "ch\0ir=x",
  ]) {
    expect(await accounts.session(header)).toBeUndefined();
  }
  expect(reports).toEqual([]);
});

test("ACC-21: a good cookie is found among others, and is nobody's once a letter of it is another", async () => {
  const { accounts } = tempAccounts();
  const cookie = await enter(accounts, "ada");
  expect(await accounts.session(`theme=dark; ${cookie}; x${COOKIE}=1`)).toMatchObject({ account: { id: "ada" } });
  expect(await accounts.session(`__Host-${cookie}`)).toBeUndefined();
  for (const at of [`${COOKIE}=`.length, 20, 37, 40, 60]) {
    const letter = cookie.charAt(at) === "A" ? "B" : "A";
    const forged = cookie.slice(0, at) + letter + cookie.slice(at + 1);
    expect(await accounts.session(forged), forged).toBeUndefined();
  }
});

test("ACC-21: whoever read the tokens can't sign them, neither with no secret, a known one, nor another file's", async () => {
  const { accounts, options } = tempAccounts();
  await enter(accounts, "ada");
  const db = new DatabaseSync(options.file, { readOnly: true });
  const token = String(db.prepare("SELECT token FROM session").get()?.token);
  const secret = String(db.prepare("SELECT value FROM secret").get()?.value);
  db.close();
  const signed = (key: string) =>
    `${COOKIE}=${encodeURIComponent(`${token}.${createHmac("sha256", key).update(token).digest("base64")}`)}`;
  for (const key of ["", "better-auth-secret-12345678901234567890", "x".repeat(43)]) {
    expect(await accounts.session(signed(key))).toBeUndefined();
  }
  expect(await accounts.session(`${COOKIE}=${token}.${"A".repeat(43)}=`)).toBeUndefined();
  expect(await accounts.session(signed(secret))).toBeDefined(); // so the others failed for their key
  const others = tempAccounts();
  const cookie = await enter(others.accounts, "ada");
  expect(await accounts.session(cookie)).toBeUndefined();
});

test("ACC-22: a session that another process ended, or whose account it removed, is over with the next look", async () => {
  const { accounts, options } = tempAccounts();
  await accounts.add("bob", "member");
  const other = reopen(options);
  const [mine, bobs] = [await enter(accounts, "ada"), await enter(accounts, "bob")];
  const heard = heardBy(accounts);
  const id = await idOf(accounts, mine);
  const bobsId = await idOf(accounts, bobs);
  expect(await other.session(mine)).toMatchObject({ id });
  await other.revoke(id);
  await other.remove("bob");
  for (let i = 0; i < 2; i++) {
    expect(await accounts.session(mine)).toBeUndefined();
    expect(await accounts.session(bobs)).toBeUndefined();
  }
  expect(heard).toEqual([
    { id, account: "ada" },
    { id: bobsId, account: "bob" },
  ]);
});

test.each(["seen", "never seen"])("ACC-22: a session that expired is over, be it %s before", async (before) => {
  const { accounts } = tempAccounts();
  const cookie = await enter(accounts, "ada");
  const [{ id } = { id: "" }] = await accounts.sessions("ada");
  if (before === "seen") await accounts.session(cookie);
  const heard = heardBy(accounts);
  later(30 * DAY + 1000);
  expect(await accounts.sessions("ada")).toEqual([]);
  expect(await accounts.session(cookie)).toBeUndefined();
  expect(await accounts.session(cookie)).toBeUndefined();
  expect(heard).toEqual([{ id, account: "ada" }]);
});

const ENDS: [string, (accounts: Accounts, cookie: string, id: string) => Promise<unknown>][] = [
  ["signing out", (accounts, cookie) => post(accounts, "sign-out", {}, { cookie })],
  ["revoking it", (accounts, _, id) => accounts.revoke(id)],
  ["revoking all", (accounts) => accounts.revokeAll("bob")],
  ["the account's removal", (accounts) => accounts.remove("bob")],
  [
    "a new password",
    async (accounts) =>
      post(accounts, "password", { password: "correct horse" }, { cookie: await enter(accounts, "bob") }),
  ],
];

test.each(ENDS)(
  "ACC-23: listeners hear once of a session that ends by %s, before whoever ended it goes on",
  async (_, end) => {
    const { accounts } = tempAccounts();
    await accounts.add("bob", "member");
    const [adas, cookie] = [await enter(accounts, "ada"), await enter(accounts, "bob")];
    const id = await idOf(accounts, cookie);
    const heard = heardBy(accounts);
    await end(accounts, cookie, id);
    expect(heard).toEqual([{ id, account: "bob" }]);
    expect(await accounts.session(cookie)).toBeUndefined();
    expect(await accounts.session(adas)).toBeDefined();
    await accounts.revoke(id);
    expect(heard).toHaveLength(1);
  },
);

test("ACC-23: a listener that throws disturbs no other; one that left hears nothing", async () => {
  const { accounts, reports } = tempAccounts();
  const cookie = await enter(accounts, "ada");
  const left = vi.fn();
  accounts.onEnd(() => {
    throw new Error("no socket");
  });
  accounts.onEnd(left)();
  const heard = heardBy(accounts);
  await accounts.revoke(await idOf(accounts, cookie));
  expect(heard).toHaveLength(1);
  expect(left).not.toHaveBeenCalled();
  expect(reports).toEqual([expect.stringContaining("no socket")]);
});

test("ACC-24: a session lasts 30 days; to look at it changes nothing, but the console's asking for it does", async () => {
  const { accounts } = tempAccounts();
  const cookie = await enter(accounts, "ada");
  const first = await accounts.session(cookie);
  later(2 * DAY);
  expect(await accounts.session(cookie)).toEqual(first);
  const [prolonged] = await accounts.prolong(cookie);
  expect(prolonged?.split(";")[0]).toBe(cookie);
  const longer = await accounts.session(cookie);
  expect(longer?.id).toBe(first?.id);
  expect(longer?.expires.getTime()).toBe(Date.now() + 30 * DAY);
  later(29 * DAY);
  expect(await accounts.session(cookie)).toBeDefined();
});

test("ACC-24: an account's sessions are told apart, the newest first, and by no secret", async () => {
  const { accounts, options } = tempAccounts();
  const cookies = [await enter(accounts, "ada"), await enter(accounts, "ada")];
  const lines = await accounts.sessions("ada");
  const ids = await Promise.all(cookies.map((cookie) => idOf(accounts, cookie)));
  expect(lines.map(({ id }) => id)).toEqual(ids.reverse());
  expect(lines[0]).toMatchObject({ userAgent: "test", created: expect.any(String), expires: expect.any(String) });
  const db = new DatabaseSync(options.file, { readOnly: true });
  const tokens = db
    .prepare("SELECT token FROM session")
    .all()
    .map((row) => String(row.token));
  db.close();
  for (const token of tokens) expect(JSON.stringify(lines)).not.toContain(token);
});
