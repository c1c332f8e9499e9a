import { DatabaseSync } from "node:sqlite";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import { afterEach, expect, test, vi } from "vitest";
import { cookieOf, enter, ORIGIN, post, reopen, tempAccounts } from "../testing/temp-accounts.ts";
import { NO_PASSWORD } from "./account-table.ts";

const MINUTE = 60_000;
const GOOD = "correct horse";

afterEach(() => {
  vi.useRealTimers();
});

function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01T12:00:00Z") });
}

function later(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

test("ACC-10: a link signs in once, by a POST; a GET and a look at it spend nothing", async () => {
  const { accounts } = tempAccounts();
  const { token } = await accounts.link("ada");
  for (const method of ["GET", "HEAD"]) {
    const opened = await accounts.handle(new Request(`${ORIGIN}/api/auth/link?token=${token}`, { method }), "::1");
    expect([opened.status, opened.headers.getSetCookie()]).toEqual([405, []]);
  }
  expect(await accounts.linkOf(token)).toMatchObject({ id: "ada" });
  const first = await post(accounts, "link", { token });
  expect([first.status, await first.json()]).toEqual([200, { account: "ada" }]);
  expect(await accounts.session(cookieOf(first))).toMatchObject({ account: { id: "ada", role: "owner" } });
  const again = await post(accounts, "link", { token });
  expect([again.status, again.headers.getSetCookie()]).toEqual([401, []]);
  expect(await again.json()).toMatchObject({ message: expect.stringContaining("choir user link") });
  expect(await accounts.linkOf(token)).toBeUndefined();
});

test("ACC-11: of those who come with one token at once, by two connections to the file, one gets in", async () => {
  const { accounts, options } = tempAccounts();
  const other = reopen(options);
  await Promise.all([accounts.warm(), other.warm()]);
  const { token } = await accounts.link("ada");
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => post(i % 2 ? accounts : other, "link", { token })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)]);
  expect(await accounts.sessions("ada")).toHaveLength(1);
});

test("ACC-12: a link is good for 10 minutes", async () => {
  stopClock();
  const { accounts } = tempAccounts();
  const { token, expires } = await accounts.link("ada");
  expect(expires.getTime() - Date.now()).toBe(10 * MINUTE);
  later(10 * MINUTE - 1);
  expect(await accounts.linkOf(token)).toMatchObject({ id: "ada" });
  later(1);
  expect(await accounts.linkOf(token)).toBeUndefined();
  expect((await post(accounts, "link", { token })).status).toBe(401);
});

test("ACC-12: a new link makes the former void, and so does removal; another account's stays", async () => {
  const { accounts } = tempAccounts();
  await accounts.add("bob", "member");
  const bobs = await accounts.link("bob");
  const former = await accounts.link("ada");
  const { token } = await accounts.link("ada");
  expect((await post(accounts, "link", { token: former.token })).status).toBe(401);
  expect(await accounts.linkOf(token)).toMatchObject({ id: "ada" });
  await accounts.remove("bob");
  expect((await post(accounts, "link", { token: bobs.token })).status).toBe(401);
});

test("ACC-12: only the hash of a token is in the file, and that doesn't open anything", async () => {
  const { accounts, options } = tempAccounts();
  const { token } = await accounts.link("ada");
  const db = new DatabaseSync(options.file, { readOnly: true });
  const row = db.prepare("SELECT * FROM link").get();
  db.close();
  expect(Object.values(row ?? {})).not.toContain(token);
  expect((await post(accounts, "link", { token: row?.hash })).status).toBe(401);
});

