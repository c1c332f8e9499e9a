import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cookieOf, enter, ORIGIN, post, reopen, tempAccounts } from "../testing/temp-accounts.ts";

const WRONG = { username: "ada", password: "wrong horse" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

test("ACC-15: the sixth password within a minute is refused, from the same address alone, also by another process; a minute later it isn't", async () => {
  const { accounts, options } = tempAccounts();
  for (let i = 0; i < 5; i++) expect((await post(accounts, "sign-in/username", WRONG)).status).toBe(401);
  const refused = await post(accounts, "sign-in/username", WRONG);
  expect([refused.status, refused.headers.get("x-retry-after")]).toEqual([429, "60"]);
  expect((await post(reopen(options), "sign-in/username", WRONG)).status).toBe(429);
  expect((await post(accounts, "sign-in/username", WRONG, { address: "192.0.2.7" })).status).toBe(401);
  vi.setSystemTime(Date.now() + 60_000);
  expect((await post(accounts, "sign-in/username", WRONG)).status).toBe(401);
});

test("ACC-15: what a client says of its address doesn't count", async () => {
  const { accounts } = tempAccounts();
  const statuses = [];
  for (let i = 0; i < 6; i++) {
    const headers = {
      "content-type": "application/json",
      "x-forwarded-for": `192.0.2.${i}`,
      "x-choir-address": `192.0.2.${i}`,
    };
    const request = new Request(`${ORIGIN}/api/auth/sign-in/username`, {
      method: "POST",
      headers,
      body: JSON.stringify(WRONG),
    });
    statuses.push((await accounts.handle(request, "198.51.100.1")).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
});

test.each([
  ["sign-up/email", { name: "eve", email: "eve@choir.invalid", password: "correct horse" }],
  ["sign-in/email", { email: "ada@choir.invalid", password: "correct horse" }],
  ["update-user", { name: "eve" }],
  ["update-user", { username: "eve" }],
  ["change-email", { newEmail: "eve@choir.invalid" }],
  ["change-password", { newPassword: "correct horse", currentPassword: "correct horse" }],
  ["delete-user", {}],
  ["request-password-reset", { email: "ada@choir.invalid" }],
  ["is-username-available", { username: "ada" }],
  ["list-sessions", {}],
  ["revoke-session", {}],
  ["ok", {}],
  ["link/", { token: "x" }],
  ["//link", { token: "x" }],
])("ACC-16: POST /api/auth/%s is not there", async (path, body) => {
  const { accounts } = tempAccounts();
  const cookie = await enter(accounts, "ada");
  expect((await post(accounts, path, body, { cookie })).status).toBe(404);
  expect(await accounts.list()).toMatchObject([{ id: "ada", name: "ada", hasPassword: false }]);
});

test("ACC-17: a page of another origin can neither sign in, set a password nor sign out", async () => {
  const { accounts } = tempAccounts();
  const cookie = await enter(accounts, "ada");
  const { token } = await accounts.link("ada");
  for (const origin of [
    "http://ada-desk.localhost:4000",
    "http://choir.localhost:4001",
    "https://choir.localhost:4000",
    "null",
  ]) {
    for (const given of [{ cookie, origin }, { origin }]) {
      expect((await post(accounts, "link", { token }, given)).status).toBe(403);
    }
    expect((await post(accounts, "password", { password: "correct horse" }, { cookie, origin })).status).toBe(403);
    expect((await post(accounts, "sign-out", {}, { cookie, origin })).status).toBe(403);
  }
  expect(await accounts.session(cookie)).toBeDefined();
  expect(await accounts.find("ada")).toMatchObject({ hasPassword: false });
  expect(await accounts.linkOf(token)).toBeDefined();
});

test("ACC-17: the console's other origins count as its own", async () => {
  const { accounts } = tempAccounts({ origins: () => [ORIGIN, "http://localhost:4000"] });
  const { token } = await accounts.link("ada");
  const answer = await post(accounts, "link", { token }, { origin: "http://localhost:4000" });
  expect(await accounts.session(cookieOf(answer))).toBeDefined();
});

test("ACC-17: what a form can send is refused", async () => {
  const { accounts } = tempAccounts();
  const { token } = await accounts.link("ada");
  for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"]) {
    const headers = { "content-type": type, origin: ORIGIN };
    const request = new Request(`${ORIGIN}/api/auth/link`, {
      method: "POST",
      headers,
      body: JSON.stringify({ token }),
    });
    expect((await accounts.handle(request, "127.0.0.1")).status).toBe(415);
  }
  for (const body of [{}, { token: 7 }, { token: "x".repeat(101) }, [], "x"]) {
    expect((await post(accounts, "link", body)).status).toBe(400);
  }
  expect(await accounts.linkOf(token)).toBeDefined();
});
