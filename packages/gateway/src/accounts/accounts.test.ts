import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { enter, post, reopen, tempAccounts } from "../testing/temp-accounts.ts";
import { AccountsError } from "./accounts-error.ts";

test("ACC-1: an account's id is made of its name, and its first computer has that id", async () => {
  const { accounts } = tempAccounts();
  const added = await accounts.add(" Jörg Müller ", "member");
  expect(added).toMatchObject({ ok: true, account: { id: "jorg-muller", name: "Jörg Müller", role: "member" } });
  expect(await accounts.find("jorg-muller")).toMatchObject({ name: "Jörg Müller", hasPassword: false });
  expect((await accounts.list()).map(({ id }) => id)).toEqual(["ada", "jorg-muller"]);
  expect(await accounts.computers("jorg-muller")).toMatchObject([{ id: "jorg-muller", name: "Jörg Müller" }]);
  expect(await accounts.find("nobody")).toBeUndefined();
});

test.each([
  ["", "must not be empty"],
  ["  ", "must not be empty"],
  ["日本", "no id can be made of '日本'"],
  ["a\nb", "control characters"],
  ["a".repeat(81), "at most 80"],
  ["\ud800a", "control characters"],
])("ACC-1: the name %j is refused with the reason", async (name, why) => {
  const { accounts } = tempAccounts();
  const added = await accounts.add(name, "member");
  expect(added).toMatchObject({ ok: false, message: expect.stringContaining(why) });
  expect(await accounts.list()).toHaveLength(1);
});

test("ACC-1: two names that give one id are told apart by nobody, so the second is refused and names the first", async () => {
  const { accounts } = tempAccounts();
  await accounts.add("Jörg", "member");
  for (const name of ["jorg", "JORG", "Jörg!", "jorg "]) {
    expect(await accounts.add(name, "owner")).toMatchObject({
      ok: false,
      message: expect.stringMatching(/id 'jorg', as 'Jörg' has: choose another name/),
    });
  }
});

test("ACC-1: a name whose id a computer has is refused, be it somebody's or only a folder", async () => {
  const { accounts, folders } = tempAccounts();
  const { id } = await accounts.addComputer("ada", "Work");
  expect(await accounts.add(id, "member")).toMatchObject({ ok: false, message: expect.stringContaining(id) });
  folders.push("bob");
  expect(await accounts.add("Bob", "member")).toMatchObject({
    ok: false,
    message: "there is a computer 'bob' already: choose another name",
  });
});

test("ACC-2: an older home's owner has an account from the first opening on, and only from that", async () => {
  const { accounts, options } = tempAccounts();
  expect(await accounts.list()).toMatchObject([{ id: "ada", name: "ada", role: "owner" }]);
  await accounts.add("bob", "owner");
  await accounts.remove("ada");
  expect(await reopen(options).list()).toMatchObject([{ id: "bob" }]);
});

test("ACC-2: a new home has no account until one is added", async () => {
  const { accounts } = tempAccounts({ home: { owner: () => undefined, computers: () => [] } });
  expect(await accounts.list()).toEqual([]);
  expect(await accounts.add("ada", "owner")).toMatchObject({ ok: true });
});

test("ACC-2: folders that nobody has are the first owner's, also those that come later", async () => {
  const { accounts, folders } = tempAccounts();
  await accounts.add("zoe", "owner");
  await accounts.add("bob", "member");
  folders.push("old", "older");
  expect(await accounts.holder("old")).toBe("ada");
  expect((await accounts.computers("ada")).map(({ id }) => id)).toEqual(["ada", "old", "older"]);
  folders.push("later");
  expect(await accounts.renameComputer("later", "Later")).toBe(true);
  expect(await accounts.computers("bob")).toMatchObject([{ id: "bob" }]);
  expect(await accounts.computers("zoe")).toMatchObject([{ id: "zoe" }]);
  expect(await accounts.holder("nothing")).toBeUndefined();
});