test("ACC-13: with a password one signs in by the name or by the id", async () => {
  const { accounts } = tempAccounts();
  await accounts.add("Jörg Müller", "member");
  const cookie = await enter(accounts, "jorg-muller");
  expect((await post(accounts, "password", { password: GOOD }, { cookie })).status).toBe(200);
  expect(await accounts.find("jorg-muller")).toMatchObject({ hasPassword: true });
  for (const username of ["jorg-muller", "Jörg Müller", " JÖRG müller"]) {
    const answer = await post(accounts, "sign-in/username", { username, password: GOOD });
    expect(answer.status).toBe(200);
    expect(await accounts.session(cookieOf(answer))).toMatchObject({ account: { id: "jorg-muller" } });
  }
});

test("ACC-13: a wrong password, an unknown name and an account without a password get one answer", async () => {
  const { accounts } = tempAccounts();
  await accounts.add("bob", "member");
  await post(accounts, "password", { password: GOOD }, { cookie: await enter(accounts, "ada") });
  const answers = [];
  for (const username of ["ada", "bob", "nobody"]) {
    const answer = await post(accounts, "sign-in/username", { username, password: "wrong horse" });
    answers.push([answer.status, await answer.text(), answer.headers.getSetCookie()]);
  }
  expect(answers[0]?.[0]).toBe(401);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});

test("ACC-13: the hash of who has no password is checked like any other, and no password has it", async () => {
  for (const password of ["", "0", "0".repeat(32), NO_PASSWORD]) {
    expect(await verifyPassword({ hash: NO_PASSWORD, password })).toBe(false);
  }
  expect(await hashPassword(GOOD)).toHaveLength(NO_PASSWORD.length);
});

test("ACC-14: a password has 10 to 128 characters", async () => {
  const { accounts } = tempAccounts();
  const cookie = await enter(accounts, "ada");
  for (const password of ["123456789", "x".repeat(129)]) {
    const answer = await post(accounts, "password", { password }, { cookie });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { message: "A password has 10 to 128 characters." },
    ]);
  }
  expect(await accounts.find("ada")).toMatchObject({ hasPassword: false });
  expect((await post(accounts, "password", { password: "1234567890" }, { cookie })).status).toBe(200);
});

test("ACC-14: with a new password all other sessions of the account end, and this one goes on", async () => {
  const { accounts } = tempAccounts();
  await accounts.add("bob", "member");
  const [cookie, other, bobs] = [
    await enter(accounts, "ada"),
    await enter(accounts, "ada"),
    await enter(accounts, "bob"),
  ];
  await post(accounts, "password", { password: GOOD }, { cookie });
  expect(await accounts.session(cookie)).toBeDefined();
  expect(await accounts.session(other)).toBeUndefined();
  expect(await accounts.session(bobs)).toBeDefined();
});

test("ACC-14: to change a password takes the current one, or a session that has just come by a link", async () => {
  stopClock();
  const { accounts } = tempAccounts();
  const byLink = await enter(accounts, "ada");
  expect((await post(accounts, "password", { password: GOOD }, { cookie: byLink })).status).toBe(200);
  later(MINUTE);
  expect((await post(accounts, "password", { password: `${GOOD} 2` }, { cookie: byLink })).status).toBe(200);
  const wrong = { password: `${GOOD} 3`, current: "not this one" };
  expect((await post(accounts, "password", wrong, { cookie: byLink })).status).toBe(403);
  later(MINUTE);
  const signedIn = await post(accounts, "sign-in/username", { username: "ada", password: `${GOOD} 2` });
  const cookie = cookieOf(signedIn);
  for (const current of [undefined, GOOD, ""]) {
    const answer = await post(accounts, "password", { password: `${GOOD} 3`, current }, { cookie });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: "WRONG_PASSWORD" }]);
  }
  const right = { password: `${GOOD} 3`, current: `${GOOD} 2` };
  expect((await post(accounts, "password", right, { cookie })).status).toBe(200);
  const late = await enter(accounts, "ada");
  later(10 * MINUTE);
  expect((await post(accounts, "password", { password: GOOD }, { cookie: late })).status).toBe(403);
  expect((await post(accounts, "password", { password: GOOD })).status).toBe(401);
});