test("ACC-3: the only owner can't be removed; with another, each can", async () => {
  const { accounts } = tempAccounts();
  await accounts.add("bob", "member");
  expect(await accounts.remove("ada")).toEqual({
    ok: false,
    message: "'ada' is the only owner, and a server needs one: add another first",
  });
  expect(await accounts.find("ada")).toBeDefined();
  await accounts.add("zoe", "owner");
  expect(await accounts.remove("ada")).toEqual({ ok: true });
  expect(await accounts.remove("zoe")).toMatchObject({ ok: false });
  expect(await accounts.remove("bob")).toEqual({ ok: true });
  expect(await accounts.remove("bob")).toEqual({ ok: false, message: "there is no account 'bob'" });
});

test("ACC-3: what a removed account had is over: sessions, link, computers", async () => {
  const { accounts, folders } = tempAccounts();
  await accounts.add("bob", "member");
  folders.push("bob");
  const cookie = await enter(accounts, "bob");
  const { token } = await accounts.link("bob");
  const second = await accounts.addComputer("bob", "Work");
  expect(await accounts.session(cookie)).toBeDefined();
  await accounts.remove("bob");
  expect(await accounts.session(cookie)).toBeUndefined();
  expect(await accounts.linkOf(token)).toBeUndefined();
  expect(await accounts.holder("bob")).toBeUndefined();
  expect(await accounts.holder(second.id)).toBeUndefined();
  expect((await accounts.computers("ada")).map(({ id }) => id)).toEqual(["ada"]);
});

test("ACC-3: whoever gets a removed account's id later gets nothing of it, and none while its folder is there", async () => {
  const { accounts, folders } = tempAccounts();
  await accounts.add("bob", "member");
  folders.push("bob");
  const cookie = await enter(accounts, "bob");
  await accounts.remove("bob");
  expect(await accounts.add("bob", "member")).toMatchObject({ ok: false });
  folders.pop();
  expect(await accounts.add("bob", "member")).toMatchObject({ ok: true });
  expect(await accounts.session(cookie)).toBeUndefined();
  expect(await accounts.sessions("bob")).toEqual([]);
  expect(await accounts.holder("bob")).toBe("bob");
});

test("ACC-4: further computers have ids of their own, also of an account with a long id", async () => {
  const { accounts } = tempAccounts();
  const work = await accounts.addComputer("ada", " Work ");
  expect(work).toMatchObject({ id: expect.stringMatching(/^ada-[a-z0-9]{6}$/), account: "ada", name: "Work" });
  const long = "a".repeat(32);
  await accounts.add(`${long}-bbbbbbb`, "member");
  const cut = await accounts.addComputer(`${long}-bbbbbbb`, "Work");
  expect(cut.id).toMatch(/^a{32}-[a-z0-9]{6}$/);
  expect(await accounts.holder(cut.id)).toBe(`${long}-bbbbbbb`);
  expect(await accounts.renameComputer(work.id, "Play")).toBe(true);
  expect(await accounts.computers("ada")).toMatchObject([{ id: "ada" }, { id: work.id, name: "Play" }]);
  expect(await accounts.renameComputer("nothing", "Play")).toBe(false);
});

test("ACC-5: what goes wrong under a request is thrown, and nobody is let in", async () => {
  const { accounts, options } = tempAccounts();
  const cookie = await enter(accounts, "ada");
  const { token } = await accounts.link("ada");
  const other = new DatabaseSync(options.file);
  other.exec("DROP TABLE session");
  other.close();
  const message = "can't answer a request to sign in or out: no such table: session";
  await expect(post(accounts, "link", { token })).rejects.toThrow(new AccountsError(message));
  await expect(accounts.session(cookie)).rejects.toThrow(/^can't look at a session: /);
});

test("ACC-5: what can't be done is told with what was being done", async () => {
  const { accounts } = tempAccounts();
  await expect(accounts.link("nobody")).rejects.toThrow(new AccountsError("there is no account 'nobody'"));
  await expect(accounts.addComputer("nobody", "x")).rejects.toThrow("there is no account 'nobody'");
  await expect(accounts.addComputer("ada", "\n")).rejects.toThrow(/^can't add a computer: .*must not be empty/s);
  accounts.close();
  await expect(accounts.list()).rejects.toThrow(new AccountsError("can't list the accounts: the accounts are closed"));
  accounts.close();
});
